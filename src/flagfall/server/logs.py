"""Log lines without a rank, a token, an army or a local variable in them."""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import TextIO, cast

import structlog

DEEPEST_TRACE = 6


def where(error: BaseException) -> list[str]:
    """The last lines that an error passed, as file and number; nothing of its words or values."""
    steps = traceback.extract_tb(error.__traceback__)[-DEEPEST_TRACE:]
    return [f"{step.filename.rsplit('/', 1)[-1]}:{step.lineno}" for step in steps]


class Plain(logging.Formatter):
    """The message of a library's log record; of an exception only its kind and the lines it passed."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        told = f"{record.levelname.lower()} {record.name}: {_message(record)}"
        error = record.exc_info[1] if record.exc_info else None
        return told if error is None else f"{told} [{type(error).__name__} at {' '.join(where(error))}]"


class Typed(logging.Formatter):
    """The same as one JSON object, in the form of our own lines."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        form = {"event": "library", "library": record.name, "level": record.levelname.lower(), "says": _message(record)}
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            form |= {"kind": type(error).__name__, "where": " ".join(where(error))}
        at = datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")
        return json.dumps(form | {"timestamp": at})


def _message(record: logging.LogRecord) -> str:
    return next(iter(record.getMessage().splitlines()), "")[:300]


class Unfailing:
    """Standard error as it is at the moment; when it is gone, words are lost and nothing else."""

    def write(self, words: str) -> int:
        """Write what can be written."""
        with contextlib.suppress(OSError, ValueError):
            return sys.stderr.write(words)
        return len(words)

    def flush(self) -> None:
        """Flush what can be flushed."""
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()


def set_up_logs(level: int = logging.WARNING, as_json: bool = False) -> None:
    """Send everything to standard error: ours through structlog, libraries' through one handler that keeps mum."""
    handler = logging.StreamHandler(cast(TextIO, Unfailing()))
    handler.setFormatter(Typed() if as_json else Plain())
    logging.basicConfig(level=max(level, logging.WARNING), handlers=[handler], force=True)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, Unfailing())),
        cache_logger_on_first_use=False,
    )
