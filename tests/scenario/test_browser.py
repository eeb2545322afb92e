"""The release path in a real browser: typed as several people, consent by a click, and why."""

import asyncio
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    Route,
    async_playwright,
    expect,
)

from adapters.web.settings import Bounds

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), None
)
pytestmark = pytest.mark.skipif(
    CHROMIUM is None,
    reason="NO BROWSER TEST WAS RUN: there is no chromium here; install Debian's chromium package",
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"width": 1360, "height": 860}
PHONE = {"width": 390, "height": 844}
PATIENCE_MS = 20_000  # a busy machine is slow; every wait ends as soon as its condition holds
SHOTS = os.environ.get("SHOTS")
"""A folder for pictures of what was seen; nothing is kept without it."""

SETTINGS = {
    "LIMEN_WEB__PORT": "0",
    "LIMEN_BOT__TIMEZONE": "UTC",
    "LIMEN_BOT__DEBOUNCE": "100ms",
    "LIMEN_MODEL__PROVIDER": "builtin",
    "LIMEN_AGENCY__QUIET_WINDOW": "1s",
    "LIMEN_AGENCY__EARLY_WAKE": "200ms",
}
STORY = (
    ("Wei", "meeting-notes", "Release meeting: Kai owns the move to canary-release, date Friday."),
    ("Lin", "architecture", "The release path moves from legacy-release to canary-release."),
    ("Kai", "release", "Does canary-release have permission to read production data?"),
    ("Mo", "", "I will finish the migration script for canary-release by Friday."),
    ("Bo", "project", "Plan: we rehearse the rollout with legacy-release on Wednesday."),
)
PROMISE = "I will finish the migration script"


@dataclass(frozen=True, slots=True)
class House:
    """A running Limen and a browser."""

    address: str
    """With the operator's token."""
    browser: Browser

    @property
    def origin(self) -> str:
        """The address alone."""
        return self.address.split("/?")[0]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """`limen run` in a process of its own, and Chromium."""
    env = {**os.environ, **SETTINGS, "LIMEN_BOT__DATA_DIR": str(tmp_path / "home")}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", env=env, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(30):
            while True:
                line = (await process.stdout.readline()).decode()
                assert line, "limen run ended before it printed its address"
                if match := re.match(r"Open (\S+)", line):
                    break
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            yield House(match[1], browser)
            await browser.close()
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def opened(
    house: House, address: str, *, phone: bool = False
) -> AsyncIterator[tuple[Page, BrowserContext]]:
    """A page in a context of its own, as on another device; errors on it fail the test."""
    context = await house.browser.new_context(
        viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
        has_touch=phone,
        locale="en-GB",
        timezone_id="UTC",
    )
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    await page.goto(address)
    await expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=PATIENCE_MS)
    yield page, context
    assert not broken, broken
    await context.close()


async def speak_as(page: Page, name: str) -> None:
    """The operator becomes somebody."""
    await page.get_by_role("button", name="Speak as").click()
    await page.get_by_role("menuitemradio", name=name).click()
    await expect(page.get_by_role("button", name=f"Speak as: {name}")).to_be_visible()


async def enter(page: Page, room: str) -> None:
    """Open a room by its title; the DM with the bot when it is empty."""
    kind = "Direct conversation" if not room else "(Open|Private) room"
    name = re.compile(rf"^{room or 'Limen'}, {kind}")
    await page.get_by_role("navigation").get_by_role("button", name=name).click()


def composer(page: Page) -> Locator:
    return page.get_by_role("textbox", name=re.compile("^Message "))


async def say(page: Page, text: str) -> None:
    """Type a message and send it with Enter."""
    await composer(page).fill(text)
    await composer(page).press("Enter")
    await expect(page.get_by_role("log").get_by_text(text).first).to_be_visible()


async def said_by_bot(page: Page, words: str) -> Locator:
    """The bot's message with these words, once it is there."""
    post = (
        page.get_by_role("log")
        .get_by_role("article", name=re.compile("^Limen"))
        .filter(has_text=words)
    )
    await expect(post.last).to_be_visible(timeout=PATIENCE_MS)
    return post.last


async def shoot(page: Page, name: str) -> None:
    if SHOTS:
        await page.screenshot(path=Path(SHOTS) / f"{name}.png")


async def play(page: Page) -> None:
    """Type the story, then say yes to the question it brings."""
    for who, room, text in STORY:
        await speak_as(page, who)
        await enter(page, room)
        await say(page, text)
    nudge = await said_by_bot(page, "canary-release")
    await expect(nudge).not_to_contain_text("migration script")
    await shoot(page, "project-desktop")
    await speak_as(page, "Mo")
    await enter(page, "")
    question = await said_by_bot(page, "#project")
    await shoot(page, "consent-desktop")
    await question.get_by_role("button", name="Yes, this once").click()
    await expect(page.get_by_text("Mo chose")).to_be_visible()
    await speak_as(page, "Bo")
    await enter(page, "project")
    await said_by_bot(page, "migration script")


async def test_the_release_path_in_a_browser(house: House) -> None:
    async with opened(house, house.address) as (page, _):
        await play(page)
        told = await said_by_bot(page, "migration script")
        await read_why(page, told)
        await look_behind_the_scenes(page)
        await open_a_menu_while_a_message_is_on_its_way(page)
        link = await page.evaluate(
            "fetch('/api/people/bo/link').then((answer) => answer.json()).then((row) => row.link)"
        )
    async with opened(house, link) as (page, context):
        await see_only_what_is_theirs(page, context, house)
    async with opened(house, link, phone=True) as (page, _):
        await use_a_phone(page)
    if SHOTS:
        await take_pictures(house)


async def read_why(page: Page, told: Locator) -> None:
    """Bo is no party to Mo's DM: the chain tells of it, and keeps its words."""
    await told.get_by_role("button", name="Why?").click()
    panel = page.get_by_role("complementary")
    await expect(panel.get_by_role("heading", name="Why did you tell us this?")).to_be_visible()
    await expect(panel.get_by_role("listitem").filter(has_text="Delivered").first).to_be_visible()
    await expect(panel).to_contain_text("agreed that #project may be told")
    await expect(panel).not_to_contain_text(PROMISE)
    await shoot(page, "why-desktop")
    await panel.get_by_role("button", name="Close").click()


async def look_behind_the_scenes(page: Page) -> None:
    """As Bo first, then with the operator's eyes."""
    await page.get_by_role("button", name="Behind the scenes").click()
    panel = page.get_by_role("complementary")
    for tab in ("Now", "Fires", "Agency runs", "Handoffs", "Outbox", "Sessions", "Inbox", "Report"):
        await panel.get_by_role("tab", name=tab).click()
        await expect(panel.get_by_role("tabpanel")).not_to_be_empty()
        await expect(panel).not_to_contain_text(PROMISE)
        await shoot(page, f"as-bo-{tab.lower().replace(' ', '-')}")
    await panel.get_by_role("button", name="Operator view").click()
    await panel.get_by_role("tab", name="Fires").click()
    await expect(panel).to_contain_text(PROMISE)
    await panel.get_by_role("button", name="As Bo").click()
    await expect(panel).not_to_contain_text(PROMISE)
    await panel.get_by_role("button", name="Close").click()


async def open_a_menu_while_a_message_is_on_its_way(page: Page) -> None:
    """An answer that comes late closes nothing that was opened meanwhile."""
    let_go = asyncio.Event()

    async def late(route: Route) -> None:
        if route.request.method != "POST":
            await route.continue_()
            return
        answer = await route.fetch()
        await let_go.wait()
        await route.fulfill(response=answer)

    await page.route("**/posts?*", late)
    await say(page, "Fine with me.")
    await page.get_by_role("button", name="Speak as").click()
    let_go.set()
    await expect(composer(page)).to_have_value("")
    await expect(page.get_by_role("menuitemradio", name="Mo")).to_be_visible()
    await page.keyboard.press("Escape")
    await page.unroute("**/posts?*")


async def see_only_what_is_theirs(page: Page, context: BrowserContext, house: House) -> None:
    """A person with a link of their own: no console, no switch, no room of others."""
    rooms = page.get_by_role("navigation")
    await expect(rooms.get_by_role("button", name=re.compile("^project, Open"))).to_be_visible()
    await expect(rooms.get_by_role("button", name=re.compile("hiring"))).to_have_count(0)
    await expect(page.get_by_role("button", name="Behind the scenes")).to_have_count(0)
    await expect(page.get_by_role("button", name="Speak as")).to_have_count(0)
    for room in ("hiring", "dm-mo"):
        answer = await context.request.get(f"{house.origin}/api/rooms/{room}/posts")
        assert answer.status == 404, room
    await look_into_the_inbox(page)
    for path in (
        "inside/fires",
        "inside/inbox",
        "inside/handoffs?view=all",
        "stories",
        "people/mo/link",
    ):
        answer = await context.request.get(f"{house.origin}/api/{path}")
        assert answer.status == 403, path
    assert (await context.request.get(f"{house.origin}/api/state?as=mo")).status in (200, 403)
    state = await (await context.request.get(f"{house.origin}/api/state?as=mo")).text()
    assert '"dm-mo"' not in state and "hiring" not in state


async def look_into_the_inbox(page: Page) -> None:
    """What the person was told lately, and what the day came to in their rooms."""
    await page.get_by_role("button", name="Inbox").click()
    panel = page.get_by_role("complementary")
    await expect(panel.get_by_role("heading", name="Told lately")).to_be_visible()
    await expect(panel).to_contain_text("canary-release")
    await expect(panel).to_contain_text("looked at: ")
    await expect(panel).not_to_contain_text(PROMISE)
    await expect(panel).not_to_contain_text("tokens")
    await shoot(page, "inbox-desktop")
    await panel.get_by_role("button", name="Close").click()


async def use_a_phone(page: Page) -> None:
    """Find a room in the menu, read it and write in it."""
    await page.get_by_role("button", name="Rooms and people").click()
    await enter(page, "project")
    await expect(page.get_by_role("heading", level=1, name="project")).to_be_visible()
    await said_by_bot(page, "canary-release")
    await composer(page).fill("Thanks, we move to canary-release.")
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_text("Thanks, we move to canary-release.")).to_be_visible()
    width = await page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], "nothing sticks out to the side"
    await shoot(page, "project-phone")


async def test_what_is_too_much_at_one_time_goes_out_by_itself_and_once(house: House) -> None:
    words = "The rehearsal is on Thursday."
    async with opened(house, house.address) as (page, _):
        await speak_as(page, "Bo")
        await enter(page, "project")
        taken = page.expect_response(lambda answer: answer.status == 201)
        async with taken, all_places_taken(house, "bo"):
            await composer(page).fill(words)
            await composer(page).press("Enter")
            await expect(page.get_by_text("This goes out by itself in a moment")).to_be_visible()
            await expect(composer(page)).to_have_value(words)
            await composer(page).press("Enter")  # who is impatient sends it no second time
            await enter(page, "")
            await expect(composer(page)).to_have_value("")
            await enter(page, "project")
            await expect(composer(page)).to_have_value(words)
            await enter(page, "")
        await enter(page, "project")
        await expect(composer(page)).to_have_value("")
        await expect(page.get_by_role("log").get_by_text(words)).to_have_count(1)
        await page.reload()
        await expect(page.get_by_role("log").get_by_text(words)).to_have_count(1)
        await expect(composer(page)).to_have_value("")


async def test_words_whose_answer_was_lost_are_posted_once(house: House) -> None:
    words = "The rehearsal is at noon."
    async with opened(house, house.address) as (page, _):
        await speak_as(page, "Bo")
        await enter(page, "project")
        await lose_answer(page, words)
        await composer(page).press("Enter")
        await expect(composer(page)).to_have_value("")
        await page.reload()
        await expect(page.get_by_role("log").get_by_text(words)).to_have_count(1)


async def test_the_same_words_written_again_are_a_post_of_their_own(house: House) -> None:
    async with opened(house, house.address) as (page, _):
        await speak_as(page, "Bo")
        await enter(page, "project")
        await lose_answer(page, "Agreed.")
        await composer(page).fill("")  # it is there, so it is not sent again
        await composer(page).fill("Agreed.")
        await composer(page).press("Enter")
        await expect(composer(page)).to_have_value("")
        await expect(page.get_by_role("log").get_by_text("Agreed.")).to_have_count(2)


async def lose_answer(page: Page, words: str) -> None:
    """Send words that are posted, and whose answer never comes."""

    async def lost(route: Route) -> None:
        if route.request.method == "POST":
            assert (await route.fetch()).status == 201
            await route.abort()
        else:
            await route.continue_()

    await page.route("**/posts?*", lost)
    await composer(page).fill(words)
    await composer(page).press("Enter")
    await expect(page.get_by_text("The server cannot be reached")).to_be_visible()
    await expect(composer(page)).to_have_value(words)
    await page.unroute("**/posts?*")


@asynccontextmanager
async def all_places_taken(house: House, who: str) -> AsyncIterator[None]:
    """As many changes of somebody's on their way as may be: bodies that do not end."""
    there, token = urlsplit(house.origin), house.address.split("token=")[1]
    head = (
        f"POST /api/rooms/project/posts?as={who} HTTP/1.1\r\nhost: {there.netloc}\r\n"
        f"authorization: Bearer {token}\r\ncontent-type: application/json\r\n"
        "content-length: 100\r\nexpect: 100-continue\r\n\r\n"
    )
    writers = []
    for _ in range(Bounds().share):
        reader, writer = await asyncio.open_connection(there.hostname, there.port)
        writers.append(writer)
        writer.write(head.encode())
        assert b" 100 " in await reader.readline()
    yield
    for writer in writers:
        writer.close()
        await writer.wait_closed()


async def take_pictures(house: House) -> None:
    """The console with real rows, for eyes and not for asserts."""
    for phone in (False, True):
        kind = "phone" if phone else "desktop"
        async with opened(house, house.address, phone=phone) as (page, _):
            await page.get_by_role("button", name="Behind the scenes").click()
            panel = page.get_by_role("complementary")
            await panel.get_by_role("button", name="Operator view").click()
            for tab in ("Now", "Fires", "Agency runs", "Handoffs", "Outbox", "Attention files"):
                await panel.get_by_role("tab", name=tab).click()
                await page.wait_for_load_state("networkidle")
                await shoot(page, f"{tab.lower().replace(' ', '-')}-{kind}")
            await panel.get_by_role("tab", name="Agency runs").click()
            await panel.get_by_role("button", name="Show the whole run").nth(1).click()
            await page.wait_for_load_state("networkidle")
            await shoot(page, f"trace-{kind}")
