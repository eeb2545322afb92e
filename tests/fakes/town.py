"""A team in a database of its own: people, rooms and what they said, without a house around it."""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from adapters.chat import Address
from agency import handoffs, policy
from agency.audience import Settings as Privacy
from agency.gates import Rules
from agency.handoffs import Handoff, Proposal
from agency.hearing import Hearing
from agency.policy import Grade
from bot.app import PACKAGES
from bot.engine import inputs, runs, sessions
from bot.engine.controller import SessionController, Settings
from bot.speaking import Speaking
from memory import audiences, migrations, originals, people
from memory.audiences import Audience
from memory.db import Database, Reader, Tx
from memory.engine import Session
from memory.moments import to_us
from memory.people import Account
from memory.sqlite import SqliteSession

P = ParamSpec("P")
T = TypeVar("T")
MONDAY = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


class Town:
    """A database in memory, and short words for what tests do in it."""

    def __init__(self, session: Session | None = None) -> None:
        """Without a session with every table it is SQLite's, in memory."""
        self.now = MONDAY
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.session = session or SqliteSession(self.connection)
        self.tx = Tx(self.session)
        if session is None:
            migrations.migrate(self.tx, migrations.steps(PACKAGES), now_us=to_us(self.now))

    def clock(self) -> datetime:
        """The present moment; tests move `now`."""
        return self.now

    @property
    def us(self) -> int:
        """The present moment as stored."""
        return to_us(self.now)

    def person(self, name: str, *, is_bot: bool = False) -> int:
        """Somebody of the web chat."""
        account = Account(
            platform="web", tenant="main", native_id=name.lower(), name=name, is_bot=is_bot
        )
        return people.resolve(self.tx, account, now_us=self.us)

    def room(
        self,
        title: str,
        *members: int,
        open: bool = True,
        direct: bool = False,
        workspace: str = "main",
        complete: bool = True,
        outsiders: bool = False,
    ) -> int:
        """A room, or the same room as it is now."""
        address = Address(platform="web", account=workspace, chat=title)
        session = sessions.of_room(self.tx, address, now_us=self.us)
        audiences.record(
            self.tx,
            Audience(
                session_id=session.id,
                title=title,
                direct=direct,
                open=open,
                workspace=workspace,
                complete=complete,
                outsiders=outsiders,
                members=frozenset(members),
            ),
            now_us=self.us,
        )
        return session.id

    def dm(self, person: int) -> int:
        """Somebody's own chat with the bot."""
        return self.room(f"dm-{person}", person, open=False, direct=True)

    def say(
        self,
        session: int,
        person: int | None,
        text: str,
        *,
        version: int = 1,
        at: datetime | None = None,
    ) -> int:
        """Something said, now unless told; by the bot when there is no person."""
        count = originals.newest_id(self.tx) + 1
        known = people.find(self.tx, person) if person is not None else None
        kept = originals.keep(
            self.tx,
            originals.Saying(
                session_id=session,
                kind=originals.Kind.MESSAGE if known else originals.Kind.OUTPUT,
                author=known.name if known else "Limen",
                body=text,
                said_us=to_us(at) if at else self.us,
                address=f"web:main/s{session}#{count}",
                person_id=person,
                version=version,
            ),
            now_us=self.us,
        )
        assert kept is not None
        return kept

    def edit(self, original: int, text: str, *, version: int) -> None:
        """Its author changed it."""
        found = originals.find(self.tx, original)
        assert found is not None
        assert found.address is not None
        originals.revise(self.tx, found.address, text, version=version, now_us=self.us)

    def take_back(self, original: int) -> None:
        """Its author deleted it."""
        found = originals.find(self.tx, original)
        assert found is not None
        assert found.address is not None
        originals.recall(self.tx, found.address, now_us=self.us)

    def audience(self, session: int) -> Audience:
        """Who hears a session."""
        found = audiences.find(self.tx, session)
        assert found is not None
        return found

    def hears(self, session: int, settings: Privacy | None = None) -> Hearing:
        """What a session may hear."""
        return Hearing(self.tx, self.audience(session), settings or Privacy())

    def run(self, session: int, role: str = "conversation") -> int:
        """A run that is going on."""
        run = runs.queue(self.tx, session, role, priority=10, due_us=self.us, now_us=self.us)
        runs.claim(self.tx, owner="test", now_us=self.us, lease_us=10**9, priorities=range(100))
        return run

    def agency_run(self) -> int:
        """The agency's run, going on."""
        session = sessions.inner(self.tx, sessions.Kind.AGENCY, "agency", now_us=self.us)
        current = runs.open_of(self.tx, session.id)
        return current.id if current else self.run(session.id, "agency")

    def speaking(
        self,
        *,
        privacy: Privacy | None = None,
        speaking: policy.Settings | None = None,
    ) -> Speaking:
        """Carries handoffs through their states by the town's clock."""
        controller = SessionController(self.clock, lambda: None, settings=Settings())
        rules = Rules(privacy=privacy or Privacy(), speaking=speaking or policy.Settings())
        return Speaking(controller, self.clock, rules=rules)

    def proposal(
        self,
        target: int,
        text: str,
        sources: Sequence[int],
        *,
        subject: str = "a subject",
        state: str = "where it stands",
        grade: Grade = Grade.MAJOR,
        hours: float = 24,
        hop: int = 1,
        metadata: dict[str, Any] | None = None,
    ) -> Proposal:
        """What the agency would hand over."""
        return Proposal(
            agency_run_id=self.agency_run(),
            target_id=target,
            kind="context",
            subject=subject,
            subject_state=state,
            body=text,
            grade=grade,
            confidence=0.9,
            sources=tuple(sources),
            hop=hop,
            expires_us=to_us(self.now + timedelta(hours=hours)),
            metadata=metadata or {},
        )

    def state(self, handoff: Handoff) -> handoffs.State:
        """Where a handoff stands now."""
        return handoffs.get(self.tx, handoff.id).state

    def entered(self, session: int) -> list[inputs.Input]:
        """What waits in a session."""
        rows = self.tx.all("SELECT * FROM inputs WHERE session_id = :s ORDER BY id", s=session)
        return [inputs.Input.from_row(row) for row in rows]


class TownHall(Database):
    """The town's database as tools that look things up are handed it."""

    def __init__(self, town: Town) -> None:
        super().__init__(Path(":memory:"))
        self._town = town

    async def read(
        self, fn: Callable[Concatenate[Reader, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Look at once."""
        return fn(self._town.tx, *args, **kwargs)
