"""What can go wrong in the web chat, each with the HTTP status it is told with.

WebError
├── Invalid       400  the request makes no sense; the text says what to change
├── Denied        403  this visitor may not do that
├── Missing       404  there is no such room, person or message, or not for this visitor
├── Conflict      409  somebody was faster
├── TooLarge      413  more than the chat takes
├── WrongType     415  not the kind of body that was asked for
├── WrongHost     421  called by a name that is not ours
└── Unavailable   503  the store could not be used just now
"""


class WebError(Exception):
    """The web chat did not do what was asked."""

    status = 500


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


class TooLarge(WebError):
    """More than the chat takes."""

    status = 413


class WrongType(WebError):
    """Not the kind of body that was asked for."""

    status = 415


class WrongHost(WebError):
    """Called by a name that is not ours."""

    status = 421


class Unavailable(WebError):
    """The store could not be used just now; trying again may help."""

    status = 503
