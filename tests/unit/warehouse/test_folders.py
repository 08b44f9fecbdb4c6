"""Folders that are replaced whole, and links to their files."""

import os
import subprocess
import time
from pathlib import Path
from socket import gethostname

import pytest

from warehouse.files import link_tree, remove_abandoned, replacing, replacing_folder


def _write(folder: Path, text: str) -> None:
    with replacing_folder(folder) as fresh:
        (fresh / "deep").mkdir()
        (fresh / "deep" / "a.txt").write_text(text)


def test_links_preserve_the_linked_file(tmp_path: Path) -> None:
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


def test_folders_of_dead_processes_are_removed(tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as process:
        pass
    here, an_hour_ago = gethostname(), time.time() - 3_600
    folder_left = tmp_path / f".product.{here}.{process.pid}.tmp"
    folder_left.mkdir()
    (folder_left / "a.txt").write_text("half")
    file_left = tmp_path / "deep" / f".a.parquet.{here}.{process.pid}.tmp"
    old = tmp_path / f".b.parquet.elsewhere.{process.pid}.tmp"
    at_work = tmp_path / f".c.parquet.{here}.{os.getppid()}.tmp"
    elsewhere = tmp_path / f".d.parquet.elsewhere.{process.pid}.tmp"
    whole = tmp_path / "whole.parquet"
    file_left.parent.mkdir()
    for path in (file_left, old, at_work, elsewhere, whole):
        path.write_text("half")
        os.utime(path, (an_hour_ago, an_hour_ago))
    os.utime(old, (0, 0))
    assert sorted(remove_abandoned(tmp_path)) == sorted([folder_left, file_left, old])
    remaining = sorted(p for p in tmp_path.rglob("*") if p.name != "deep")
    assert remaining == sorted([at_work, elsewhere, whole])
    # Whose writer lives: this process's own, at work.
    with replacing(whole) as temporary:
        temporary.write_text("whole")
        assert remove_abandoned(tmp_path) == []
    assert whole.read_text() == "whole"


def test_a_folder_of_an_earlier_process_is_not_reused(tmp_path: Path) -> None:
    """As in a container that was started again: there numbers come back, and a leftover may be a
    link.
    """
    release, table, product = (tmp_path / name for name in ("served", "table", "product"))
    release.write_text("served")
    unfinished = f"{gethostname()}.{os.getpid()}.tmp"
    os.link(release, tmp_path / f".table.{unfinished}")
    (tmp_path / f".product.{unfinished}").mkdir()
    (tmp_path / f".product.{unfinished}" / "old.txt").write_text("half")
    with replacing(table) as temporary:
        temporary.write_text("new")
    _write(product, "new")
    assert (release.read_text(), table.read_text()) == ("served", "new")
    assert [p.name for p in sorted(product.rglob("*"))] == ["deep", "a.txt"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["product", "served", "table"]


def test_a_missing_folder_has_no_abandoned_parts(tmp_path: Path) -> None:
    assert remove_abandoned(tmp_path / "none") == []


def test_without_hard_links_files_are_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr("os.link", refuse)
    _write(tmp_path / "product", "text")
    link_tree(tmp_path / "product", tmp_path / "release")
    assert (tmp_path / "release" / "deep" / "a.txt").read_text() == "text"
