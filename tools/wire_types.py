"""Write the page's types in frontend/src/wire/types.ts from the server's messages and bodies; `--check` compares."""

from __future__ import annotations

import sys
import types
import typing
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from flagfall.wire import bodies, bots, messages, people, watching

TARGET = Path(__file__).resolve().parents[1] / "frontend" / "src" / "wire" / "types.ts"
HEAD = """// What page and server say to each other. Do not edit: tools/wire_types.py writes it from src/flagfall/wire.
"""
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}
WORDS = {
    "SeatWord": "Seat",
    "SeatChoice": "SeatChoice",
    "Phase": "Phase",
    "OutcomeWord": "Outcome",
    "ResultWord": "Result",
    "ReasonWord": "Reason",
    "BarredWord": "BarredCode",
    "PhraseWord": "Phrase",
    "Hearing": "Hearing",
    "ReportWord": "ReportWord",
    "LawWord": "LawWord",
    "ShowingWord": "Showing",
    "ClockKind": "ClockKind",
    "Against": "Against",
    "SetupEnd": "SetupEnd",
    "SwitchValue": "Switch",
    "Param": "Param",
    "Params": "Params",
    "Counts": "Counts",
    "Form": "Form",
    "PaceWord": "Pace",
    "Score": "Score",
    "Chosen": "Chosen",
}
"""Names that Python gives to words and unions, and what the page calls them."""
UNIONS = {"ClientFrame": "ToServer", "ServerFrame": "FromServer", "WatcherFrame": "ToWatcher"}
PAGE_ONLY = """/** The name of a square, a1 to j10. */
export type Square = string;
/** 1 spy, 2 scout … 10 marshal, 11 bomb, 12 flag. */
export type Rank = number;
export type Law = Record<string, Switch>;

export const other = (seat: Seat): Seat => (seat === 'red' ? 'blue' : 'red');"""


def spelled(kind: Any, known: dict[Any, str]) -> str:
    """Spell a Python type in TypeScript's words."""
    for given, name in known.items():
        if kind == given:
            return name
    if kind in PLAIN:
        return PLAIN[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return spelled(arguments[0], known)
    if origin is Literal:
        return " | ".join(f"'{word}'" for word in arguments)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(dict.fromkeys(spelled(part, known) for part in arguments))
    if origin is list:
        inner = spelled(arguments[0], known)
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if origin is dict:
        return f"Record<string, {spelled(arguments[1], known)}>"
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind.__name__
    raise TypeError(f"no TypeScript for {kind!r}")


def interface(struct: type[msgspec.Struct], known: dict[Any, str]) -> str:
    """Write one message as an exported interface, the first line of its docstring above it."""
    hints = typing.get_type_hints(struct, include_extras=True)
    caption = (struct.__doc__ or "").strip().splitlines()[0]
    lines = [f"/** {caption} */", f"export interface {struct.__name__} {{"]
    tag = struct.__struct_config__.tag
    if tag is not None:
        lines.append(f"  type: '{tag}';")
    for field in msgspec.structs.fields(struct):
        lines.append(f"  {field.encode_name}: {spelled(hints[field.name], known)};")
    return "\n".join([*lines, "}"])


def text() -> str:
    """Write the whole file, messages in the order of their declaration; the page sends every field."""
    known: dict[Any, str] = {}
    names = vars(messages) | vars(bodies) | vars(people) | vars(bots) | vars(watching)
    words = []
    for name, called in WORDS.items():
        words.append(f"export type {called} = {spelled(names[name], known)};")
        known[names[name]] = called
    structs = (value for value in names.values() if isinstance(value, type) and issubclass(value, msgspec.Struct))
    own = [kind for kind in structs if kind is not msgspec.Struct and not kind.__name__.startswith("_")]
    unions = [f"export type {called} = {spelled(names[name], known)};" for name, called in UNIONS.items()]
    blocks = [HEAD.rstrip(), "\n".join(words), PAGE_ONLY, *(interface(kind, known) for kind in own), "\n".join(unions)]
    return "\n\n".join(blocks) + "\n"


def main(arguments: list[str]) -> int:
    """Write the file, or with `--check` say whether it is fresh."""
    if arguments == ["--check"]:
        fresh = TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text()
        if not fresh:
            print("frontend/src/wire/types.ts is stale: run tools/wire_types.py", file=sys.stderr)
        return 0 if fresh else 1
    TARGET.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
