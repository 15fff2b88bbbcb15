"""The sample that the type checker reads does what it says."""

import pytest
import usage

from replicability import InputError


@pytest.mark.slow
def test_the_sample_runs(tmp_path):
    said = usage.frames(tmp_path)
    assert said.startswith("ours outperforms base on the only dataset")
    assert "McNemar" in said
    forth, back = usage.arrays()
    assert forth.startswith("A outperforms B")
    assert back.startswith("There is no evidence that B outperforms A")
    assert usage.pvalues() == ["news", "law"]
    assert usage.systems().loc["x", "y"] == 1
    assert issubclass(InputError, ValueError)
