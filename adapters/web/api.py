"""The endpoints of the chat itself: rooms, people, posts."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from adapters.web.bodies import TEXT_LIMIT, read_body
from adapters.web.desk import Desk, limit_of
from adapters.web.errors import Conflict, Invalid
from adapters.web.rooms import Access, Post, Room

EMOJI_LIMIT = 16  # signs; a family with skin tones is one emoji of eleven


class Api:
    """JSON in, JSON out; every answer is as the acting person may see it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._store = desk.store
        self._shown = desk.shown

    def routes(self) -> list[Route]:
        """Everything under `/api/` but the console and the event stream."""
        return [
            Route("/api/state", self.state),
            Route("/api/people", self.add_person, methods=["POST"]),
            Route("/api/people/{person}/link", self.link),
            Route("/api/rooms", self.create_room, methods=["POST"]),
            Route("/api/rooms/{room}/join", self.join, methods=["POST"]),
            Route("/api/rooms/{room}/leave", self.leave, methods=["POST"]),
            Route("/api/rooms/{room}/members", self.invite, methods=["POST"]),
            Route("/api/rooms/{room}/read", self.mark_read, methods=["POST"]),
            Route("/api/rooms/{room}/posts", self.posts),
            Route("/api/rooms/{room}/posts", self.say, methods=["POST"]),
            Route("/api/posts/{post}", self.edit, methods=["PATCH"]),
            Route("/api/posts/{post}", self.delete, methods=["DELETE"]),
            Route("/api/posts/{post}/reactions", self.react, methods=["POST"]),
            Route("/api/posts/{post}/press", self.press, methods=["POST"]),
        ]

    async def state(self, request: Request) -> Response:
        """Who I am, who is here, my rooms, and where the event stream goes on."""
        visitor = self._desk.gate.visitor(request)
        people = await self._store.people()
        wanted = visitor.person or request.query_params.get("as")
        me = next((person for person in people if person.id == wanted), None)
        if visitor.operator and me is None and people:
            me = people[0]
        # The place in the log is read first: what happens meanwhile comes twice, never not at all.
        seq = await self._store.last_event()
        rooms = await self._store.rooms(me.id) if me else []
        return JSONResponse(
            {
                "bot": self._shown.person(self._shown.bot),
                "operator": visitor.operator,
                "me": self._shown.person(me) if me else None,
                "people": [self._shown.person(person) for person in people],
                "rooms": [self._shown.listed(listed) for listed in rooms],
                "seq": seq,
                "stories": visitor.operator and bool(await self._desk.views.stories()),
            }
        )

    async def add_person(self, request: Request) -> Response:
        """The operator adds somebody to the team."""
        self._desk.operator(request)
        body = await read_body(request)
        name = body.text("name")
        if name.strip().casefold() == self._desk.settings.bot_name.casefold():
            raise Conflict(f"the bot is called {name.strip()!r}; choose another name")
        person = await self._store.add_person(name, body.text("about", default=""))
        return JSONResponse(self._shown.person(person), status_code=201)

    async def link(self, request: Request) -> Response:
        """A personal link, to hand to that person."""
        self._desk.operator(request)
        person = await self._store.person(request.path_params["person"])
        path = f"/join/{self._desk.gate.link_for(person.id)}"
        return JSONResponse({"link": f"{request.url.scheme}://{request.url.netloc}{path}"})

    async def create_room(self, request: Request) -> Response:
        """Somebody makes a room."""
        me = await self._desk.actor(request)
        body = await read_body(request)
        access = body.text("access")
        if access not in (Access.OPEN, Access.PRIVATE):
            raise Invalid(f"access must be 'open' or 'private', got {access!r}")
        room = await self._store.create_room(
            me, body.text("title"), Access(access), body.texts("members")
        )
        return self._room(room, 201)

    async def join(self, request: Request) -> Response:
        """Somebody walks into an open room."""
        me = await self._desk.actor(request)
        return self._room(await self._store.join(me, request.path_params["room"]))

    async def leave(self, request: Request) -> Response:
        """Somebody walks out."""
        me = await self._desk.actor(request)
        await self._store.leave(me, request.path_params["room"])
        return JSONResponse({})

    async def invite(self, request: Request) -> Response:
        """A member brings somebody in."""
        me = await self._desk.actor(request)
        guest = (await read_body(request)).text("person")
        return self._room(await self._store.invite(me, request.path_params["room"], guest))

    async def mark_read(self, request: Request) -> Response:
        """Everything in the room was seen."""
        me = await self._desk.actor(request)
        await self._store.mark_read(me, request.path_params["room"])
        return JSONResponse({})

    async def posts(self, request: Request) -> Response:
        """A page of a room or of one thread, oldest first."""
        me = await self._desk.actor(request)
        room = await self._store.room_for(me, request.path_params["room"])
        limit = limit_of(request)
        query = request.query_params
        posts = await self._store.posts(
            room.id, thread=query.get("thread"), before=query.get("before"), limit=limit
        )
        people = await self._store.people()
        own = [post for post in posts if post.id != query.get("thread")]
        return JSONResponse(
            {"posts": [self._shown.post(p, people) for p in posts], "more": len(own) == limit}
        )

    async def say(self, request: Request) -> Response:
        """A member posts."""
        me = await self._desk.actor(request)
        body = await read_body(request)
        post = await self._store.say(
            me,
            request.path_params["room"],
            _message(body.text("text", limit=TEXT_LIMIT)),
            thread=body.optional("thread"),
            reply_to=body.optional("reply_to"),
            key=body.optional("key"),
        )
        return await self._post(post, 201)

    async def edit(self, request: Request) -> Response:
        """The author changes a post."""
        me = await self._desk.actor(request)
        text = _message((await read_body(request)).text("text", limit=TEXT_LIMIT))
        return await self._post(await self._store.edit(me, request.path_params["post"], text))

    async def delete(self, request: Request) -> Response:
        """The author takes a post back."""
        me = await self._desk.actor(request)
        return await self._post(await self._store.delete(me, request.path_params["post"]))

    async def react(self, request: Request) -> Response:
        """A member reacts, or takes it back."""
        me = await self._desk.actor(request)
        body = await read_body(request)
        emoji = body.text("emoji", limit=EMOJI_LIMIT).strip()
        if not emoji or " " in emoji:
            raise Invalid("'emoji' must be one emoji")
        post = await self._store.react(me, request.path_params["post"], emoji, body.flag("on"))
        return await self._post(post)

    async def press(self, request: Request) -> Response:
        """A member presses a button."""
        me = await self._desk.actor(request)
        value = (await read_body(request)).text("value", limit=2_000)
        return await self._post(await self._store.press(me, request.path_params["post"], value))

    def _room(self, room: Room, status: int = 200) -> Response:
        return JSONResponse(self._shown.room(room), status_code=status)

    async def _post(self, post: Post, status: int = 200) -> Response:
        people = await self._store.people()
        return JSONResponse(self._shown.post(post, people), status_code=status)


def _message(text: str) -> str:
    if not text.strip():
        raise Invalid("the message is empty")
    return text.strip("\n")
