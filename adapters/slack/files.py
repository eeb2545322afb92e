"""Reading files people sent: only from Slack's own servers, since the token goes along."""

from typing import Any
from urllib.parse import urljoin, urlsplit

from adapters import network
from adapters.chat import File
from adapters.errors import Refused, Retry
from adapters.slack.api import Api
from adapters.slack.faults import CallFailed, told
from adapters.slack.settings import SlackSettings

CHUNK = 64 * 1024
HOPS = 5  # from one address of Slack's to the next
_GONE = (404, 410)
_ELSEWHERE = (301, 302, 303, 307, 308)


async def fetch(api: Api, settings: SlackSettings, file: File, limit: int) -> bytes:
    """The content; see `Chat.fetch`."""
    if file.size is not None and file.size > limit:
        raise Refused(f"{file.name!r} has {file.size} bytes; {limit} is the most that is read")
    url = file.id if file.id.startswith("http") else await _address(api, file)
    for _ in range(HOPS):
        if not _is_slacks(url, settings.base_url):
            raise Refused(f"{file.name!r} lies outside of Slack, at {urlsplit(url).hostname}")
        found = await _download(api, settings, file, url, limit)
        if isinstance(found, bytes):
            return found
        url = found
    raise Refused(f"{file.name!r} cannot be read: Slack sends Limen from one address to another")


async def _address(api: Api, file: File) -> str:
    try:
        told_file = (await api.call("files.info", file=file.id)).get("file") or {}
    except CallFailed as failed:
        if failed.passing:
            raise Retry(str(failed), after=failed.after) from failed
        raise told(failed) from failed
    url = told_file.get("url_private_download") or told_file.get("url_private")
    if not url:
        raise Refused(f"{file.name!r} has no content that can be read")
    return str(url)


async def _download(
    api: Api, settings: SlackSettings, file: File, url: str, limit: int
) -> bytes | str:
    """The content, or the address at which it lies instead."""
    import aiohttp

    if api.session is None:
        raise Retry(f"{file.name!r} cannot be read: Slack is not connected")
    headers = {"Authorization": f"Bearer {settings.bot_token}"}
    try:
        async with api.session.get(
            url, headers=headers, proxy=api.proxy, allow_redirects=False
        ) as answer:
            if answer.status in _ELSEWHERE and (place := answer.headers.get("Location")):
                return urljoin(url, str(place))
            _check(answer, file)
            content = bytearray()
            async for chunk in answer.content.iter_chunked(CHUNK):
                content += chunk
                if len(content) > limit:
                    raise Refused(f"{file.name!r} is larger than {limit} bytes, the most to read")
            return bytes(content)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        why = network.reason(error)
        raise Retry(f"{file.name!r} cannot be read now: {why}") from error


def _check(answer: Any, file: File) -> None:
    if answer.status in _GONE:
        raise Refused(f"{file.name!r} is not there any more")
    if answer.status == 429 or answer.status >= 500:
        raise Retry(f"{file.name!r} cannot be read now: Slack answered {answer.status}")
    # Without the right to read, Slack answers 200 and a page to sign in.
    login = answer.content_type == "text/html" and file.mime != "text/html"
    if login or answer.status in (401, 403):
        raise Refused(
            f"Slack does not let Limen read {file.name!r}; add the scope files:read under "
            "OAuth & Permissions → Bot Token Scopes and reinstall the app"
        )
    if answer.status != 200:
        raise Refused(f"{file.name!r} cannot be read: Slack answered {answer.status}")


def _is_slacks(url: str, base_url: str) -> bool:
    place, home = urlsplit(url), urlsplit(base_url)
    if place.netloc == home.netloc and place.scheme == home.scheme:
        return True
    host = place.hostname or ""
    return place.scheme == "https" and (host == "slack.com" or host.endswith(".slack.com"))
