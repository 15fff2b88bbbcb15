"""How often the default call says something false: how it is measured, and what was measured."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import replicability as rep
from analysis import paths
from analysis.levels import cells, judge, measure
from analysis.levels.cells import Cell
from analysis.levels.populations import POPULATIONS
from analysis.tallies import write as write_tallies
from replicability.checks import InputError

GRID = """\
name: small
seed: 7
repetitions: 4
close: 9
grids:
  - {populations: [binary, normal], items: [10], datasets: [1, 4], declared: [nothing, independent]}
  - {populations: [binary], items: [10], datasets: [4], declared: [nothing], true_on: [0, 0.5]}
"""

NONE = dict.fromkeys(cells.SUMS, 0)


def cell(population="normal", claim="better", datasets=6, **more):
    standard = {"systems": 2, "items": 40, "declared": "nothing", "n_true": 0}
    return Cell(population=population, claim=claim, datasets=datasets, **standard | more)


def difference(population, frame):
    """Compute A minus B in the unit of the score, by other means than the library."""
    a, b = frame["A"], frame["B"]
    if population == "ratings":
        return np.subtract(*(stats.spearmanr(side, frame["gold"])[0] for side in (a, b)))
    if population == "shares":
        return (a.sum() - b.sum()) / frame["size"].sum()
    if population == "spans":
        guessed = a.sum(), b.sum() + frame["extra"].sum()
        return np.subtract(
            *(2 * x.sum() / (g + frame["gold"].sum()) for x, g in zip((a, b), guessed, strict=True))
        )
    return a.mean() - b.mean()


@pytest.mark.parametrize("name", POPULATIONS)
@pytest.mark.parametrize("gain", ["equal", "margin", "less", "effect"])
def test_the_gain_of_a_population_is_the_chosen_one(name, gain):
    margin, effect = POPULATIONS[name].margin, POPULATIONS[name].effect
    gain = {"equal": 0, "margin": margin, "less": -margin, "effect": effect}[gain]
    rng = np.random.default_rng(5)
    draws = [POPULATIONS[name].draw(rng, 4000, [gain]) for _ in range(30)]
    found = np.array([difference(name, frame) for frame in draws]) - gain
    assert abs(found.mean()) < 4 * found.std(ddof=1) / np.sqrt(30)
    assert found.std() > 0


@pytest.mark.parametrize("name", ["binary", "ordinal", "normal", "skew_left", "rare_losses"])
def test_several_systems_have_one_mean(name):
    frame = POPULATIONS[name].draw(np.random.default_rng(2), 200_000, [0], 3)
    assert list(frame) == ["dataset", "B", "A1", "A2", "A3"]
    scores = frame[["B", "A1", "A2", "A3"]]
    error = (scores.sub(frame["B"], axis=0)).std().max() / np.sqrt(len(frame))
    assert np.ptp(scores.mean()) < 5 * error


def correlation(frame):
    """Return the correlation of the differences of the first two datasets."""
    first, second = (rows["A"] - rows["B"] for _, rows in frame.groupby("dataset"))
    return np.corrcoef(first, second)[0, 1]


def test_datasets_are_as_dependent_as_they_say():
    rng = np.random.default_rng(3)
    frames = {name: POPULATIONS[name].draw(rng, 20_000, [0, 0]) for name in POPULATIONS}
    assert correlation(frames["shared_skewed"]) == pytest.approx(0.8, abs=0.02)
    assert 0.6 < correlation(frames["shared"]) < 0.8
    assert correlation(frames["copies"]) == pytest.approx(1)
    assert abs(correlation(frames["skew_left"])) < 0.03
    for name, column in (("clusters", "unit"), ("clusters_hidden", "passage")):
        rows = frames[name].query("dataset == 'd0'")
        totals = (rows["A"] - rows["B"]).groupby(rows[column]).sum()
        assert (
            totals.var() > 1.5 * rows.groupby(column).size().mean() * (rows["A"] - rows["B"]).var()
        )


def test_spans_are_read_with_the_counts_that_were_drawn(tmp_path):
    frame = POPULATIONS["spans"].draw(np.random.default_rng(1), 30, [0, 0])
    gold, a, b = measure.write_spans(frame, tmp_path)
    result = rep.compare(a, b, a="A", b="B", gold=gold, format="spans")
    for row in result.table.itertuples():
        drawn = frame[frame["dataset"] == row.dataset]
        assert row.difference == pytest.approx(difference("spans", drawn))
        assert row.n == 30


@pytest.mark.parametrize(
    ("claim", "gains", "of_a", "of_b"),
    [
        ("better", [0.4, 0, 0], [True, False, False], [False, False, False]),
        ("better_by", [0.9, 0.5, 0.5], [True, False, False], [False, False, False]),
        ("not_worse", [-0.1, -0.5, -0.5], [True, False, False], [True, True, True]),
        ("equivalent", [0, 0.5, 0.5], [True, False, False], [True, False, False]),
    ],
)
def test_a_claim_is_true_on_as_many_datasets_as_the_cell_says(claim, gains, of_a, of_b):
    known = cell(claim=claim, datasets=3, n_true=1)
    assert known.gains == pytest.approx(gains)
    assert [known.is_true(gain) for gain in known.gains] == of_a
    assert [known.is_true(-gain) for gain in known.gains] == of_b


@pytest.mark.parametrize(("n_true", "a_is_false"), [(0, True), (1, False), (2, False)])
@pytest.mark.parametrize("turned", [False, True])
def test_what_is_said_is_false_where_it_exceeds_the_truth(n_true, a_is_false, turned):
    clear = (np.arange(20) + 1.0, np.zeros(20))
    level = (np.arange(20.0), np.arange(20.0))
    data = {"d0": clear[::-1] if turned else clear, "d1": level}
    known = cell(datasets=2, n_true=n_true)
    found = measure.false_statements(known, rep.compare(data, a="A", b="B"))
    assert found == ((False, True) if turned else (a_is_false, False))


def test_a_family_of_equal_systems_is_false_if_any_pair_is_decided():
    base = np.arange(30) % 2
    frame = pd.DataFrame({"B": base, "A1": base, "A2": base, "A3": base})
    known = cell("binary", systems=4, datasets=1)
    assert measure.false_statements(known, rep.all_pairs(frame)) == (False, False)
    decided = rep.all_pairs(frame.assign(A3=1, B=0))
    assert measure.false_statements(known, decided) == (True, False)


def test_a_tally_follows_from_its_cell_alone():
    known = cell("binary", datasets=2)
    first, second = (measure.tally(known, 5, 5, 1) for _ in range(2))
    assert first == second
    assert first["repetitions"] == 5
    assert measure.tally(known, 5, 5, 2).keys() == first.keys() == {*cells.KEYS, *cells.SUMS}
    draws = [
        measure.said(c, np.random.default_rng(np.random.SeedSequence(1, spawn_key=key)))
        for c, key in ((known, (*known.name.encode(), k)) for k in range(5))
    ]
    assert first["count"] == sum(found.get("count", 0) for found in draws)


@pytest.mark.parametrize(
    ("false", "warned", "repetitions"),
    [
        (10, False, 600),  # .067: close to the level, and to the end, though none is false later
        (7, False, 150),  # below it
        (22, False, 600),  # .147: at most three times the level
        (23, False, 150),  # far above it
        (10, True, 600),
    ],
)
def test_a_cell_close_to_the_level_is_repeated(monkeypatch, false, warned, repetitions):
    calls = iter(range(10_000))

    def said(*_):
        wrong = next(calls) < false
        return {"false": wrong, "warned": warned, "unwarned": wrong and not warned}

    monkeypatch.setattr(measure, "said", said)
    found = measure.tally(cell(), 150, 600, 0)
    assert (found["repetitions"], found["false"]) == (repetitions, false)
    assert found["unwarned"] == (0 if warned else false)


def test_a_call_that_is_refused_says_nothing(monkeypatch):
    def refuse(*_):
        raise InputError("Too few items.")

    monkeypatch.setattr(measure, "call", refuse)
    found = measure.tally(cell(), 4, 4, 0)
    assert found["refused"] == found["repetitions"] == 4
    assert found["false"] == 0


def tallies(*rows):
    """Make tallies of cells with 400 repetitions."""
    standard = {**dataclasses.asdict(cell()), **NONE, "repetitions": 400}
    return pd.DataFrame([standard | row for row in rows])


def test_a_cell_holds_the_level_or_says_that_it_does_not():
    found = judge.judged(
        tallies(
            {"false": 33, "unwarned": 33},  # .0825, and the limit is .0827
            {"false": 34, "unwarned": 34},
            {"false": 200, "unwarned": 33, "warned": 300},
            {"n_true": 6, "count": 600},
            {"n_true": 3, "count": 600},
            {"refused": 400},
        )
    )
    verdicts = [judge.HOLDS, judge.FAILS, judge.CARE, *[judge.HOLDS] * 2, judge.REFUSED]
    assert found["verdict"].tolist() == verdicts
    assert found["limit"][0] == pytest.approx(0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5)
    assert found["power"].dropna().tolist() == [0.25]
    assert found["warned"][2] == 0.75


def test_the_worst_cell_of_a_population_and_size_is_shown():
    rows = [{"items": 10, "false": 20}, {"items": 10, "false": 40, "unwarned": 0}]
    rows += [{"items": 40, "false": 40, "unwarned": 40}, {"population": "binary"}]
    table = judge.worst(judge.judged(tallies(*rows)))
    assert table.loc["normal"].tolist() == ["0.100 needs care", "0.100 fails"]
    assert table.loc["binary"].tolist() == ["", "0.000"]


# --- the grid ------------------------------------------------------------------------------------


def test_an_entry_is_every_combination_of_its_lists(write):
    grid = cells.read_grid(write("small.yaml", GRID))
    names = [
        *("binary-better-2-10-1-nothing-0", "binary-better-2-10-4-nothing-0"),
        *("binary-better-2-10-4-independent-0", "normal-better-2-10-1-nothing-0"),
        *("normal-better-2-10-4-nothing-0", "normal-better-2-10-4-independent-0"),
        "binary-better-2-10-4-nothing-2",
    ]
    assert [known.name for known in grid.repetitions] == names
    assert {block: len(of) for block, of in grid.blocks.items()} == {"binary_10": 4, "normal_10": 3}
    assert set(grid.repetitions.values()) == {4}
    assert "binary-better-2-10-4-nothing-2" in grid.asked("binary_10")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[binary, normal]", "[binary, norml]", "did you mean 'normal'"),
        ("[nothing, independent]", "[maybe]", "one of nothing, independent, positive"),
        ("seed: 7", "seed: -7", "a seed must be a whole number"),
        ("close: 9", "close: 9\nalpha: 1", "alpha"),
        ("items: [10], datasets: [4]", "items: [3], datasets: [4]", "of at least 4"),
        ("[0, 0.5]", "[0, 1.5]", "a number from 0 to 1"),
    ],
)
def test_a_wrong_grid_is_a_sentence(write, old, new, message):
    with pytest.raises(InputError, match=message):
        cells.read_grid(write("small.yaml", GRID.replace(old, new, 1)))


def test_blocks_are_gathered_in_any_order(write, tmp_path):
    grid = cells.read_grid(write("small.yaml", GRID))
    files = []
    for block, of in grid.blocks.items():
        files.append(tmp_path / f"{block}.csv")
        rows = [{**dataclasses.asdict(known), **NONE, "repetitions": 4} for known in of]
        write_tallies(pd.DataFrame(rows), files[-1])
    forth, back = (cells.in_order(grid, cells.read_tallies(*f)) for f in (files, files[::-1]))
    pd.testing.assert_frame_equal(forth, back)
    assert cells.cells_of(forth) == list(grid.repetitions)
    with pytest.raises(InputError, match="hold 3 tallies, but the grid has 7 cells"):
        cells.in_order(grid, cells.read_tallies(files[1]))
    with pytest.raises(InputError, match=r"grid\.csv does not have tallies"):
        cells.read_tallies(write("grid.csv", "a,b\n1,2\n"))


# --- what was measured ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def measured():
    """Return the committed tallies."""
    return cells.read_tallies(paths.ROOT / "data" / "simulations" / "levels.csv")


def test_the_committed_tallies_are_those_of_the_grid(measured):
    grid = cells.read_grid()
    pd.testing.assert_frame_equal(cells.in_order(grid, measured), measured)
    assert (measured["repetitions"] >= list(grid.repetitions.values())).all()


def test_no_cell_exceeds_the_level_unless_the_program_says_so(measured):
    found = judge.judged(measured)
    fails = found[found["verdict"] == judge.FAILS].sort_values("unwarned", ascending=False)
    assert fails.empty, fails.head(20).to_string()


def test_the_level_is_not_held_by_never_finding_anything(measured):
    found = judge.judged(measured)
    easy = found[(found["items"] == 250) & (found["claim"] == "better")].dropna(subset="power")
    assert len(easy) >= 8
    assert easy["power"].min() > 0.3


@pytest.mark.long
def test_the_worst_cells_hold_the_level_when_they_are_measured_again(measured):
    found = judge.judged(measured)
    small = found[(found["items"] <= 100) & (found["datasets"] <= 10) & (found["n_true"] == 0)]
    chosen = small.sort_values("unwarned", kind="stable").groupby("population").tail(1)
    rows = [measure.tally(known, 60, 60, seed=1) for known in cells.cells_of(chosen)]
    again = judge.judged(pd.DataFrame(rows))
    fails = again[again["verdict"] == judge.FAILS]
    assert fails.empty, fails.to_string()
