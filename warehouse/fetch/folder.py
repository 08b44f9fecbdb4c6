"""Reads publishers' files from local folders. A file that no layout names and that is not a table
stops the source; tables are checked later by their columns."""

from fnmatch import fnmatchcase
from pathlib import Path

from schemas.sources.registry import Source, is_table_name
from warehouse.fetch.errors import DamagedInputError, FetchError, UnexpectedFileError
from warehouse.fetch.web import Report
from warehouse.raw_store import Arrival, RawFile, RawStore

# Documents next to the data.
_ABOUT_PATTERNS = (
    "manifest*",
    "readme*",
    "licen[cs]e*",
    "notice*",
    "checksums*",
    "sha256sums*",
    "datapackage.json",
)


def take_from_folder(root: Path, source: Source, store: RawStore, report: Report) -> list[RawFile]:
    """Store every file of the source's folders below `root/sources/` or, if that is missing,
    `root/`; missing folders are reported and skipped. Raises FetchError if `root` is not a folder.
    """
    if not root.is_dir():
        raise FetchError(str(root), "there is no such folder", "Check the path to the files")
    root = find_sources(root)
    try:
        paths = _data_files(root, source, report)
        if not paths:
            report(f"{source.id}: skipped, no files below {root.name}/")
            return []
        with store.updating(source.id):
            files = [_keep(path, source, store) for path in paths]
            store.replace_latest(source.id, files)
    except FetchError as error:
        error.source_id = source.id
        raise
    report(f"{source.id}: {len(files)} files, {sum(f.size_bytes for f in files)} bytes")
    return files


def find_sources(root: Path) -> Path:
    """Return the folder that has the sources' folders: `root/sources`, else `root`."""
    beneath = root / "sources"
    return beneath if beneath.is_dir() else root


def _data_files(root: Path, source: Source, report: Report) -> list[Path]:
    paths: list[Path] = []
    for folder in source.folders:
        path = root / folder
        if path.is_dir():
            paths += _files_with_a_layout(path, source)
        else:
            report(f"{source.id}: folder {folder} is not there")
    _refuse_same_names(paths)
    return paths


def _files_with_a_layout(folder: Path, source: Source) -> list[Path]:
    entries = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    data_files = [
        path
        for path in entries
        if path.is_file()
        and (
            source.layout_of(path.name) is not None
            or (is_table_name(path.name) and not _is_about(path))
        )
    ]
    unexpected = [path.name for path in entries if path not in data_files and not _is_about(path)]
    if unexpected:
        patterns = ", ".join(layout.pattern for layout in source.files)
        raise UnexpectedFileError(
            folder.name, f"no layout names {', '.join(unexpected)} (layouts: {patterns})"
        )
    return data_files


def _is_about(path: Path) -> bool:
    name = path.name.casefold().removesuffix(".gz")
    return path.is_file() and any(fnmatchcase(name, pattern) for pattern in _ABOUT_PATTERNS)


def _refuse_same_names(paths: list[Path]) -> None:
    first: dict[str, Path] = {}
    for path in paths:
        other = first.setdefault(path.name.removesuffix(".gz"), path)
        if other is not path:
            names = [f"{each.parent.name}/{each.name}" for each in (other, path)]
            raise DamagedInputError(
                names[1], f"has the name of {names[0]}", "Rename one of the two"
            )


def _keep(path: Path, source: Source, store: RawStore) -> RawFile:
    address = f"{path.parent.name}/{path.name}"
    layout = source.layout_of(path.name)
    arrival = Arrival(
        media_type=layout.media_type if layout else None,
        source_updated_date=source.vintage_of(path.name),
    )
    try:
        return store.keep_file(source.id, path, address, path.name, arrival)
    except ValueError as error:
        raise DamagedInputError(address, str(error).removeprefix(f"{path.name}: ")) from error
