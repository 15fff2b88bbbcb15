"""Simulations at scale: settings, shards and their sums."""

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.methods.simulation import (
    Distribution,
    Group,
    distribution,
    exact_overestimation,
    pool,
    shard_chunks,
    true_number,
)
from replicability import checks
from replicability.io import delimited, files, text
from replicability.stats import partial_conjunction

COLUMNS = ("estimator", "k_hat", "families")
"""Columns of a file of frequencies: in how many families an estimator took a value."""


@dataclass(frozen=True)
class Settings:
    """What is simulated at scale.

    Attributes
    ----------
    name : str
        Name of the simulation, for its folder: lower-case letters, digits and underscores.
    n_families : int
        Number of families of each example.
    n_shards : int
        Number of jobs for each example; the result does not depend on it.
    seed : int
        Seed, as `distribution` takes it.
    alpha : float
        Level of significance, in (0, 1).
    estimators : tuple of str
        As `distribution` takes them.
    examples : dict of str to tuple of Group
        Name -> the groups that a family is made of.
    """

    name: str
    n_families: int
    n_shards: int
    seed: int
    alpha: float
    estimators: tuple
    examples: dict

    def run(self, example, shard):
        """Simulate one shard of an example.

        `example`: name of an example. `shard`: number of the shard, from 0 to ``n_shards - 1``.

        Returns Distribution. Frequencies in the families of the shard.

        Raises `InputError`: if there is no such example or shard.
        """
        checks.choice("example", example, self.examples)
        return distribution(
            self.examples[example],
            self.n_families,
            self.seed,
            self.alpha,
            self.estimators,
            shard=shard,
            n_shards=self.n_shards,
        )


def read_settings(path):
    """Read what is simulated at scale.

    `path`: YAML file with the attributes of `Settings` as keys; a group is a list of its size,
    correlation and effect, the last or the last two of which may be left out. A relative path
    starts at the checkout.

    Returns Settings. Checked.

    Raises `InputError`: if the file is missing, is not YAML, a key is missing or unknown, or a
    value is not valid.
    """
    content = text.load_yaml(path)
    where = text.shown(path)
    known = tuple(Settings.__dataclass_fields__)
    if not isinstance(content, dict):
        raise checks.InputError(f"{where} is not a mapping; give it the keys {', '.join(known)}.")
    for key in content:
        checks.choice(f"{where}: key", key, known)
    for key in known:
        if key not in content:
            raise checks.InputError(f"{where}: the key {key!r} is missing; add it.")
    try:
        return _settings(content)
    except checks.InputError as error:
        raise checks.InputError(f"{where}: {error}") from None


def write_frequencies(found, path):
    """Write the frequencies of a simulation as CSV, all or nothing.

    `path`: the file, with the columns `COLUMNS`; its folder is made if it is missing.
    """
    table = pd.concat(
        pd.DataFrame({"estimator": name, "k_hat": np.arange(len(counts)), "families": counts})
        for name, counts in found.frequencies.items()
    )
    write_table(table, path)


def read_frequencies(path, groups):
    """Read the frequencies of a simulation.

    `path`: CSV file that `write_frequencies` wrote. `groups`: the groups that a family is made of.

    Returns Distribution. The simulation.

    Raises `InputError`: if the file is missing or holds anything but frequencies of 0, ..., n for
    each estimator, with equal sums.
    """
    table = delimited.read_table(path)
    fault = checks.InputError(
        f"{text.shown(path)} does not have the frequencies of families for these groups; delete "
        "the file, and the workflow will write it again."
    )
    if tuple(table.columns) != COLUMNS or not table["families"].str.fullmatch(r"\d{1,18}").all():
        raise fault
    values = [str(value) for value in range(sum(group.size for group in groups) + 1)]
    frequencies = {}
    for name, rows in table.groupby("estimator", sort=False):
        if list(rows["k_hat"]) != values:
            raise fault
        frequencies[name] = rows["families"].to_numpy(dtype=np.int64)
    totals = {int(counts.sum()) for counts in frequencies.values()}
    if len(totals) != 1:
        raise fault
    return Distribution(totals.pop(), true_number(groups), frequencies)


def merge(settings, example, paths):
    """Pool the shards of an example from their files.

    `settings` (Settings): what was simulated. `example`: name of an example. `paths` (sequence of
    str or Path): one file for each shard, in any order.

    Returns Distribution. Of all families.

    Raises `InputError`: if a file is not one of frequencies, or the families are not as many as
    were asked for.
    """
    checks.choice("example", example, settings.examples)
    groups = settings.examples[example]
    found = pool(read_frequencies(path, groups) for path in paths)
    if found.n_families != settings.n_families:
        raise checks.InputError(
            f"The shards of {example!r} have {found.n_families:,} families, but the "
            f"settings ask for {settings.n_families:,}; pass the file of each shard once."
        )
    return found


def at_scale(settings, found):
    """Tabulate how often the estimators exceed the true number, beside what is exact.

    `settings`: what was simulated. `found`: example -> its simulation.

    Returns DataFrame. One row per example and estimator: ``example``, ``estimator``, ``families``;
    ``above``, the share of families with k-hat > k; ``standard_error`` of it; ``exact``, the
    probability, NaN if unknown; ``deviation`` of the share from it in standard errors; and
    ``above_one``, the share with k-hat > k + 1.
    """
    table = pd.DataFrame(
        {
            "example": example,
            "estimator": name,
            "families": simulated.n_families,
            "above": simulated.overestimated(name),
            "standard_error": simulated.standard_error(name),
            "exact": _exact_if_null(settings.examples[example], settings.alpha, name),
            "above_one": simulated.overestimated(name, by_more_than=1),
        }
        for example, simulated in found.items()
        for name in settings.estimators
    )
    error = np.sqrt(table["exact"] * (1 - table["exact"]) / table["families"])
    table.insert(6, "deviation", (table["above"] - table["exact"]) / error)
    return table


def write_table(table, path):
    """Write a table as CSV, all or nothing.

    `table`: the table; the index is not written. `path`: the file; its folder is made if it is
    missing.
    """
    with files.replacing(path) as part:
        table.to_csv(part, index=False, lineterminator="\n")


def _settings(content):
    """Check the values of settings."""
    name = content["name"]
    if not (isinstance(name, str) and re.fullmatch("[a-z][a-z0-9_]*", name)):
        raise checks.InputError(
            f"name is {name!r}; use lower-case letters, digits and underscores, with a letter "
            "first."
        )
    settings = Settings(
        name,
        checks.at_least("n_families", content["n_families"]),
        checks.at_least("n_shards", content["n_shards"]),
        checks.at_least("seed", content["seed"], 0),
        checks.alpha(content["alpha"]),
        _estimators(content["estimators"]),
        _examples(content["examples"]),
    )
    shard_chunks(settings.n_families, 0, settings.n_shards)
    return settings


def _estimators(names):
    if not (isinstance(names, list) and names and len(set(map(str, names))) == len(names)):
        raise checks.InputError(
            f"estimators is {names!r}; list each estimator once, such as [count, bonferroni]."
        )
    return tuple(checks.choice("estimator", n, partial_conjunction.ESTIMATORS) for n in names)


def _examples(examples):
    if not (isinstance(examples, dict) and examples):
        raise checks.InputError(
            f"examples is {examples!r}; map names to groups, such as independent: [[100, 0.0]]."
        )
    return {name: _example(name, groups) for name, groups in examples.items()}


def _example(name, groups):
    if not (isinstance(name, str) and re.fullmatch("[a-z][a-z0-9_]*", name)):
        raise checks.InputError(
            f"the example {name!r} has an invalid name; use lower-case letters, digits and "
            "underscores, with a letter first."
        )
    if not (isinstance(groups, list) and groups and all(map(_is_group, groups))):
        raise checks.InputError(
            f"the example {name!r} is {groups!r}; list its groups as [size, correlation] or [size, "
            "correlation, effect], such as [[34, 0.0], [66, 0.2]]."
        )
    return tuple(Group(*group) for group in groups)


def _is_group(group):
    return isinstance(group, list) and 1 <= len(group) <= 3 and all(map(_is_number, group))


def _is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def _exact_if_null(groups, alpha, estimator):
    if any(group.effect for group in groups):
        return float("nan")
    return exact_overestimation(groups, alpha, estimator)
