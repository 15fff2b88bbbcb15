"""Every argument of every public function, given values of every wrong type: sentences only."""

import inspect

import numpy as np
import pandas as pd
import pytest

import replicability as rep

SCORES = rep.example()
PRINTED = {"dataset": ["x", "y"], "a": [80.1, 70.2], "b": [79.0, 71.0], "p": [0.01, 0.2]}
TWO = {"systems": ["baseline", "ours"], "margin": 0.01}

VALID = {
    rep.compare: (SCORES, {"a": "ours", "b": "baseline"}),
    rep.count: ([0.01, 0.2], {}),
    rep.all_pairs: (SCORES.assign(third=SCORES["ours"]), {}),
    rep.against: (SCORES.assign(third=SCORES["ours"]), {"baseline": "baseline"}),
    rep.design: (500, {"datasets": 5, "discordant": 0.15}),
    rep.gate: (SCORES, TWO),
    rep.assert_not_worse: (SCORES, {**TWO, "unsure": "pass", "alpha": 0.5}),
    rep.audit: (pd.DataFrame(PRINTED), {"scores": ["a", "b"]}),
    rep.check: (SCORES, {}),
}
"""Function -> its first argument and keywords of a call that is right."""

WRONG = (
    *(None, "x", "", b"x", -1, 0, 2, 1.5, float("nan"), True, object(), {}, {"x": 1}),
    *([1], [], (1, 2), [0.05, 0.01], ["x", "y"], [["a"], ["b"]], {1, 2}),
    *(np.array([1, 2]), np.array([["x"]]), np.array(["x", "y"])),
)


@pytest.mark.long
@pytest.mark.parametrize(
    ("function", "name"),
    [
        pytest.param(function, name, id=f"{function.__name__}, {name}")
        for function in VALID
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_a_wrong_type_is_refused_with_a_sentence_if_at_all(function, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, given = VALID[function]
    positional = next(iter(inspect.signature(function).parameters)) == name
    for value in WRONG:
        try:
            function(value, **given) if positional else function(first, **{**given, name: value})
        except (rep.InputError, AssertionError) as error:
            assert len(str(error).splitlines()) == 1 or isinstance(error, AssertionError), value
