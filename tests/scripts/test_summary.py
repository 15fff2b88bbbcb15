"""What is said at the end of a run."""

import sys

import pytest

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts"))

import summary


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([], "0 figures"),
        (["a.svg", "a.png"], "1 figure"),
        (["a.svg", "a.png", "b.svg", ".hidden.svg", "c.failed.svg"], "2 figures"),
    ],
)
def test_items_are_counted_once_and_one_is_singular(tmp_path, files, said):
    for name in files:
        (tmp_path / name).touch()
    assert summary.counted(tmp_path, "figure") == said
