"""Streams of lines of JSON: what happens to somebody's games, and one game as its seat may know it.

A line is made when its reader has taken the one before, from what is there then: a slow reader misses steps between and
costs no memory. An empty line every few seconds says that the server is there.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import cast

from flagfall.errors import FlagfallError, NotAllowed, NotFound
from flagfall.rules.board import Seat
from flagfall.server.accounts import Accounts
from flagfall.server.challenges import Challenges
from flagfall.server.lobby import Lobby, word_of
from flagfall.server.nature import Nature
from flagfall.server.rates import Buckets, Rate
from flagfall.server.roll import Roll
from flagfall.server.room import Room
from flagfall.server.store import Store, hashed
from flagfall.wire import messages
from flagfall.wire.bots import AccountEvent, GameFinish, GameStart
from flagfall.wire.messages import ReasonWord, ResultWord

LOOK_EVERY_S, ALIVE_EVERY_S = 1.0, 5.0
MOST_STREAMS, MOST_LISTED = 64, 200
ALIVE = b"\n"
ENDED = ("closed", "elsewhere", "no_game")
"""Why a game's stream ends before the game: its reader asks again."""


class Streams:
    """challenges: those that the streams tell of. pace: how often somebody may act in one game.

    The streams that are open are counted by who reads them.
    """

    def __init__(self, store: Store, lobby: Lobby, accounts: Accounts, nature: Nature, acts: Rate) -> None:
        self._store, self._accounts, self._roll = store, accounts, Roll(store)
        self.challenges, self.pace = Challenges(store, lobby, nature), Buckets(acts, nature.ticks_ms)
        self._open: Counter[str] = Counter()

    def check(self, who: str) -> None:
        """Let somebody read one more. Raises NotAllowed `too_many_streams`."""
        if self._open[who] >= MOST_STREAMS:
            raise NotAllowed("close some of your streams first", code="too_many_streams", limit=MOST_STREAMS)

    @contextlib.contextmanager
    def _counted(self, who: str, key: bytes | None) -> Iterator[asyncio.Event]:
        """An event that is set when whoever reads has to go: his session or token is ended."""
        self._open[who] += 1
        try:
            if key is None:
                yield asyncio.Event()
            else:
                with self._accounts.ending(key) as ended:
                    yield ended
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]

    async def account(self, who: str, key: bytes | None) -> AsyncIterator[bytes]:
        """Challenges, games that go on and games that end, for as long as somebody reads."""
        told: dict[str, bool] = {}
        offered: set[str] = set()
        with self._counted(who, key) as ended:
            quiet_s = 0.0
            while not ended.is_set() and not self._accounts.bans.any_of([who]):
                with contextlib.suppress(FlagfallError):  # the store may answer again
                    for event in await self._news(who, told, offered):
                        quiet_s = 0.0
                        yield messages.write(event) + b"\n"
                if quiet_s >= ALIVE_EVERY_S:
                    quiet_s = 0.0
                    yield ALIVE
                quiet_s += LOOK_EVERY_S
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(ended.wait(), LOOK_EVERY_S)

    async def _news(self, who: str, told: dict[str, bool], offered: set[str]) -> list[AccountEvent]:
        """What is new since; told: by game, whether it was over when it was told of."""
        found: list[AccountEvent] = []
        sat = {one.id: (seat, one) for seat, one in reversed(await self._store.of_guest(hashed(who), MOST_LISTED))}
        fresh = [game for game, (_, one) in sat.items() if one.phase != "over" and game not in told]
        names = await self._roll.names(fresh) if fresh else {}
        for game, (word, one) in sat.items():
            seat = Seat.of(word)
            if game in fresh:
                opponent = names.get(game, {}).get(seat.other.word)
                found.append(GameStart(game, word_of(seat), one.variant, one.level, opponent))
            elif one.phase == "over" and told.get(game) is False:
                result, reason = cast(ResultWord | None, one.result), cast(ReasonWord | None, one.reason)
                found.append(GameFinish(game, word_of(seat), result, reason))
            told[game] = one.phase == "over"
        waiting = await self.challenges.waiting(who)
        offered.intersection_update(waiting)
        for game in waiting:
            if game not in offered:
                with contextlib.suppress(NotFound):  # taken back meanwhile
                    found.append(await self.challenges.told(game))
                offered.add(game)
        return found

    async def game(self, room: Room, seat: Seat, who: str, key: bytes | None) -> AsyncIterator[bytes]:
        """The state whenever it has changed, talk whenever something was said; the last line is of the game's end."""
        watch = room.watch(seat)
        version, ply, backs, talk = -1, 0, 0, 0
        try:
            with self._counted(who, key) as ended:
                leaving = asyncio.create_task(ended.wait())
                leaving.add_done_callback(lambda _: watch.news.set())
                try:
                    watch.news.set()
                    while True:
                        try:
                            await asyncio.wait_for(watch.news.wait(), ALIVE_EVERY_S)
                        except TimeoutError:
                            yield ALIVE
                            continue
                        watch.news.clear()
                        if ended.is_set() or watch.out:
                            return
                        if room.version != version:
                            seen = room.version
                            try:
                                state = await room.state(seat, ply, backs)
                            except FlagfallError as error:
                                if error.stable_code in ENDED:
                                    return
                                continue  # the law is not there yet; the opening of the game is news
                            version, ply, backs = seen, state.ply, state.backs
                            yield messages.write(state) + b"\n"
                            if state.phase == "over":
                                return
                        if room.talk.version != talk:
                            talk = room.talk.version
                            yield messages.write(room.talk.told(seat)) + b"\n"
                finally:
                    leaving.cancel()
        finally:
            room.leave(watch)
