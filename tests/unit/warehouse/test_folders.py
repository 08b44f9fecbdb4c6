"""Folders that are replaced whole, and links to their files."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from warehouse.files import link_tree, replacing_folder


def _write(folder: Path, text: str) -> None:
    with replacing_folder(folder) as fresh:
        (fresh / "deep").mkdir()
        (fresh / "deep" / "a.txt").write_text(text)


def test_links_keep_what_was_linked(tmp_path: Path) -> None:
    folder, release = tmp_path / "product", tmp_path / "release"
    _write(folder, "old")
    link_tree(folder, release)
    _write(folder, "new")
    assert (folder / "deep" / "a.txt").read_text() == "new"
    assert (release / "deep" / "a.txt").read_text() == "old"


def _fail_halfway(folder: Path) -> None:
    with replacing_folder(folder) as fresh:
        (fresh / "a.txt").write_text("half")
        raise ZeroDivisionError


def test_a_failed_block_leaves_the_old_folder(tmp_path: Path) -> None:
    folder = tmp_path / "product"
    _write(folder, "old")
    with pytest.raises(ZeroDivisionError):
        _fail_halfway(folder)
    assert [p.name for p in tmp_path.iterdir()] == ["product"]
    assert (folder / "deep" / "a.txt").read_text() == "old"


def test_what_a_killed_process_left_goes_and_what_another_writes_stays(tmp_path: Path) -> None:
    folder = tmp_path / "product"
    left, at_work = (tmp_path / f".product.{n}.tmp" for n in (1, 2))
    for path in (left, at_work):
        path.mkdir()
        (path / "a.txt").write_text("half")
    handle = os.open(at_work, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    _write(folder, "new")
    os.close(handle)
    assert sorted(p.name for p in tmp_path.iterdir()) == [at_work.name, "product"]


def test_without_hard_links_files_are_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr("os.link", refuse)
    _write(tmp_path / "product", "text")
    link_tree(tmp_path / "product", tmp_path / "release")
    assert (tmp_path / "release" / "deep" / "a.txt").read_text() == "text"
