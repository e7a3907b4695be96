"""One table: two players, one referee, one game, played to its end without anybody waiting for a person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter_ns

from flagfall.errors import BadArmy, FlagfallError, IllegalMove, NotAllowed, PlayerFault
from flagfall.play.player import Player, Resigns
from flagfall.play.referee import Phase, Referee
from flagfall.rules.board import Move, Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Played
from flagfall.rules.variant import Variant
from flagfall.rules.view import View

QUIET_PLIES = 200
ALL_PLIES = 2_000


def ending(variant: Variant, quiet: int = QUIET_PLIES, plies: int = ALL_PLIES) -> Variant:
    """The variant with limits where its law has none, so that a game without a person ends (R11.3)."""
    law = variant.law
    return variant.with_law(
        max_quiet_plies=quiet if law.max_quiet_plies is None else law.max_quiet_plies,
        max_plies=plies if law.max_plies is None else law.max_plies,
    )


@dataclass(slots=True)
class Chair:
    """A player at a table: `moves` it has made, `thought_ns` about all of them, and the fault it lost for, if any."""

    player: Player
    moves: int = 0
    thought_ns: int = 0
    fault: PlayerFault | None = None


class _Faulty(Exception):
    """A player did what it may not."""

    def __init__(self, seat: Seat, error: Exception) -> None:
        super().__init__(seat.word)
        self.seat, self.fault = seat, fault_of(error)


def fault_of(error: Exception) -> PlayerFault:
    """The fault of a player that raised, or whose answer the referee refused with, this error."""
    if isinstance(error, PlayerFault):
        return error
    code = error.stable_code if isinstance(error, FlagfallError) else "raised"
    fault = PlayerFault(f"a player failed: {code}", code=code)
    fault.__cause__ = error
    return fault


class Table:
    """Two chairs round a referee; `now_ms` is the referee's clock, `timer_ns` measures thinking.

    A player that raises, answers nonsense, breaks the law or spoils the view it was given loses by forfeit (R11.2), and
    its chair keeps the fault. One that raises Resigns gives up; one that has no legal move where the law lets such a
    game go on is made to (R11.1).
    """

    def __init__(
        self,
        referee: Referee,
        red: Player,
        blue: Player,
        *,
        now_ms: Callable[[], int],
        timer_ns: Callable[[], int] = perf_counter_ns,
    ) -> None:
        self.referee = referee
        self.chairs = (Chair(red), Chair(blue))
        self._now_ms, self._timer_ns = now_ms, timer_ns

    def play(self) -> Referee:
        """Play to the end, from wherever the referee stands."""
        try:
            self._set_up()
            self._play_on()
        except _Faulty as caught:
            self.chairs[caught.seat].fault = caught.fault
            now_ms = self._now_ms()
            if not self.referee.tick(now_ms):
                self.referee.forfeit(caught.seat, caught.fault, now_ms)
        return self.referee

    def _set_up(self) -> None:
        referee = self.referee
        for seat in Seat:
            if referee.phase is Phase.DEPLOYING and not referee.deployed(seat):
                army = self._army(seat)
                try:
                    referee.deploy(seat, army, self._now_ms())
                except BadArmy as error:
                    raise _Faulty(seat, error) from None
                except NotAllowed:  # the time to set up was over
                    return

    def _army(self, seat: Seat) -> Deployment:
        try:
            return self.chairs[seat].player.deploy(self.referee.terms.variant, seat)
        except Exception as error:
            raise _Faulty(seat, error) from None

    def _play_on(self) -> None:
        """Ply after ply. Each seat's view grows from what it is told, so it is never made anew."""
        referee = self.referee
        if referee.phase is not Phase.PLAYING:
            return
        views = (referee.view(Seat.RED), referee.view(Seat.BLUE))
        if referee.offer is not None:
            self._answer(referee.offer.other, views[referee.offer.other])
        while (seat := referee.turn) is not None:
            thought = self._thought(seat, views[seat]) if self._can_move(seat, views[seat]) else None
            if thought is None:
                now_ms = self._now_ms()
                if not referee.tick(now_ms):
                    referee.resign(seat, now_ms)
                return
            move, offers = thought
            played = self._played(seat, move)
            if played is None:
                return
            if referee.phase is Phase.PLAYING:
                self._tell(views, played)
            if offers and referee.may_offer(seat):
                referee.offer_draw(seat, self._now_ms())
                self._answer(seat.other, views[seat.other])

    def _can_move(self, seat: Seat, view: View) -> bool:
        try:
            return bool(view.legal())
        except Exception as error:
            raise _Faulty(seat, error) from None

    def _tell(self, views: tuple[View, View], played: Played) -> None:
        """Let both views grow. One that does not take in what happened was spoilt by the player that held it."""
        for seat, view in zip(Seat, views, strict=True):
            try:
                view.fold(played)
            except Exception as error:
                raise _Faulty(seat, error) from None

    def _thought(self, seat: Seat, view: View) -> tuple[Move, bool] | None:
        """The move of a player, and whether it offers a draw with it; None where it gives up."""
        chair = self.chairs[seat]
        begun = self._timer_ns()
        try:
            move = chair.player.move(view, self.referee.terms.sitters[seat].budget)
            offers = chair.player.offers_draw(view)
        except Resigns:
            return None
        except Exception as error:
            raise _Faulty(seat, error) from None
        chair.thought_ns += self._timer_ns() - begun
        chair.moves += 1
        return move, offers

    def _played(self, seat: Seat, move: Move) -> Played | None:
        """The ply; None where the time was up before it."""
        try:
            return self.referee.move(seat, move, self._now_ms())
        except IllegalMove as error:
            raise _Faulty(seat, error) from None
        except NotAllowed:
            return None

    def _answer(self, seat: Seat, view: View) -> None:
        try:
            accepts = self.chairs[seat].player.accepts_draw(view)
        except Exception as error:
            raise _Faulty(seat, error) from None
        if not self.referee.tick(self._now_ms()):
            self.referee.answer_draw(seat, accepts, self._now_ms())
