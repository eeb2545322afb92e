"""Time zones by their IANA names, and the one this machine is set to."""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

AUTO = "auto"
_LOCALTIME = Path("/etc/localtime")


def known(name: str) -> bool:
    """Tell whether there is such a zone."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # missing, no valid key, or a folder of zones
        return False
    return True


def check(name: str) -> str:
    """Give the name back; ValueError names the nearest zone there is."""
    if name == AUTO or known(name):
        return name
    names = available_timezones()
    by_city = {zone.rpartition("/")[2].lower(): zone for zone in sorted(names)}
    folded = name.strip().replace(" ", "_").lower()
    if folded in by_city:
        raise ValueError(f"is no IANA time zone; did you mean {by_city[folded]!r}?")
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "write it like 'Europe/Berlin', or 'auto'"
    raise ValueError(f"is no IANA time zone; {hint}")


def local(env: Mapping[str, str], link: Path = _LOCALTIME) -> str:
    """Name this machine's zone, from TZ or its zone file; UTC where neither tells."""
    wanted = env.get("TZ", "").lstrip(":")
    if wanted and known(wanted):
        return wanted
    try:
        _, found, name = str(link.resolve()).partition("zoneinfo/")
    except (OSError, RuntimeError):
        return "UTC"
    return name if found and known(name) else "UTC"
