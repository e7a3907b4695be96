"""What two people say to each other at a table: phrases, and words of their own where both want them; kept nowhere.

It lives in the room's memory and goes with it: nothing of it is in the log, the record or a log line, and watchers are
not told. Who mutes or blocks the other seat hears nothing more of it, and the other one is not told so.
"""

from __future__ import annotations

import unicodedata
from collections import deque
from dataclasses import dataclass

from flagfall.errors import BadMessage, NotAllowed
from flagfall.rules.board import Seat
from flagfall.server.ledger import Ledger
from flagfall.server.rates import Bucket, Rate
from flagfall.wire import messages

KEPT = 30
PACE = Rate(per_second=0.2, burst=4)
"""How often a seat may speak: four times at once, then once in five seconds."""


@dataclass(frozen=True, slots=True)
class _Said:
    seat: Seat
    heard: bool
    line: messages.TalkLine


class Talk:
    """The talk at one table; `version` grows with every change that a seat can see."""

    def __init__(self, ledger: Ledger, now_ms: int) -> None:
        self.version = 0
        self._ledger = ledger
        self._knows_blocks = False
        self._said: deque[_Said] = deque(maxlen=KEPT)
        self._open = [False, False]
        self._hears: list[messages.Hearing] = ["all", "all"]
        self._buckets = [Bucket(PACE, now_ms) for _ in Seat]
        self._names: deque[tuple[Seat, str]] = deque(maxlen=64)
        self._count = 0

    def told(self, seat: Seat) -> messages.Talk:
        """What a seat is told of the talk."""
        return messages.Talk(
            lines=[said.line for said in self._said if said.heard or said.seat is seat],
            open=messages.Both(red=self._open[Seat.RED], blue=self._open[Seat.BLUE]),
            hears=self._hears[seat],
        )

    async def learn(self) -> None:
        """Take in who has blocked whom, once both are there. Raises StoreFault."""
        if self._knows_blocks or self._ledger.against != "friend" or not self._ledger.complete:
            return
        for seat in Seat:
            if await self._ledger.blocks(seat):
                self._hears[seat] = "block"
                self.version += 1
        self._knows_blocks = True

    async def do(self, seat: Seat, frame: messages.Spoken, now_ms: int) -> None:
        """Do what a frame asks; the same frame again is the same one.

        Raises NotAllowed `no_talk` where nobody sits opposite, `not_open` where not both want words of their own,
        `too_much_talk`; BadMessage `no_words`; StoreFault.
        """
        if self._ledger.against != "friend" or not self._ledger.complete:
            raise NotAllowed("there is nobody to talk to at this table", code="no_talk")
        await self.learn()
        if (seat, frame.id) in self._names:
            return
        text = None
        if isinstance(frame, messages.Write):
            if not all(self._open):
                raise NotAllowed("words of your own need the other side's consent", code="not_open")
            text = cleaned(frame.text)
        # Nobody is kept from turning away.
        if not isinstance(frame, messages.Hear) and not self._buckets[seat].take(1, now_ms):
            raise NotAllowed("a little slower, please", code="too_much_talk")
        if isinstance(frame, messages.Hear):
            await self._hear(seat, frame.how)
        elif isinstance(frame, messages.Wish):
            self._open[seat] = frame.open
        else:
            self._say(seat, frame.phrase if isinstance(frame, messages.Say) else None, text)
        self._names.append((seat, frame.id))
        self.version += 1

    async def _hear(self, seat: Seat, how: messages.Hearing) -> None:
        if "block" in (how, self._hears[seat]) and how != self._hears[seat]:
            await self._ledger.block(seat, how == "block")
        self._hears[seat] = how

    def _say(self, seat: Seat, phrase: messages.PhraseWord | None, text: str | None) -> None:
        self._count += 1
        word: messages.SeatWord = "red" if seat is Seat.RED else "blue"
        line = messages.TalkLine(n=self._count, seat=word, phrase=phrase, text=text)
        self._said.append(_Said(seat, self._hears[seat.other] == "all", line))

    def __repr__(self) -> str:
        """Nothing of what was said."""
        return f"Talk({self._count} lines)"


def cleaned(text: str) -> str:
    """A text on one line without signs that cannot be seen. Raises BadMessage `no_words` where nothing is left."""
    shown = (" " if sign.isspace() else sign for sign in text)
    kept = "".join(sign for sign in shown if unicodedata.category(sign)[0] != "C")
    words = " ".join(unicodedata.normalize("NFC", kept).split())
    if not words:
        raise BadMessage("there are no words in this", code="no_words")
    return words
