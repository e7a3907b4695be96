"""Games that were read, played again under the law of their day: what departs from it, and a record (R14.2)."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from flagfall.archive.armies import CUSTOM
from flagfall.archive.found import Claim, Deviation, Found, Kind, Place
from flagfall.errors import FlagfallError, IllegalMove, NotFound
from flagfall.play.record import Act, Deed, Record, Sitter, Sort, Terms, canonical
from flagfall.play.referee import Referee
from flagfall.rules.board import Seat, make_move
from flagfall.rules.catalog import CLASSIC, VARIANTS, variant
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Played, Reason, Refusal, Result
from flagfall.rules.notation import move_text
from flagfall.rules.pieces import Rank
from flagfall.rules.position import ids_in_order
from flagfall.rules.variant import MEN_CAP, Variant
from flagfall.rules.view import View
from flagfall.rules.world import World

UNPLAYABLE = frozenset({"no_field", "rescue", "no_setup", "passed"})
"""Deviations of a file after which its moves are no game any more."""

_CLAUSES = {
    Refusal.TWO_SQUARE.word: "R8.2",
    Refusal.MORE_SQUARES.word: "R9.2",
    Refusal.GAME_OVER.word: "R11.1",
    Refusal.IMMOBILE.word: "R5",
    Refusal.GEOMETRY.word: "R5",
}
_LAST_MS = 253_402_300_800_000  # the year 10,000
_PROGRAMS = frozenset({"evaluator", "ataraxos-game", "gamesaver", "yorktown-game"})
_ON_BOARD = frozenset({"flag", "stuck", "both_stuck", "limit"})


@dataclass(frozen=True, slots=True)
class Replayed:
    """A game played again: where it led, the law that let it be so, and what departs from the law of its day."""

    variant: Variant
    world: World
    deviations: tuple[Deviation, ...]

    @property
    def plies(self) -> tuple[Played, ...]:
        """Every ply as it was."""
        return self.world.events

    @property
    def result(self) -> Result:
        """How the board stands after the last ply."""
        return self.world.result

    @property
    def reason(self) -> Reason:
        """Why the board ended the game, or NONE."""
        return self.world.reason


def deployment_of(found: Found) -> Deployment:
    """A found deployment as one of ours, legal under its game. Raises Unreadable, `no_army` or the fault's code."""
    seat = Seat.BLUE if found.armies[Seat.RED] is None else Seat.RED
    men = found.armies[seat]
    if found.kind is not Kind.DEPLOYMENT or men is None:
        raise found.place.error("this is no deployment", "no_army")
    try:
        return Deployment(game_of(found), seat, men).checked()
    except FlagfallError as error:
        raise found.place.error(str(error), error.stable_code) from None


def game_of(found: Found) -> Variant:
    """The game that was played, with the law of its day; Classic's board for men of no army. Raises Unreadable."""
    try:
        game = CLASSIC if found.variant == CUSTOM else variant(found.variant)
        return _under(game, tuple(sorted(found.law.items()))) if found.law else game
    except NotFound as error:
        raise found.place.error(f"{error}: {found.variant}", error.stable_code) from None


@lru_cache(maxsize=256)
def _under(game: Variant, law: tuple[tuple[str, Any], ...]) -> Variant:
    """A game under a law: thousands of games of one source share it, and its digest with it."""
    return game.with_law(**dict(law))


def replayed(found: Found) -> Replayed:
    """The moves of a game, played again from its board.

    Where the law of its day refuses a move for a repetition, or calls the game over before its last ply for a limit or
    a side without moves, that is told and the law relaxed. Raises Unreadable `cannot_replay` for a game whose file
    lacks something, and the refusal's word, with `ply` and `clause`, for a move that no law allows.
    """
    lacking = next((note for note in found.deviations if note.code in UNPLAYABLE), None)
    if lacking is not None or None in found.armies:
        why = lacking.code if lacking is not None else "no_army"
        raise found.place.error(f"this game cannot be replayed: {why}", "cannot_replay", lacking=why)
    game = strict = game_of(found)
    world, stopped = _played(found, game)
    while stopped is not None:
        relaxed = _relaxed(game, stopped.reason, world.reason)
        if relaxed is None:
            raise _refused(found, world.ply + 1, stopped.reason)
        game = relaxed
        world, stopped = _played(found, game)
    notes = [*found.deviations, *_battles(found, world)]
    if game is not strict:
        notes += _breaches(found, strict, world.events)
    return Replayed(game, world, tuple(notes))


def _played(found: Found, game: Variant) -> tuple[World, IllegalMove | None]:
    """The world after the last ply that this law allows, and why it does not allow the next."""
    world = start_world(found, game)
    try:
        for move in found.moves:
            world.push(move)
    except IllegalMove as error:
        return world, error
    return world, None


def settled(found: Found) -> Found:
    """The game with the result that its board comes to, where the file names none. Raises Unreadable."""
    if found.claim.result is not Result.GOING:
        return found
    played = replayed(found)
    return (
        replace(found, claim=Claim(played.result, played.reason.word)) if played.result is not Result.GOING else found
    )


def record_of(found: Found) -> tuple[Record, tuple[Deviation, ...]]:
    """A found game as a record, played through the referee, and everything that departs from format or law.

    The same game gives the same record, whichever file it stood in. Raises Unreadable as `replayed` does, the code of
    a fault of its armies, and `cannot_replay` for a position's game.
    """
    if found.record is not None:
        return found.record, found.deviations
    if found.kind is not Kind.GAME:
        raise found.place.error("this is no game", "cannot_replay")
    played = replayed(found)
    acts, notes = _ending(found, played)
    red, blue = found.armies
    armies = Deployment(played.variant, Seat.RED, red or {}), Deployment(played.variant, Seat.BLUE, blue or {})
    deploys = (Act(0, Deed.DEPLOY, seat) for seat in Seat)
    moves = (Act(0, Deed.MOVE, Seat((found.first + ply) % 2), move=move) for ply, move in enumerate(found.moves))
    mark = _mark(found, played.variant)
    sort = Sort.PROGRAM if found.format in _PROGRAMS else Sort.PERSON
    result, reason = _closed(played, acts)
    record = Record(
        terms=Terms(
            variant=played.variant,
            first=found.first,
            sitters=(Sitter(found.players[0], sort), Sitter(found.players[1], sort)),
            game=f"import-{mark.hex()[:24]}",
            begun_ms=_begun_ms(found.date),
        ),
        secret=mark,
        elapsed_ms=0,
        deployments=armies,
        acts=(*deploys, *moves, *acts),
        result=result,
        reason=reason,
    )
    if found.variant == CUSTOM:
        raise found.place.error("these men are no army of a game of ours", "no_army")
    try:
        for army in armies:
            army.checked()
        Referee.resume(record, now_ms=0)
    except FlagfallError as error:
        raise found.place.error(str(error), error.stable_code) from None
    return record, (*played.deviations, *notes)


def found_of(record: Record, place: Place, name: str = "record") -> Found:
    """A record as a found game, to be written in another format; a game that is not the catalogue's is `custom`."""
    game = record.terms.variant
    base = VARIANTS.get(game.name)
    known = base is not None and replace(base, law=game.law) == game
    red, blue = (None if army is None else army.ranks for army in record.deployments)
    return Found(
        kind=Kind.GAME,
        format=name,
        place=place,
        variant=game.name if known else CUSTOM,
        law=game.law.departures(base.law if base is not None and known else CLASSIC.law),
        armies=(red, blue),
        first=record.terms.first,
        moves=record.moves,
        players=(record.terms.sitters[0].name, record.terms.sitters[1].name),
        # A game that was called off has no result that other formats know.
        claim=Claim(Result.GOING if record.result is Result.VOID else record.result, record.reason.word),
        date=_date(record.terms.begun_ms),
        record=record,
    )


def start_world(found: Found, game: Variant) -> World:
    """The position in which a game begins, every rank known. Raises Unreadable `no_army` for what is no position."""
    red, blue = found.armies
    if not red or not blue or max(len(red), len(blue)) > MEN_CAP or Rank.UNKNOWN in {*red.values(), *blue.values()}:
        raise found.place.error("a game begins with 1 to 40 men a side, every rank known", "no_army")
    if not set(game.usable).issuperset({*red, *blue}) or not set(red).isdisjoint(blue):
        raise found.place.error("men stand outside the board of this game", "outside_board")
    view = View.start(game, Deployment(game, Seat.RED, red), blue, found.first)
    ranks = {pid: int(blue[at]) for at, pid in ids_in_order(game, Seat.BLUE, blue).items()}
    return World.imagine(view, ranks)


def _relaxed(game: Variant, refusal: str, reason: Reason) -> Variant | None:
    """The same game without the rule that stopped it; None where it is no rule that old games were free of."""
    if refusal == Refusal.TWO_SQUARE.word:
        return game.with_law(two_square_limit=None)
    if refusal == Refusal.MORE_SQUARES.word:
        return game.with_law(more_squares="off")
    if refusal != Refusal.GAME_OVER.word:
        return None
    if reason is Reason.LIMIT:
        return game.with_law(max_quiet_plies=None, max_plies=None)
    if reason is Reason.STUCK and game.law.stuck_check == "immediate":
        return game.with_law(stuck_check="on_turn")
    return None


def _refused(found: Found, ply: int, refusal: str) -> FlagfallError:
    clause = _CLAUSES.get(refusal, "R4")
    sentence = f"ply {ply}, {move_text(found.moves[ply - 1])}, cannot be played: {refusal} ({clause})"
    return found.place.error(sentence, refusal, ply=ply, clause=clause)


def _breaches(found: Found, strict: Variant, plies: tuple[Played, ...]) -> list[Deviation]:
    """What the law of its day would have refused: a deviation a clause, with its first ply and how often."""
    first: dict[str, int] = {}
    times: Counter[str] = Counter()
    red, blue = found.armies
    views = (
        View.start(strict, Deployment(strict, Seat.RED, red or {}), blue or {}, found.first),
        View.start(strict, Deployment(strict, Seat.BLUE, blue or {}), red or {}, found.first),
    )
    for event in plies:
        refusal = views[event.seat].why(make_move(event.origin, event.target))
        if refusal in (Refusal.TWO_SQUARE, Refusal.MORE_SQUARES):
            times[refusal.word] += 1
            first.setdefault(refusal.word, event.ply)
        for view in views:
            view.fold(replace(event, result=Result.GOING, reason=Reason.NONE))
    notes = [
        Deviation(word, _CLAUSES[word], f"the law of its day bars this ply; {times[word]} such in all", ply=ply)
        for word, ply in first.items()
    ]
    return notes + _early_end(found, strict)


def _early_end(found: Found, strict: Variant) -> list[Deviation]:
    """Where the law of its day, repetition left aside, calls the game over before its last ply."""
    world = start_world(found, strict.with_law(two_square_limit=None, more_squares="off"))
    for ply, move in enumerate(found.moves, 1):
        if world.result is not Result.GOING:
            clause = "R11.3" if world.reason is Reason.LIMIT else "R11.1"
            sentence = f"by the law of its day the game was over before this ply: {world.reason.word}"
            return [Deviation("moves_after_end", clause, sentence, ply=ply)]
        try:
            world.push(move)
        except IllegalMove:
            break
    return []


def _battles(found: Found, world: World) -> list[Deviation]:
    """Battles that ended otherwise than the file says; one deviation, for the first."""
    for ply, said in sorted(found.battles.items()):
        event = world.played(ply)
        if said != (event.outcome, event.attacker, event.defender):
            return [Deviation("battle_differs", "R6", "this battle ends otherwise than the file says", ply=ply)]
    return []


def _ending(found: Found, played: Replayed) -> tuple[tuple[Act, ...], list[Deviation]]:
    """The acts that end a game as its file says, and what does not go together."""
    claim, ply = found.claim, played.world.ply
    if played.result is not Result.GOING:
        said = claim.ending in _ON_BOARD and claim.ending != played.reason.word
        if claim.result in (Result.GOING, played.result) and not said:
            return (), []
        sentence = f"the file says {claim.result.word} ({claim.ending}), the board {played.result.word}"
        return (), [Deviation("result_differs", "R11.1", f"{sentence} ({played.reason.word})", ply=ply)]
    if claim.result is Result.GOING:
        return (), [Deviation("no_result", "R11", "the file names no result and the board goes on", ply=ply)]
    notes = []
    if claim.ending in _ON_BOARD:
        sentence = f"the file says {claim.result.word} ({claim.ending}), the board goes on"
        notes.append(Deviation("result_differs", "R11.1", sentence, ply=ply))
    if claim.result is Result.DRAW:
        if claim.ending != "agreed" and not notes:
            notes.append(Deviation("kept_as_agreed", "R11.2", f"a draw by {claim.ending} is kept as agreed", ply=ply))
        return (Act(0, Deed.OFFER, found.first), Act(0, Deed.ACCEPT, found.first.other)), notes
    loser = Seat.BLUE if claim.result is Result.RED else Seat.RED
    if claim.ending == "resigned":
        return (Act(0, Deed.RESIGN, loser),), notes
    return (Act(0, Deed.FORFEIT, loser, fault=f"told_{claim.ending}"),), notes


def _closed(played: Replayed, acts: tuple[Act, ...]) -> tuple[Result, Reason]:
    """How a game stands after the acts that end it."""
    if not acts:
        return played.result, played.reason
    last = acts[-1]
    if last.deed is Deed.ACCEPT or last.seat is None:
        return Result.DRAW, Reason.AGREED
    return Result.win(last.seat.other), Reason.RESIGNED if last.deed is Deed.RESIGN else Reason.FORFEIT


def _mark(found: Found, game: Variant) -> bytes:
    """Thirty-two bytes that follow from the game alone, not from the file it stood in."""
    form = {
        "game": game.digest,
        "armies": [sorted((int(at), int(rank)) for at, rank in (army or {}).items()) for army in found.armies],
        "moves": [int(move) for move in found.moves],
        "first": found.first.word,
        "players": [*found.players],
        "claim": [found.claim.result.word, found.claim.ending],
        "date": found.date,
    }
    return hashlib.blake2b(canonical(form).encode(), digest_size=32, person=b"flagfall-import").digest()


def _date(begun_ms: int) -> str | None:
    """The day of a moment; None where none is known."""
    if not 0 < begun_ms < _LAST_MS:
        return None
    return datetime.fromtimestamp(begun_ms // 1000, tz=UTC).date().isoformat()


def _begun_ms(date: str | None) -> int:
    """The first moment of a date; 0 for none, or one before 1970 or that is none."""
    if date is None:
        return 0
    year, month, day = (*(int(part) for part in date.split("-")), 1, 1)[:3]
    try:
        return max(0, int(datetime(year, month, day, tzinfo=UTC).timestamp()) * 1000)
    except ValueError:
        return 0
