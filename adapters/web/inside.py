"""The endpoints of "behind the scenes": the bot's inner life, why-chains, stories."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from adapters.chat import Address
from adapters.web.bodies import read_body
from adapters.web.desk import Desk, day_of, language_of, limit_of
from adapters.web.errors import Denied, Missing
from adapters.web.rooms import BOT


class Inside:
    """Hands the bot's own views through, each with the right viewer."""

    def __init__(self, desk: Desk, platform: str, account: str) -> None:
        self._desk = desk
        self._views = desk.views
        self._platform = platform
        self._account = account

    def routes(self) -> list[Route]:
        """Everything that shows the bot's inside."""
        return [
            Route("/api/inside/run/{run}", self.run),
            Route("/api/inside/{tab}", self.tab),
            Route("/api/inbox", self.inbox),
            Route("/api/report", self.report),
            Route("/api/posts/{post}/why", self.why),
            Route("/api/stories", self.stories),
            Route("/api/stories/play", self.play, methods=["POST"]),
        ]

    async def tab(self, request: Request) -> Response:
        """One tab of the console as `{"rows": […]}`; `now` has one row."""
        viewer = await self._desk.viewer(request)
        before, limit = request.query_params.get("before"), limit_of(request)
        match request.path_params["tab"]:
            case "now":
                rows = [await self._views.now(viewer)]
            case "fires":
                rows = await self._views.fires(viewer, before, limit)
            case "runs":
                rows = await self._views.runs(viewer, before, limit)
            case "handoffs":
                rows = await self._views.handoffs(viewer, before, limit)
            case "letters":
                rows = await self._views.letters(viewer, before, limit)
            case "sessions":
                rows = await self._views.sessions(viewer)
            case "files":
                if viewer is not None:
                    raise Denied("attention files may hold private things; use the operator view")
                rows = await self._views.files()
            case "approvals":
                rows = await self._views.approvals(viewer, limit)
            case "inbox":
                rows = await self._views.inbox(viewer)
            case "report":
                rows = [await self._views.report(viewer, day_of(request), language_of(request))]
            case "budget":
                if viewer is not None:
                    raise Denied("what the bot costs is shown in the operator view only")
                rows = await self._views.budget()
            case other:
                raise Missing(f"there is no tab {other[:40]!r}")
        return JSONResponse({"rows": rows})

    async def run(self, request: Request) -> Response:
        """One run with its trace."""
        viewer = await self._desk.viewer(request)
        run = request.path_params["run"]
        row = await self._views.run(viewer, run)
        if row is None:
            raise Missing(f"there is no run {run[:40]!r}")
        return JSONResponse(row)

    async def inbox(self, request: Request) -> Response:
        """What waits for whoever asks, and for nobody else."""
        rows = await self._views.inbox(await self._desk.actor(request))
        return JSONResponse({"rows": rows})

    async def report(self, request: Request) -> Response:
        """The counts of a day in the rooms of whoever asks."""
        me = await self._desk.actor(request)
        row = await self._views.report(me, day_of(request), language_of(request))
        return JSONResponse({"rows": [row]})

    async def why(self, request: Request) -> Response:
        """How a message of the bot came about, for anybody who may read that message."""
        me = await self._desk.actor(request)
        post = await self._desk.store.post_for(me, request.path_params["post"])
        if post.author != BOT:
            raise Missing("only the bot's own messages have a why")
        everything = request.query_params.get("view") == "all"
        if everything:
            self._desk.operator(request)
        address = Address(
            platform=self._platform,
            account=self._account,
            chat=post.room,
            thread=post.thread,
            message=post.id,
        )
        return JSONResponse({"rows": await self._views.why(None if everything else me, address)})

    async def stories(self, request: Request) -> Response:
        """What can be played."""
        self._desk.operator(request)
        return JSONResponse({"rows": await self._views.stories()})

    async def play(self, request: Request) -> Response:
        """Begin a story."""
        self._desk.operator(request)
        story = (await read_body(request)).text("story")
        if story not in [row["id"] for row in await self._views.stories()]:
            raise Missing(f"there is no story {story[:40]!r}")
        return JSONResponse(await self._views.play(story))
