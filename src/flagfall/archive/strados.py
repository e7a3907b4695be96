"""Gravon's game files in XML, "StraDoS2": read and written, one game a file (R14.2)."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.saxutils import escape, quoteattr
from xml.sax.xmlreader import AttributesImpl

from defusedxml.common import DefusedXmlException
from defusedxml.sax import make_parser

from flagfall.archive import gravon, letters
from flagfall.archive.border import GAME_CAP, PLIES_CAP, shown
from flagfall.archive.found import Army, Claim, Deviation, Format, Found, Kind, Place, Refused
from flagfall.errors import NotAllowed
from flagfall.rules.board import Move, origin, target

_NAME_CAP = 200
_DEPTH_CAP = 20
_ELEMENTS = frozenset({"stratego", "game", "field", "move", "player", "result"})


class _Handler(ContentHandler):
    """Takes the game out of the events of a parser, each with its place. Raises Unreadable."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
        self.notes: list[Deviation] = []
        self.kind: str | None = None
        self.armies: tuple[Army | None, Army | None] = (None, None)
        self.moves: list[Move] = []
        self.players: list[str] = []
        self.claim: Claim | None = None
        self._depth = 0
        self._name: list[str] | None = None

    def here(self) -> Place:
        """Where the parser stands."""
        locator = self._locator  # type: ignore[attr-defined]
        return self.place.at(locator.getLineNumber() or 1, (locator.getColumnNumber() or 0) + 1)

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        """Take in what an element says by its attributes."""
        self._depth += 1
        if self._depth > _DEPTH_CAP:
            raise self.here().error("elements are nested too deep for a game", "bad_structure")
        if self._depth == 1 and name not in ("stratego", "game"):
            raise self.here().error("this XML is no game of Gravon's", "bad_structure")
        if name == "game":
            self._game(attrs)
        elif name in _ELEMENTS and self.kind is None and name != "stratego":
            raise self.here().error(f"<{name}> stands outside a <game>", "bad_structure")
        elif name == "field":
            self._field(attrs)
        elif name == "move":
            self._move(attrs)
        elif name == "player":
            self._name = []
        elif name == "result":
            self._result(attrs)

    def characters(self, content: str) -> None:
        """Collect a player's name."""
        if self._name is not None and sum(map(len, self._name)) < _NAME_CAP:
            self._name.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802
        """Keep a name that is complete."""
        self._depth -= 1
        if name == "player" and self._name is not None:
            if len(self.players) == 2:
                raise self.here().error("a game has two players", "bad_structure")
            self.players.append(shown("".join(self._name).strip(), _NAME_CAP))
            self._name = None

    def _game(self, attrs: AttributesImpl) -> None:
        if self.kind is not None:
            raise self.here().error("a file holds one <game>", "bad_structure")
        word = attrs.get("type", "")
        if word not in gravon.TYPES:
            raise self.here().error("a <game> has one of the five types", "unknown_type")
        self.kind = gravon.TYPES[word]

    def _field(self, attrs: AttributesImpl) -> None:
        if self.armies != (None, None) or self.moves:
            raise self.here().error("a game has one <field>, before its moves", "bad_structure")
        text = attrs.get("content", "")
        if text:
            # A parser knows where the element begins, not where in it the attribute stands.
            self.armies = letters.field(text, self.here()).armies

    def _move(self, attrs: AttributesImpl) -> None:
        here = self.here()
        if len(self.moves) == PLIES_CAP:
            raise here.error(f"a game has at most {PLIES_CAP} plies", "too_many_plies")
        number = attrs.get("id", "")
        if number != str(len(self.moves) + 1) and not any(note.code == "move_ids" for note in self.notes):
            self.notes.append(Deviation("move_ids", "R14.2", "the moves are not numbered 1, 2, 3 …", here))
        self.moves.append(gravon.read_move(attrs.get("source", ""), attrs.get("target", ""), here, self.notes))

    def _result(self, attrs: AttributesImpl) -> None:
        here = self.here()
        if self.claim is not None:
            raise here.error("a game has one <result>", "bad_structure")
        numbers = attrs.get("type", ""), attrs.get("winner", "")
        if not all(number.isascii() and number.isdigit() and len(number) <= 2 for number in numbers):
            raise here.error("a <result> has a type and a winner in digits", "bad_result")
        self.claim = gravon.read_claim(int(numbers[0]), int(numbers[1]) - 1, here, self.notes)


def read(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """The one game of a file.

    Raises Unreadable: `too_large`, `forbidden_xml` for entities and what they reach, `bad_xml`, `bad_structure`,
    `unknown_type`, `bad_square`, `bad_result`, `too_many_plies`, and what `letters.field` raises.
    """
    if len(data) > GAME_CAP:
        raise place.error(f"a file of one game has at most {GAME_CAP} bytes", "too_large")
    handler = _Handler(place)
    parser = make_parser()
    parser.setContentHandler(handler)
    try:
        parser.parse(io.BytesIO(data))
    except DefusedXmlException:
        raise handler.here().error("entities are not expanded here", "forbidden_xml") from None
    except SAXParseException as error:
        where = place.at(error.getLineNumber() or 1, (error.getColumnNumber() or 0) + 1)
        raise where.error(f"this is no well-formed XML: {shown(error.getMessage())}", "bad_xml") from None
    except (SAXException, ValueError, LookupError):
        raise place.at(1, 1).error("this is no XML in an encoding that is known", "bad_xml") from None
    yield _found(handler, place)


def _found(handler: _Handler, place: Place) -> Found:
    """The game that a handler took out of a whole document."""
    if handler.kind is None or handler.claim is None or len(handler.players) != 2:
        raise place.error("a game has a type, two players and a result", "bad_structure")
    if None in handler.armies:
        handler.notes.append(
            Deviation("no_field", "R14.2", "this game cannot be replayed: its field is missing", place)
        )
    date = gravon.date_of(place.file, handler.notes)
    return Found(
        kind=Kind.GAME,
        format=STRADOS.name,
        place=place,
        variant=handler.kind,
        law=gravon.LAW,
        armies=handler.armies,
        moves=tuple(handler.moves),
        players=(handler.players[0], handler.players[1]),
        claim=handler.claim,
        date=date,
        deviations=tuple(handler.notes),
    )


def write(games: Sequence[Found]) -> bytes:
    """The file of one game. Raises NotAllowed `not_in_this_format`."""
    if len(games) != 1 or games[0].kind is not Kind.GAME:
        raise NotAllowed("a StraDoS2 file holds one game", code="not_in_this_format")
    (found,) = games
    gravon.playable(found)
    red, blue = found.armies
    words = {name: word for word, name in gravon.TYPES.items()}
    code, winner = gravon.ending_code(found.claim)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<stratego>",
        f"  <game type={quoteattr(words[found.variant])}>",
        f'    <field content="{letters.field_text(red or {}, blue or {})}"/>',
    ]
    for number, move in enumerate(found.moves, 1):
        source, goal = (gravon.square_text(at, "10") for at in (origin(move), target(move)))
        lines.append(f'    <move id="{number}" source="{source}" target="{goal}"/>')
    for number, name in enumerate(found.players, 1):
        lines.append(f'    <player id="{number}">{escape(shown(name, _NAME_CAP))}</player>')
    lines += [f'    <result type="{code}" winner="{winner + 1}"/>', "  </game>", "</stratego>", ""]
    return "\n".join(lines).encode()


def _sniff(name: str, head: bytes) -> bool:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return name.lower().endswith(".xml") or (start.startswith(b"<") and (b"<stratego" in head or b"<game" in head))


STRADOS = Format(
    name="strados2",
    title="Gravon's game files in XML",
    suffixes=(".xml",),
    sniff=_sniff,
    read=read,
    write=write,
    writes=frozenset({Kind.GAME}),
    single=True,
)
