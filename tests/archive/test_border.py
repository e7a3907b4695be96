"""What comes over the border: bundles, bombs, tricks with names, files that are none, other encodings."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from flagfall.archive import border, formats
from flagfall.archive.found import Found, Place, Refused
from flagfall.errors import Unreadable
from tests.archive.games import game

XML = formats.write([game(1)], formats.named("strados2"))


def bundle(*files: tuple[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as packed:
        for name, data in files:
            packed.writestr(zipfile.ZipInfo(name), data, packing)
    return out.getvalue()


def read(source: bytes | Path, name: str | None = "x.zip") -> list[Found | Refused]:
    return list(formats.read(source, name if isinstance(source, bytes) else None))


def codes(source: bytes | Path) -> list[str]:
    """The code of what was refused, the format of what was found, in order."""
    return [one.code if isinstance(one, Refused) else one.format for one in read(source)]


def test_every_member_of_a_bundle_is_read_and_named() -> None:
    found = read(bundle(("a.xml", XML), ("b/c.xml", XML), ("readme.bin", b"\x07\x08"), ("d.xml", XML[:-9])))
    assert [type(one) for one in found] == [Found, Found, Refused, Refused]
    assert [one.place.file for one in found] == ["x.zip!a.xml", "x.zip!b/c.xml", "x.zip!readme.bin", "x.zip!d.xml"]
    assert isinstance(found[2], Refused)
    assert found[2].code == "unknown_format"


def test_a_packed_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "game.xml.gz"
    path.write_bytes(gzip.compress(XML))
    (found,) = read(path)
    assert isinstance(found, Found)
    assert found.moves == game(1).moves


@pytest.mark.parametrize(
    "name",
    [
        "../x.xml",
        "/x.xml",
        "a/../../x.xml",
        "..\\x.xml",
        "C:\\x.xml",
        "\\\\host\\x.xml",
        "a/..",
        "x\n.xml",
        "x\x1b[2J.xml",
    ],
)
def test_a_name_that_leads_out_is_refused(name: str) -> None:
    found = read(bundle((name, XML), ("good.xml", XML)))
    assert [type(one) for one in found] == [Refused, Found]
    assert isinstance(found[0], Refused)
    assert found[0].code == "bad_member_name"
    assert str(found[0].error).isprintable()


def test_a_member_without_a_name_is_refused() -> None:
    """The library's own test for folders falls over such a member."""
    data = bytearray(bundle(("a", XML)))
    for mark, offset in ((b"PK\x03\x04", 26), (b"PK\x01\x02", 28)):
        at = data.index(mark) + offset
        data[at : at + 4] = b"\x00\x00\x01\x00"
    (found,) = read(bytes(data))
    assert isinstance(found, Refused)
    assert found.code == "bad_member_name"


def test_a_name_that_stands_twice_is_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        data = bundle(("a.xml", XML), ("a.xml", XML))
    assert codes(data) == ["strados2", "bad_member_name"]


def test_links_and_devices_in_a_bundle_are_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for number, kind in enumerate((stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFREG)):
            info = zipfile.ZipInfo(f"{number}.xml")
            info.external_attr = (kind | 0o644) << 16
            packed.writestr(info, XML)
    assert codes(out.getvalue()) == ["not_plain", "not_plain", "not_plain", "strados2"]


def test_a_bundle_in_a_bundle_is_not_opened() -> None:
    inner = bundle(("a.xml", XML))
    assert codes(bundle(("a.zip", inner), ("b.gz", gzip.compress(XML)))) == ["bundle_in_bundle"] * 2
    assert codes(gzip.compress(inner)) == ["bundle_in_bundle"]


def test_bombs_are_refused_before_they_grow() -> None:
    zeros = b"0" * 80_000_000
    packed = bundle(("bomb.txt", zeros), ("good.xml", XML))
    squeezed = gzip.compress(zeros)
    del zeros
    tracemalloc.start()
    assert codes(packed) == ["bomb", "strados2"]
    assert codes(squeezed) == ["bomb"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60_000_000, peak


def test_a_header_that_lies_about_a_size_is_not_believed() -> None:
    data = bytearray(bundle(("x.txt", b"0" * 50_000_000)))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(mark) + offset
        data[at : at + 4] = (100).to_bytes(4, "little")
    (found,) = read(bytes(data))
    assert isinstance(found, Refused)
    assert found.code in ("broken_bundle", "bomb")


def test_one_body_under_many_names_is_held_to_the_ratio() -> None:
    """A bomb of overlapping members: thousands of entries that share one deflated body."""
    data = bundle(("a.txt", b"0" * 3_000_000))
    start = data.index(b"PK\x01\x02")
    entry = data[start : data.index(b"PK\x05\x06")]
    names = [f"{number:05}"[:5].encode() for number in range(2000)]
    entries = b"".join(entry.replace(b"a.txt", name) for name in names)
    end = bytearray(data[data.index(b"PK\x05\x06") :])
    end[8:12] = len(names).to_bytes(2, "little") * 2
    end[12:16] = len(entries).to_bytes(4, "little")
    found = read(data[:start] + entries + bytes(end))
    assert {type(one) for one in found} == {Refused}
    assert len(found) == len(names)


def test_too_many_members_are_counted_before_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(border, "MEMBERS_CAP", 3)
    assert codes(bundle(*[(f"{number}.xml", XML) for number in range(3)])) == ["strados2"] * 3
    assert codes(bundle(*[(f"{number}.xml", XML) for number in range(4)])) == ["too_many_members"]


def test_a_bundle_unpacks_to_so_much_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(border, "UNPACKED_CAP", 2 * len(XML))
    assert codes(bundle(*[(f"{number}.xml", XML) for number in range(5)])) == ["strados2", "strados2", "bomb"]


def test_encrypted_and_strangely_packed_members_are_refused() -> None:
    data = bytearray(bundle(("a.xml", XML)))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    assert codes(bytes(data)) == ["encrypted"]
    assert codes(bundle(("a.xml", XML), packing=zipfile.ZIP_LZMA)) == ["broken_bundle"]


@pytest.mark.parametrize("make", [lambda: bundle(("a.xml", XML), ("b.xml", XML)), lambda: gzip.compress(XML)])
def test_a_bundle_cut_off_anywhere_gives_an_error(make: Callable[[], bytes]) -> None:
    whole = make()
    for size in range(len(whole)):
        for one in read(whole[:size]):
            assert isinstance(one, Refused), size


def test_a_bundle_with_a_spoilt_byte_never_gives_another_game() -> None:
    whole = bundle(("a.xml", XML))
    for at in range(0, len(whole), 7):
        spoilt = bytearray(whole)
        spoilt[at] ^= 0x55
        for one in read(bytes(spoilt)):
            assert isinstance(one, Refused) or one.moves == game(1).moves


def test_a_file_too_large_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than a bundle may have only for a bundle; what is beyond is not even read."""
    monkeypatch.setattr(border, "FILE_CAP", 1_000_000)
    monkeypatch.setattr(border, "BUNDLE_CAP", 2_000_000)
    path = tmp_path / "huge.xml"
    for start, size in ((b"", 1_000_001), (b"PK\x03\x04", 2_000_001), (b"", 10**12), (b"PK\x03\x04", 10**12)):
        with path.open("wb") as file:
            file.write(start)
            file.truncate(size)
        tracemalloc.start()
        assert codes(path) == ["too_large"]
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 10_000_000, peak
    assert codes(b"x" * 1_000_001) == ["too_large"]
    assert codes(b"x" * 1_000_000) == ["unknown_format"]


def test_what_is_no_plain_file_is_not_opened(tmp_path: Path) -> None:
    """A pipe would wait for ever, a device never end."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert codes(tmp_path / "pipe") == ["not_plain"]
    assert codes(Path("/dev/zero")) == ["not_plain"]
    assert codes(tmp_path) == ["not_plain"]
    assert codes(tmp_path / "loop") == ["no_file"]
    assert codes(tmp_path / "missing") == ["no_file"]
    assert codes(tmp_path / ("x" * 5000)) == ["no_file"]
    assert codes(Path("a\x00b")) == ["no_file"]


def test_odd_names_of_files_are_shown_safely(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\x1b[2J\n.xml"))
    path.write_bytes(b"<x/>")
    (found,) = read(path)
    assert isinstance(found, Refused)
    assert str(found.error).isprintable()
    str(found.error).encode()


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        ("grüße\n".encode("utf-16"), "wrong_encoding", 1, 1),
        (b"one\ntwo \xfc\n", "wrong_encoding", 2, 5),
        (b"\xef\xbb\xbfone\ntwo \xfc\n", "wrong_encoding", 2, 5),
        ("ä\xa0 ".encode() + b"\xed\xa0\x80", "wrong_encoding", 1, 4),
        (b"one\ntw\x00o\n", "not_text", 2, 3),
        (b"one\ntw\x1bo\n", "not_text", 2, 3),
    ],
)
def test_text_in_another_encoding_is_refused_at_its_place(data: bytes, code: str, line: int, column: int) -> None:
    with pytest.raises(Unreadable) as refused:
        border.text(data, Place("x"))
    params = refused.value.params
    assert (refused.value.stable_code, params["line"], params["column"], params["file"]) == (code, line, column, "x")


def test_lines_end_at_line_feeds_alone() -> None:
    assert border.lines("a\r\nb\u2028c\n\nd") == ["a", "b\u2028c", "", "d"]
    assert border.lines("") == []


def test_excerpts_are_short_and_printable() -> None:
    assert border.shown("a\u202eb\x00" + "x" * 500, 10) == "a?b?xxxxx…"


def test_a_file_of_no_known_format_is_refused() -> None:
    for data in (b"", b"hello", b"\x00" * 100, zlib.compress(XML), b"A" * 100 + b"\nhello"):
        assert codes(data) in (["unknown_format"], ["bad_lake", "army_length"]), data
