"""The people and rooms a first start finds, so that there is somebody to speak as."""

from adapters.web.rooms import Access, PersonSeed, RoomSeed

PEOPLE = (
    PersonSeed(id="lin", name="Lin"),
    PersonSeed(id="wei", name="Wei"),
    PersonSeed(id="mo", name="Mo"),
    PersonSeed(id="ana", name="Ana"),
    PersonSeed(id="bo", name="Bo"),
    PersonSeed(id="kai", name="Kai"),
)

ROOMS = (
    RoomSeed(
        id="general", title="general", access=Access.OPEN, members=tuple(p.id for p in PEOPLE)
    ),
    RoomSeed(
        id="architecture", title="architecture", access=Access.OPEN, members=("lin", "wei", "mo")
    ),
    RoomSeed(id="project", title="project", access=Access.OPEN, members=("wei", "ana", "bo")),
    RoomSeed(id="release", title="release", access=Access.OPEN, members=("kai", "ana")),
    RoomSeed(
        id="meeting-notes", title="meeting-notes", access=Access.OPEN, members=("wei", "kai", "lin")
    ),
    RoomSeed(id="hiring", title="hiring", access=Access.PRIVATE, members=("lin", "kai")),
)
