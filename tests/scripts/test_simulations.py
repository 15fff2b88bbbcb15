"""The script of the simulations at scale: what it says of wrong arguments."""

import sys

import pytest

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts"))

import simulations

SETTINGS = """\
name: small
n_families: 9000
n_shards: 2
seed: 7
alpha: 0.05
estimators: [count, fisher]
examples:
  independent: [[20, 0.0]]
"""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("shard", "independant", "0"), "did you mean 'independent'?"),
        (
            ("shard", "independent", "2"),
            "shard is 2, but shards are numbered from 0 to 1.",
        ),
        (("merge", "independent", "lost.csv"), "lost.csv does not exist"),
        (("merge", "independent", "data/sources.csv"), "does not have the frequencies"),
        (
            ("table", "independent"),
            "'independent' does not name an example and a file; write EXAMPLE=FILE.",
        ),
    ],
)
def test_the_script_says_what_is_wrong(arguments, sentence, write, tmp_path, capsys):
    command, *rest = arguments
    settings = write("small.yaml", SETTINGS)
    output = tmp_path / "out.csv"
    assert simulations.main([command, str(settings), *rest, "--output", str(output)]) == 1
    message = capsys.readouterr().err
    assert sentence in message
    assert len(message.splitlines()) == 1
    assert not output.exists()
