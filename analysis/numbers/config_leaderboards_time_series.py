"""Numbers of config/leaderboards/time_series.md."""

import json

import pandas as pd

from analysis import paths
from analysis.leaderboards import resamples as ranked
from analysis.numbers.committed import outcomes, printed, table


def numbers():
    """Return what the fields of the document may name."""
    accuracies = outcomes("time_series.parquet")
    datasets, resamples = accuracies["dataset"].unique(), accuracies["resample"].nunique()
    classifiers = list(accuracies.columns[2:])
    archive = printed("dau2019", "sizes").set_index("dataset")
    sizes = archive.loc[datasets]
    shares = sizes["test"] / (sizes["train"] + sizes["test"])
    small = int((shares < 0.5).sum())
    readings = table("leaderboards/time_series_readings")
    khat = readings.pivot_table("k-hat", "comparison", "resamples are")
    named = table("leaderboards/time_series_datasets").set_index("dataset")
    found = table("leaderboards/time_series_pairs").iloc[0]
    tests = table("leaderboards/time_series_tests").set_index("test")
    chinatown = accuracies[accuracies["dataset"] == "Chinatown"]
    other_sizes = {
        total: [name for name in classifiers if _whole(chinatown[name] * total)]
        for total in (archive["test"]["Chinatown"], 345)
    }
    on_chinatown = {total: len(fitting) for total, fitting in other_sizes.items()}
    critical_difference = ranked.critical_difference(len(classifiers), len(datasets), 0.05)
    beside = table("leaderboards/time_series_neighbours")
    beside_alike = int((beside[["higher better on", "lower better on"]].max(axis=1) == 0).sum())
    matrix = json.loads(
        (paths.ROOT / "tables/leaderboards/time_series_plane_classifiers.json").read_text("utf-8")
    )
    leader_loses_on = [
        dataset
        for row in matrix["named"]
        for dataset, named in zip(matrix["datasets"], row[0] or [], strict=False)
        if named == 2
    ]
    simulated = pd.read_csv(paths.ROOT / "data" / "simulations" / "repeats.csv")
    simulated = simulated.query("n == @resamples and alpha == 0.05 and gain == 0")
    settings_of_simulation = len(simulated[["population", "items"]].drop_duplicates())
    rates = simulated["rejected"] / simulated["repetitions"]
    rejects = rates.groupby([simulated["test"], simulated["test_share"].round(2)]).max()
    return locals()


def _whole(counts):
    return bool((abs(counts - counts.round()) < 1e-6).all())
