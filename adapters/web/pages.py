"""The two pages people open: the chat itself, and their way in."""

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from adapters.web.access import COOKIE_AGE_S, Visitor, cookie_name
from adapters.web.desk import Desk
from adapters.web.errors import Denied


class Pages:
    """HTML, and the links that let people in."""

    def __init__(self, desk: Desk, templates: Environment) -> None:
        self._desk = desk
        self._templates = templates

    def routes(self) -> list[Route]:
        """The pages."""
        return [Route("/", self.home), Route("/join/{signed}", self.join)]

    async def home(self, request: Request) -> Response:
        """The chat; `?token=` first becomes a cookie, so that it does not stay in the address."""
        token = request.query_params.get("token")
        if token is not None:
            if not self._desk.gate.is_token(token):
                raise Denied("this token is wrong; open the link that was printed at the start")
            return self._let_in(request, Visitor(person=None))
        self._desk.gate.visitor(request)
        page = self._templates.get_template("index.html")
        return HTMLResponse(page.render(bot_name=self._desk.settings.bot_name))

    async def join(self, request: Request) -> Response:
        """A personal link."""
        person = self._desk.gate.person_of_link(request.path_params["signed"])
        await self._desk.store.person(person)
        return self._let_in(request, Visitor(person=person))

    def _let_in(self, request: Request, visitor: Visitor) -> Response:
        # Coming from another site's page, a redirect would still count as that site's doing and
        # the strict cookie would be held back; a page of ours that moves on does not.
        foreign = request.headers.get("sec-fetch-site", "none") in ("cross-site", "same-site")
        response: Response = RedirectResponse("/", status_code=303)
        if foreign:
            response = HTMLResponse(self._templates.get_template("enter.html").render())
        response.set_cookie(
            cookie_name(request),
            self._desk.gate.cookie_for(visitor),
            max_age=COOKIE_AGE_S,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response
