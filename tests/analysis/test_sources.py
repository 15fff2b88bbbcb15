"""The list of upstream files, and fetching them."""

import contextlib
import hashlib
import http.server
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest

from analysis import paths, sources
from replicability.checks import InputError

sys.path.insert(0, str(paths.ROOT / "scripts"))
import fetch

README = (paths.ROOT / "data" / "README.md").read_text(encoding="utf-8").partition("## Upstream")[2]
TABLE = sources.read()


# --- the list ------------------------------------------------------------------------------------


def test_every_file_is_described():
    assert tuple(TABLE.columns) == sources.COLUMNS
    required = TABLE.drop(columns=["address", "bytes"])
    assert not (required == "").any(axis=None)
    assert (TABLE["bytes"] > 0).all()
    assert TABLE["sha256"].str.fullmatch("[0-9a-f]{64}").all()


def test_paths_are_unique_and_stay_below_the_folder():
    assert TABLE["path"].is_unique
    assert TABLE["path"].str.fullmatch(r"[\w+-][\w.+-]*(/[\w+-][\w.+-]*)+").all()


def test_addresses_name_a_commit_and_end_in_the_path():
    addressed = TABLE[TABLE["address"] != ""]
    assert (addressed["address"] == "https://raw.githubusercontent.com/" + addressed["path"]).all()
    assert addressed["path"].str.fullmatch(r"[^/]+/[^/]+/[0-9a-f]{40}/.+").all()
    own = TABLE.loc[TABLE["address"] == "", "path"]
    assert own.str.match("(files|archives)/").all()


def test_the_open_study_has_its_sources():
    names = sources.names()
    assert len(names) == len(set(names))
    for prefix, number in (("conll2018_", 23), ("conll2017_", 2), ("ud14_", 23)):
        assert sum(name.startswith(prefix) for name in names) == number
    gold = [path for path in sources.files("conll2018_en_gum") if "00-gold-standard" in path]
    assert len(gold) == 1
    assert not TABLE["path"].str.contains("blind").any()


def test_the_readme_names_every_source_and_every_citation():
    kinds = {re.sub(r"^(conll201.|ud14)_.*", r"\1", name) for name in sources.names()}
    for name in (*kinds, *TABLE["citation"]):
        assert re.search(rf"`{name}(?:_<\w+>)?`", README), name


def test_the_readme_counts_the_files_of_every_group():
    group = TABLE["source"].str.replace(r"(conll201.|ud14)_.*", r"\1", regex=True)
    counted = TABLE.groupby(group)["bytes"].agg(["size", "sum"])
    rows = re.findall(r"^\| `(\w+?)(?:_<\w+>)?` \| .* \| (\d+) \| ([\d.]+) \|", README, re.M)
    assert {name: (int(files), mb) for name, files, mb in rows} == {
        name: (row["size"], f"{row['sum'] / 1e6:.1f}") for name, row in counted.iterrows()
    }


def test_the_readme_says_under_which_licences_the_treebanks_are():
    treebanks = TABLE[TABLE["source"].str.match("conll201[78]_|ud14_")].drop_duplicates("source")
    licences = treebanks.set_index("source")["licence"]
    others = licences[~licences.str.match(r"CC BY(?:-NC)?-SA [34]\.0")]
    assert list(others.index) == ["conll2018_es_ancora", "conll2018_lv_lvtb"]
    assert others.iloc[0] == "GPL-3.0"
    assert others.iloc[1].startswith("per treebank")
    assert "Spanish AnCora is under GPL-3.0" in README
    assert "Latvian LVTB" in README


def test_an_unknown_source_is_refused_with_the_nearest():
    with pytest.raises(InputError, match=r"'conll2018_en_gumm' is not one of .*'conll2018_en_gum'"):
        sources.files("conll2018_en_gumm")


# --- fetching ------------------------------------------------------------------------------------


def listed(contents, address=""):
    """Return rows for contents: path -> bytes."""
    return pd.DataFrame(
        {
            "source": "example",
            "path": path,
            "address": address and f"{address}/{path}",
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        for path, content in contents.items()
    )


@pytest.fixture
def contents():
    return {f"owner/name/c0/folder{i}/file.txt": bytes([65 + i]) * (5000 + i) for i in range(3)}


@pytest.fixture
def held(tmp_path, contents):
    """Return a mirror that holds the contents."""
    for path, content in contents.items():
        (tmp_path / "mirror" / path).parent.mkdir(parents=True)
        (tmp_path / "mirror" / path).write_bytes(content)
    return tmp_path / "mirror"


def fetched(into):
    return {
        path.relative_to(into).as_posix(): path.read_bytes()
        for path in into.rglob("*")
        if path.is_file()
    }


class Server:
    """Serve contents on the loopback; `answers` holds the lines to take for a path, in turn."""

    def __init__(self, contents):
        self.contents, self.answers, self.requests = contents, {}, []
        self.release = threading.Event()

    @contextlib.contextmanager
    def run(self):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.removeprefix("/")
                outer.requests.append(path)
                answers = outer.answers.get(path)
                status, body, length = answers.pop(0) if answers else outer.usual(path)
                self.send_response(status)
                self.send_header("Content-Length", str(length))
                self.end_headers()
                self.wfile.write(body)
                if status == 200 and length > len(body) and not outer.release.is_set():
                    self.wfile.flush()
                    outer.release.wait(20)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            self.release.set()
            server.shutdown()
            server.server_close()

    def usual(self, path):
        content = self.contents.get(path)
        return (404, b"", 0) if content is None else (200, content, len(content))


@pytest.fixture
def server(contents, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = Server(dict(contents))
    with server.run() as address:
        server.address = address
        yield server


@pytest.mark.parametrize("linkable", [True, False])
def test_files_come_from_a_mirror(tmp_path, contents, held, monkeypatch, linkable):
    if not linkable:

        def refuse(self, target):
            raise OSError("cross-device link")

        monkeypatch.setattr("pathlib.Path.hardlink_to", refuse)
    fetch.fetch(listed(contents), tmp_path / "raw", held)
    assert fetched(tmp_path / "raw") == contents


def test_files_come_from_their_addresses(tmp_path, contents, server):
    fetch.fetch(listed(contents, server.address), tmp_path / "raw")
    assert fetched(tmp_path / "raw") == contents
    assert sorted(server.requests) == sorted(contents)


def test_a_right_file_is_left_alone_and_a_wrong_one_replaced(tmp_path, contents, server):
    rows, into = listed(contents, server.address), tmp_path / "raw"
    first, second, third = contents
    for path, content in ((first, contents[first]), (second, b"wrong")):
        (into / path).parent.mkdir(parents=True)
        (into / path).write_bytes(content)
    before = (into / first).stat()
    fetch.fetch(rows, into)
    assert (into / first).stat().st_ino == before.st_ino
    assert server.requests == [second, third]
    assert fetched(into) == contents


def test_a_wrong_file_in_the_folder_does_not_change_the_mirror(tmp_path, contents, held):
    into, path = tmp_path / "raw", next(iter(contents))
    fetch.fetch(listed(contents), into, held)
    (into / path).unlink()
    (into / path).write_bytes(b"wrong")
    fetch.fetch(listed(contents), into, held)
    assert fetched(into) == fetched(held) == contents


def test_jobs_may_share_a_folder(tmp_path, contents, held):
    rows = listed(contents)
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(fetch.fetch, rows, tmp_path / "raw", held) for _ in range(16)]
        for job in jobs:
            job.result()
    assert fetched(tmp_path / "raw") == contents


def test_a_file_missing_in_the_mirror_is_named(tmp_path, contents, held):
    first, second, _ = contents
    (held / second).unlink()
    with pytest.raises(InputError, match=rf"mirror/{second} does not exist.*add it, or leave"):
        fetch.fetch(listed(contents), tmp_path / "raw", held)
    assert fetched(tmp_path / "raw") == {first: contents[first]}


def test_a_mirror_that_is_no_folder_is_refused(tmp_path, contents):
    with pytest.raises(InputError, match=r"mirror '.*nowhere' is not a folder; pass one laid out"):
        fetch.fetch(listed(contents), tmp_path / "raw", tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"A" * 4999, "has 4999 bytes, but data/sources.csv lists 5000; the mirror's file has"),
        # printf 'B%.0s' $(seq 5000) | sha256sum, and the same with A
        (b"B" * 5000, "has SHA-256 63b754838ed5, but .* lists 260679791fa8 .*mirror's file has"),
    ],
)
def test_a_wrong_file_in_the_mirror_is_refused(tmp_path, contents, held, content, message):
    path = next(iter(contents))
    (held / path).write_bytes(content)
    with pytest.raises(InputError, match=message):
        fetch.fetch(listed(contents), tmp_path / "raw", held)
    assert fetched(tmp_path / "raw") == {}


def test_a_download_that_breaks_off_says_how_far_it_came(tmp_path, contents, server):
    path = next(iter(contents))
    server.release.set()
    server.answers[path] = [(200, contents[path][:4096], 5000)]
    with pytest.raises(
        InputError, match=r"broke off after 4096 of 5000 bytes; run it again .*mirror="
    ):
        fetch.fetch(listed(contents, server.address), tmp_path / "raw", retries=0)
    assert fetched(tmp_path / "raw") == {}


def test_a_short_body_without_an_error_broke_off_too(tmp_path, contents, server):
    path = next(iter(contents))
    server.answers[path] = [(200, contents[path][:4096], 4096)]
    with pytest.raises(InputError, match="broke off after 4096 of 5000 bytes"):
        fetch.fetch(listed(contents, server.address), tmp_path / "raw", retries=0)


def test_changed_content_at_an_address_is_refused(tmp_path, contents, server):
    path = next(iter(contents))
    server.contents[path] = b"B" * 5000
    with pytest.raises(
        InputError,
        match=r"63b754838ed5, .* lists 260679791fa8 .*that address has changed",
    ):
        fetch.fetch(listed(contents, server.address), tmp_path / "raw", retries=0)
    assert fetched(tmp_path / "raw") == {}


def test_a_file_that_is_gone_names_its_address(tmp_path, contents, server):
    first, second, _ = contents
    del server.contents[second]
    with pytest.raises(
        InputError, match=rf"{second} could not be read: the server answered 404 Not"
    ):
        fetch.fetch(listed(contents, server.address), tmp_path / "raw", retries=0)
    assert fetched(tmp_path / "raw") == {first: contents[first]}


def test_no_server_is_a_sentence(tmp_path, contents, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    rows = listed(contents, "http://127.0.0.1:9")
    with pytest.raises(
        InputError, match=r"127.0.0.1:9/.* Connection refused; run it again .*mirror="
    ):
        fetch.fetch(rows, tmp_path / "raw", retries=0)


def test_a_failed_download_is_tried_again(tmp_path, contents, server):
    path = next(iter(contents))
    server.answers[path] = [(503, b"", 0)]
    fetch.fetch(listed(contents, server.address), tmp_path / "raw", retries=1)
    assert fetched(tmp_path / "raw") == contents
    assert server.requests.count(path) == 2


def test_a_file_without_address_needs_a_mirror_before_anything_is_loaded(
    tmp_path, contents, server
):
    rows, into, path = listed(contents, server.address), tmp_path / "raw", list(contents)[2]
    rows.loc[2, "address"] = ""
    with pytest.raises(InputError, match=rf"{path} .* cannot be downloaded; .*mirror=DIR"):
        fetch.fetch(rows, into)
    assert not server.requests
    (into / path).parent.mkdir(parents=True)
    (into / path).write_bytes(contents[path])
    fetch.fetch(rows, into)
    assert fetched(into) == contents


KILLED = """
import sys
from pathlib import Path
import pandas as pd
sys.path.insert(0, "scripts")
import fetch
fetch.fetch(pd.read_csv(sys.argv[1]), Path(sys.argv[2]))
"""


def test_a_run_that_was_killed_goes_on_where_it_was(tmp_path, contents, server):
    rows, into = listed(contents, server.address), tmp_path / "raw"
    first, second, third = contents
    rows.to_csv(tmp_path / "rows.csv", index=False)
    server.answers[second] = [(200, contents[second][:4096], len(contents[second]))]
    command = [sys.executable, "-c", KILLED, str(tmp_path / "rows.csv"), str(into)]
    with subprocess.Popen(command, cwd=paths.ROOT) as run:
        deadline = time.monotonic() + 3600
        while second not in server.requests and time.monotonic() < deadline:
            time.sleep(0.02)
        run.send_signal(signal.SIGKILL)
    assert (into / first).read_bytes() == contents[first]
    assert not (into / second).exists()
    fetch.fetch(rows, into)
    assert {path: (into / path).read_bytes() for path in contents} == contents
    assert server.requests == [first, second, second, third]


# --- the command line ----------------------------------------------------------------------------


def test_a_source_is_fetched_and_listed(tmp_path, mirror, capfd):
    into, listing = tmp_path / "raw", tmp_path / "made" / "word_sim.txt"
    command = ["word_sim", "--into", str(into), "--listing", str(listing)]
    assert fetch.main([*command, "--mirror", str(mirror("word-sim"))]) == 0
    assert capfd.readouterr() == ("", "")
    assert sorted(fetched(into)) == sorted(sources.files("word_sim"))
    lines = [line.split("  ") for line in listing.read_text().splitlines()]
    assert [path for _, path in lines] == sources.files("word_sim")
    for sha256, path in lines:
        assert hashlib.sha256((into / path).read_bytes()).hexdigest() == sha256


def test_a_failure_leaves_no_listing(tmp_path, held, capsys):
    listing = tmp_path / "word_sim.txt"
    listing.write_text("of an earlier run")
    command = ["word_sim", "--into", str(tmp_path / "raw"), "--listing", str(listing)]
    assert fetch.main([*command, "--mirror", str(held)]) == 1
    assert re.fullmatch(r"\S+EN-MC-30.txt does not exist, but .*\n", capsys.readouterr().err)
    assert not listing.exists()


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path, held, capsys):
    command = ["word_sim", "--into", str(tmp_path / "file"), "--listing", str(tmp_path / "l")]
    (tmp_path / "file").write_text("")
    assert fetch.main([*command, "--mirror", str(held)]) == 1
    assert "/file/" in (said := capsys.readouterr().err)
    assert "could not be written: not a directory" in said


def test_an_unknown_source_ends_with_status_1(tmp_path, capsys):
    command = ["word_simm", "--into", str(tmp_path), "--listing", str(tmp_path / "l")]
    assert fetch.main(command) == 1
    assert "did you mean 'word_sim'?" in capsys.readouterr().err
