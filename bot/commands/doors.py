"""Orders about who is who and who may come in: link, pair, allow, deny."""

from bot import access, codes, joining
from bot.access import Right
from bot.codes import Choose
from bot.commands.asked import Asked
from bot.commands.post import Post
from bot.commands.wording import text
from bot.engine import sessions
from bot.texts import Language
from memory import audiences, links, people
from memory.db import Reader, Tx
from memory.moments import to_us


class Doors:
    """Lets people in, keeps them out, and joins the accounts of one person."""

    def __init__(self, choose: Choose, post: Post, *, settings: access.Settings) -> None:
        self._choose = choose
        self._post = post
        self._settings = settings

    def link(self, tx: Tx, asked: Asked) -> str:
        """A code for the other account, or the code typed there."""
        if not asked.direct:
            return asked.text("in private")
        now_us = to_us(asked.now)
        if not asked.command.argument:
            code = codes.make(self._choose)
            links.offer(tx, asked.person, code, now_us=now_us)
            return asked.text("link offered", code=code)
        if links.tried_out(tx, asked.person, now_us=now_us):
            return asked.text("too many tries")
        code = codes.read(asked.command.argument) or ""
        other = links.redeem(tx, asked.person, code, now_us=now_us)
        if other is None:
            return asked.text("bad code")
        if other == asked.person:
            return asked.text("linked already")
        joining.join(tx, asked.person, other, reason="link code", now_us=now_us)
        named = _accounts(tx, other)
        self._tell_all(tx, asked, other, named)
        return asked.text("linked", accounts=named)

    def _tell_all(self, tx: Tx, asked: Asked, person: int, accounts: str) -> None:
        """In every other DM of the person, so that nobody is linked without noticing."""
        for session in sorted(audiences.heard_by(tx, person) - {asked.session.id}):
            room, found = audiences.find(tx, session), sessions.find(tx, session)
            if room is not None and room.direct and found is not None:
                said = asked.text("linked elsewhere", accounts=accounts)
                self._post.send(tx, found, f"linked:{asked.original}:{session}", said)

    def pair(self, tx: Tx, asked: Asked) -> str:
        """Let in who was given a code."""
        if (no := _not_an_admin(asked)) is not None:
            return no
        code = codes.read(asked.command.argument)
        newcomer = access.pair(tx, code, by=asked.person, now=asked.now) if code else None
        if newcomer is None:
            return asked.text("no pairing")
        welcome(tx, self._post, newcomer, asked.lang, now_us=to_us(asked.now))
        return asked.text("paired", name=newcomer.name, account=newcomer.account)

    def allow(self, tx: Tx, asked: Asked) -> str:
        """Let an account in."""
        return self._grant(tx, asked, allowed=True)

    def deny(self, tx: Tx, asked: Asked) -> str:
        """Keep an account out."""
        return self._grant(tx, asked, allowed=False)

    def _grant(self, tx: Tx, asked: Asked, *, allowed: bool) -> str:
        if (no := _not_an_admin(asked)) is not None:
            return no
        account = asked.command.argument
        platform, _, native_id = account.partition(":")
        platforms = self._settings.platforms
        # An unseen sign that was copied along would make another account of it.
        written = native_id.isascii() and native_id.isprintable() and " " not in native_id
        if platform not in platforms or not native_id or not written:
            return asked.text("say account", platforms=", ".join(platforms))
        if account in self._settings.admins:
            return asked.text("is admin", account=account)
        access.grant(tx, account, allowed=allowed, by=asked.person, now=asked.now)
        done = asked.text("allowed" if allowed else "denied", account=account)
        met = people.of_native(tx, platform, native_id)
        return done if met else f"{done} {asked.text('never met')}"


def welcome(tx: Tx, post: Post, newcomer: access.Newcomer, lang: Language, *, now_us: int) -> None:
    """Tell somebody who was let in."""
    session = sessions.find(tx, newcomer.session_id)
    if session is not None:
        post.send(tx, session, f"welcome:{session.id}:{now_us}", text("welcome", lang))


def _not_an_admin(asked: Asked) -> str | None:
    if asked.right is not Right.ADMIN:
        return asked.text("admins only")
    return None if asked.direct else asked.text("admins private")


def _accounts(reader: Reader, person: int) -> str:
    return ", ".join(f"{one.name} ({one.platform})" for one in people.accounts(reader, person))
