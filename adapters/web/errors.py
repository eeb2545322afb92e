"""What can go wrong in the web chat, each with the HTTP status it is told with.

WebError
├── Invalid       400  the request makes no sense; the text says what to change
├── Denied        403  this visitor may not do that
├── Missing       404  there is no such room, person or message, or not for this visitor
├── TooSlow       408  what was announced did not come
├── Conflict      409  somebody was faster
├── TooLarge      413  more than the chat takes
├── WrongType     415  not the kind of body that was asked for
├── WrongHost     421  called by a name that is not ours
├── Busy          429  too much at one time; nothing was stored, and it may be sent again
└── Unavailable   503  the store could not be used just now
"""

from collections.abc import Mapping


class WebError(Exception):
    """The web chat did not do what was asked."""

    status = 500
    headers: Mapping[str, str] = {}
    chinese = ""
    """The same words for who reads Chinese, where they are told in both languages."""


class Invalid(WebError):
    """The request makes no sense; the text says what to change."""

    status = 400


class Denied(WebError):
    """This visitor may not do that."""

    status = 403


class Missing(WebError):
    """There is no such thing, or not for this visitor."""

    status = 404


class Conflict(WebError):
    """Somebody was faster."""

    status = 409


class TooSlow(WebError):
    """What was announced did not come."""

    status = 408
    headers: Mapping[str, str] = {"Connection": "close"}
    chinese = "请求没有在规定时间内发完，没有保存；请检查网络，再发一次"

    def __init__(self) -> None:
        super().__init__(
            "the request did not arrive in time and was not stored; check the connection, and "
            "send it again"
        )


class TooLarge(WebError):
    """More than the chat takes."""

    status = 413


class WrongType(WebError):
    """Not the kind of body that was asked for."""

    status = 415


class WrongHost(WebError):
    """Called by a name that is not ours."""

    status = 421


class Busy(WebError):
    """Too much at one time; nothing was stored."""

    status = 429
    headers: Mapping[str, str] = {"Retry-After": "1"}
    chinese = "一时发来的太多，这一条没有保存；请等一秒再发一次，一条一条地发"

    def __init__(self) -> None:
        super().__init__(
            "too much is being sent at one time, and this was not stored; send it again in a "
            "second, one after the other"
        )


class Unavailable(WebError):
    """The store could not be used just now; trying again may help."""

    status = 503
