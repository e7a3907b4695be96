"""Accounts: a name and a password for whoever wants them, sessions that can be ended, one's data to take or delete.

Nobody needs one. Whoever is signed in holds seats as his account, whoever is not as his guest's token. A passkey would
be one more way to `_sign_in`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator

import structlog

from flagfall.errors import FlagfallError, NotAllowed, NotFound
from flagfall.rules.board import Seat
from flagfall.rules.events import Reason
from flagfall.server import audit, blocks, challenges, openings, ratings
from flagfall.server.audit import Audit
from flagfall.server.bans import Bans, unname
from flagfall.server.journal import record_of
from flagfall.server.lobby import Lobby
from flagfall.server.nature import Nature
from flagfall.server.passwords import Passwords
from flagfall.server.rates import Buckets, Rate
from flagfall.server.roll import Account, Roll, Session
from flagfall.server.store import Store, Taken, hashed
from flagfall.server.tokens import Tokens
from flagfall.wire import messages
from flagfall.wire.people import Credentials, Me, Portrait, SessionLine, Share

log = structlog.get_logger()

SESSION_MS = 90 * 24 * 3600 * 1000
"""How long a session lives that nobody uses."""
TOUCH_MS = 3600 * 1000
MOST_SESSIONS = 20
TRIES = Rate(per_second=1 / 30, burst=10)
"""Passwords that may be tried from one address; a name takes three times as many from everywhere."""
ENROLS = Rate(per_second=1 / 300, burst=5)
EXPORTS = Rate(per_second=1 / 60, burst=3)
RESERVED = frozenset({"admin", "administrator", "blue", "deleted", "flagfall", "guest", "house", "moderator", "red"})


class Accounts:
    """Who is who. Every call may raise StoreFault."""

    def __init__(self, store: Store, lobby: Lobby, nature: Nature, passwords: Passwords | None = None) -> None:
        self._store, self._lobby, self._nature = store, lobby, nature
        self._roll, self._passwords = Roll(store), passwords or Passwords()
        self._by_address = Buckets(TRIES, nature.ticks_ms)
        self._by_name = Buckets(Rate(TRIES.per_second * 3, TRIES.burst * 3), nature.ticks_ms)
        self._enrols = Buckets(ENROLS, nature.ticks_ms)
        self._exports = Buckets(EXPORTS, nature.ticks_ms)
        self._listeners: defaultdict[bytes, set[asyncio.Event]] = defaultdict(set)
        self._looking: asyncio.Task[None] | None = None
        self.bans, self.tokens, self._audit = Bans(store), Tokens(store, nature), Audit(store, nature)
        lobby.leases.hear("sessions", self._sessions_changed)

    # --- coming in ---------------------------------------------------------------------------------------------------

    async def register(self, asked: Credentials, address: str, guest: str | None = None) -> str:
        """Make an account and sign in; the new session's token. Raises NotAllowed `name_taken`, `weak_password`."""
        if not self._enrols.take(address):
            raise _too_fast()
        if asked.name.casefold() in RESERVED:
            raise _name_taken()
        _fit(asked.name, asked.password)
        kept = await self._passwords.hash(asked.password)
        account = Account(self._nature.game_id(), asked.name, kept, self._nature.now_ms())
        try:
            await self._roll.enrol(account)
        except Taken:
            raise _name_taken() from None
        log.info("account_made")
        await self._audit.note("account_made", account.name)
        return await self._sign_in(account, guest)

    async def enter(self, asked: Credentials, address: str, guest: str | None = None) -> str:
        """Sign in; the new session's token. Raises NotAllowed `wrong_login`, `too_fast`: the same for any name."""
        self._try(asked.name, address)
        account = await self._roll.named(asked.name)
        fits = await self._passwords.verify(None if account is None else account.password, asked.password)
        if account is None or not fits:
            await self._audit.note_refusal("sign_in_refused", asked.name)
            raise _wrong_login()
        return await self._sign_in(account, guest)

    async def session(self, token: str) -> Session | None:
        """The living session of a token."""
        found = await self._roll.session(hashed(token))
        now_ms = self._nature.now_ms()
        if found is None or now_ms - found.used_ms > SESSION_MS:
            return None
        if now_ms - found.used_ms > TOUCH_MS:
            await self._roll.touch(found.key, now_ms)
        return found

    async def _sign_in(self, account: Account, guest: str | None) -> str:
        if guest is not None:
            await blocks.carry(self._store, hashed(guest), hashed(account.who))
        token, now_ms = self._nature.token(), self._nature.now_ms()
        session = Session(hashed(token), self._nature.game_id(), account, now_ms, now_ms)
        await self._roll.sign_in(session, MOST_SESSIONS, now_ms - SESSION_MS)
        return token

    def _try(self, name: str, address: str) -> None:
        """Count a password that is tried, whether or not anybody has the name."""
        if not (self._by_address.take(address) and self._by_name.take(name.casefold())):
            raise _too_fast()

    # --- sessions ----------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def ending(self, key: bytes) -> Iterator[asyncio.Event]:
        """An event that is set when a session is ended, for as long as the block lasts."""
        event = asyncio.Event()
        self._listeners[key].add(event)
        try:
            yield event
        finally:
            self._listeners[key].discard(event)
            if not self._listeners[key]:
                del self._listeners[key]

    async def me(self, session: Session | None, guest: str | None) -> Me:
        """What somebody is told of himself."""
        if session is None:
            return Me(name=None, claimable=0, sessions=[])
        held = hashed(session.account.who)
        lines = [
            SessionLine(name, created_ms, used_ms, here=key == session.key)
            for key, name, created_ms, used_ms in await self._roll.sessions(session.account.id)
        ]
        count = 0 if guest is None else await self._roll.claimable(hashed(guest), held)
        return Me(name=session.account.name, claimable=count, sessions=lines)

    async def leave(self, session: Session) -> None:
        """End the session that asks."""
        await self._end([session.key])

    async def end(self, session: Session, name: str) -> None:
        """End one of one's own sessions. Raises NotFound `no_session`."""
        found = [key for key, known, *_ in await self._roll.sessions(session.account.id) if known == name]
        if not found:
            raise NotFound("you have no such session", code="no_session")
        await self._end(found)
        await self._audit.note("session_ended", session.account.name)

    async def end_others(self, session: Session) -> None:
        """End every session but the one that asks."""
        await self._end([key for key, *_ in await self._roll.sessions(session.account.id) if key != session.key])
        await self._audit.note("sessions_ended", session.account.name)

    async def change_password(self, session: Session, old: str, new: str, address: str) -> None:
        """Change one's password; every other session ends. Raises NotAllowed `wrong_login`, `weak_password`."""
        await self._prove(session, old, address)
        _fit(session.account.name, new)
        others = [key for key, *_ in await self._roll.sessions(session.account.id) if key != session.key]
        await self._roll.renew(session.account.id, await self._passwords.hash(new), session.key)
        await self._audit.note("password_changed", session.account.name)
        self._cut(others)

    async def _end(self, keys: list[bytes]) -> None:
        await self._roll.end(keys)
        self._cut(keys)

    async def revoke(self, session: Session, name: str) -> None:
        """Revoke a token; what it holds open is closed. Raises NotFound `no_token`."""
        self._cut([await self.tokens.revoke(session.account, name)])

    def _cut(self, keys: list[bytes]) -> None:
        """Let the sockets of ended sessions know, at whichever process they are."""
        if keys:
            self._lobby.leases.tell("sessions")
        for key in keys:
            for event in self._listeners.get(key, ()):
                event.set()

    def _sessions_changed(self, _: str) -> None:
        """Sessions may have ended at another process: see which of those that are listened for still live."""
        if self._listeners and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._look_again())

    async def _look_again(self) -> None:
        keys = list(self._listeners)
        with contextlib.suppress(FlagfallError):
            living = await self._roll.living(keys)
            for event in [event for key in keys if key not in living for event in self._listeners.get(key, ())]:
                event.set()

    async def _prove(self, session: Session, password: str, address: str) -> None:
        self._try(session.account.name, address)
        if not await self._passwords.verify(session.account.password, password):
            raise _wrong_login()

    # --- one's games and data ----------------------------------------------------------------------------------------

    async def claim(self, session: Session, guest: str) -> None:
        """Take over the games of this browser's guest; not those at which the account sits opposite."""
        holder = hashed(session.account.who)
        await self._roll.claim(hashed(guest), holder)
        await self._lobby.rooms.renamed([game for game, _, phase in await self._roll.games(holder) if phase != "over"])

    async def export(self, session: Session) -> AsyncIterator[bytes]:
        """Everything kept of an account as one JSON text, piece by piece: no hash, and of no game what is hidden yet.

        Raises NotAllowed `too_fast`.
        """
        if not self._exports.take(session.account.id):
            raise _too_fast()
        return self._pieces(session)

    async def _pieces(self, session: Session) -> AsyncIterator[bytes]:
        account = session.account
        lines = await self._roll.sessions(account.id)
        told = [SessionLine(name, born, used, key == session.key) for key, name, born, used in lines]
        head = messages.write(Portrait("flagfall-account-1", account.name, account.created_ms, told))
        yield head[:-1] + b',"games":['
        for number, (game, seat, phase) in enumerate(await self._roll.games(hashed(account.who))):
            yield (b"," if number else b"") + messages.write(await self._share(game, seat, phase))
        yield b"]}"

    async def _share(self, game: str, word: str, phase: str) -> Share:
        """One game as its seat may have it: all of one played to its end, else one's own army and the plies played."""
        kept = record_of([entry for entry, _ in await self._store.log(game)])
        seat = Seat.of(word)
        army = kept.deployments[seat]
        # A game that was called off stays closed, here as everywhere.
        opened = kept.over and phase == "over" and kept.reason is not Reason.ABORTED
        return Share(
            game=game,
            seat="red" if seat is Seat.RED else "blue",
            variant=kept.terms.variant.name,
            begun_ms=kept.terms.begun_ms,
            army=None if army is None else army.text(),
            plies=kept.plies,
            record=kept.to_json() if opened else None,
        )

    async def delete(self, session: Session, password: str, address: str) -> None:
        """Give up what is being played, then forget the account; its games stay, and nobody sits there any more.

        Raises NotAllowed `wrong_login`.
        """
        await self._prove(session, password, address)
        account = session.account
        games = await self._roll.games(hashed(account.who))
        for game, word, phase in games:
            if phase != "over":
                with contextlib.suppress(FlagfallError):
                    await self._lobby.give_up(account.who, game, word)
        keys = [key for key, *_ in await self._roll.sessions(account.id)] + await self.tokens.keys(account.id)
        holder, nobody = hashed(account.who), hashed(f"deleted:{self._nature.token()}")
        kept = ratings.forsake(holder, nobody), unname(account.name)
        beside = *kept, openings.forget(holder), blocks.forget(holder), challenges.forget(holder)
        await self._roll.strike(account, nobody, *beside)
        self._cut(keys)
        await self._lobby.rooms.renamed([game for game, *_ in games])
        log.info("account_deleted")
        await self._audit.note("account_deleted", audit.tag(hashed(account.who)))


def _fit(name: str, password: str) -> None:
    """Refuse a password that anybody would try first. Raises NotAllowed `weak_password`."""
    plain = password.casefold()
    if name.casefold() in plain or len(set(plain)) < 5:
        raise NotAllowed("choose a password that is harder to guess", code="weak_password")


def _wrong_login() -> NotAllowed:
    return NotAllowed("name and password do not belong together", code="wrong_login")


def _name_taken() -> NotAllowed:
    return NotAllowed("somebody has this name", code="name_taken")


def _too_fast() -> NotAllowed:
    return NotAllowed("too many tries; wait a while", code="too_fast")
