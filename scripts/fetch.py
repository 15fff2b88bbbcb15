"""Fetch the upstream files of one source and check each by its SHA-256.

    python scripts/fetch.py SOURCE --into results/raw --listing FILE [--mirror DIR]

SOURCE is a name in data/sources.csv. Files come from their addresses, or from DIR, a folder laid
out as owner/repository/commit/path. A file that is there already with the right SHA-256 is left
alone, so that a run that was stopped goes on where it was. The listing, in the format of sha256sum,
is written last: where it exists, every file of the source was there and right.
"""

import argparse
import shutil
import signal
import sys
from pathlib import Path

import pooch
import requests
from tqdm import tqdm

from analysis import sources
from replicability import checks
from replicability.io import files

RETRIES = 3
"""How often a download is tried again, after 1, 2, ... seconds."""

TIMEOUT = 60
"""Seconds without a byte after which a download has failed."""

REMEDY = "run it again (finished files are kept), or pass a folder with the files: mirror=DIR"


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", help="a source of data/sources.csv")
    parser.add_argument("--into", type=Path, required=True, help="folder for the files")
    parser.add_argument("--listing", type=Path, required=True, help="the listing, written last")
    parser.add_argument("--mirror", type=Path, help="folder owner/repository/commit/path")
    options = parser.parse_args(arguments)
    try:
        rows = sources.rows(options.source)
        options.listing.unlink(missing_ok=True)
        fetch(rows, options.into, options.mirror)
        write_listing(rows, options.listing)
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(files.unwritten(options.listing, error), file=sys.stderr)
        return 1
    return 0


def fetch(rows, into, mirror=None, retries=RETRIES):
    """Make every file exist at its path with the right SHA-256.

    `rows`: rows of `analysis.sources.read`. `into`: folder for the files; each lies at its `path`
    below it. `mirror`: folder from which the files are taken, at the same paths, instead of their
    addresses. `retries`: how often a download that failed is tried again.

    Raises `InputError`: if a file is missing, differs from the list, or cannot be downloaded or
    written. No such file is left at its path by this function; files finished before it are kept.
    """
    if mirror is not None and not mirror.is_dir():
        raise checks.InputError(
            f"mirror {str(mirror)!r} is not a folder; pass one laid out as "
            "owner/repository/commit/path, or leave out mirror to download the files."
        )
    if mirror is None:
        _check_addresses(rows, into)
    pooch.get_logger().setLevel("WARNING")
    store = pooch.create(
        path=into,
        base_url="",
        registry=dict(zip(rows["path"], rows["sha256"], strict=True)),
        urls=dict(zip(rows["path"], rows["address"], strict=True)),
        retry_if_failed=retries if mirror is None else 0,
    )
    with tqdm(total=int(rows["bytes"].sum()), unit="B", unit_scale=True, disable=None) as progress:
        for row in rows.itertuples():
            progress.set_description(row.source, refresh=False)
            path = into / row.path
            try:
                # Several jobs may make the same folder at once, which pooch does not expect.
                path.parent.mkdir(parents=True, exist_ok=True)
                store.fetch(row.path, downloader=_downloader(row, mirror))
            except OSError as error:
                raise files.unwritten(path, error) from None
            progress.update(row.bytes)


def write_listing(rows, path):
    """Write the files of a source in the format of sha256sum, all or nothing.

    `rows`: rows of `analysis.sources.read`. `path`: the listing; its folder is made if it is
    missing.
    """
    with files.replacing(path) as part:
        part.write_text(
            "".join(f"{row.sha256}  {row.path}\n" for row in rows.itertuples()), encoding="utf-8"
        )


def _downloader(row, mirror):
    """Return what puts the file of a row at a temporary place and checks it there."""

    def from_mirror(url, output_file, _):
        held = mirror / row.path
        if not held.is_file():
            raise checks.InputError(
                f"{held} does not exist, but the mirror must contain {row.path} of the source "
                f"{row.source!r}; add it, or leave out mirror to download the files."
            )
        _link(held, Path(output_file))
        _check(Path(output_file), row, held, "the mirror's file has changed or was cut off")

    def from_address(url, output_file, _):
        try:
            pooch.HTTPDownloader(timeout=TIMEOUT)(url, output_file, None)
        except requests.RequestException as error:
            _check_complete(Path(output_file), row, url)
            raise checks.InputError(
                f"{url} could not be read: {_reason(error)}; {REMEDY}."
            ) from None
        _check_complete(Path(output_file), row, url)
        _check(Path(output_file), row, url, "the file at that address has changed")

    return from_address if mirror is None else from_mirror


def _link(held, path):
    """Link the file of a mirror, or copy it where links are not possible."""
    path.unlink()
    try:
        path.hardlink_to(held)
    except OSError:
        shutil.copyfile(held, path)


def _check_addresses(rows, into):
    """Refuse, before anything is downloaded, files that have no address and are not there."""
    for row in rows[rows["address"] == ""].itertuples():
        path = into / row.path
        if not (path.is_file() and pooch.file_hash(path) == row.sha256):
            raise checks.InputError(
                f"{row.path} of the source {row.source!r} cannot be downloaded; pass a folder that "
                f"contains it (mirror=DIR), or put it at {path}. 'Upstream files' in "
                "data/README.md explains how to make it."
            )


def _check_complete(path, row, url):
    """Refuse a download that broke off."""
    received = path.stat().st_size
    if 0 < received < row.bytes:
        raise checks.InputError(
            f"The download of {url} broke off after {received} of {row.bytes} bytes; {REMEDY}."
        )


def _check(path, row, origin, cause):
    """Refuse a file that is not the listed one."""
    size, sha256 = path.stat().st_size, pooch.file_hash(path)
    if size != row.bytes:
        raise checks.InputError(
            f"{origin} has {size} bytes, but data/sources.csv lists {row.bytes}; {cause}: "
            "use the listed version."
        )
    if sha256 != row.sha256:
        raise checks.InputError(
            f"{origin} has SHA-256 {sha256[:12]}, but data/sources.csv lists {row.sha256[:12]} "
            f"(first 12 digits); {cause}: use the listed version."
        )


def _reason(error):
    """Say briefly why a request failed."""
    if error.response is not None:
        return f"the server answered {error.response.status_code} {error.response.reason}"
    while error.__context__ is not None:
        error = error.__context__
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


if __name__ == "__main__":
    # A request to stop unwinds the stack, so that unfinished downloads are removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sys.exit(main())
