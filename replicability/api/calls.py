"""The functions that a session calls: `compare`, `count`, `bounds`, `all_pairs`."""

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np
import pandas as pd

from replicability import checks
from replicability.api import result, sides, sources
from replicability.api.columns import Declared, Systems, alike
from replicability.api.family import Family
from replicability.api.many import many_systems
from replicability.api.named import named_values, refuse_names
from replicability.api.result import Result
from replicability.checks import InputError
from replicability.core import all_pairs as pairs_
from replicability.core import evaluation, wins
from replicability.core.tested import Tested
from replicability.io import formats, study
from replicability.io.declared import INSTANCE
from replicability.io.held import Held, is_frame
from replicability.io.instances import LONG
from replicability.io.matching import ONE
from replicability.io.pvalues import raised

Dependence = Literal["independent", "positive", "dependent"]
Alternative = Literal["two-sided", "greater"]


def compare(
    data: Any,
    other: Any = None,
    *,
    a: object = None,
    b: object = None,
    dataset: object = None,
    instance: object = None,
    system: object = None,
    score: object = None,
    size: object = None,
    gold: object = None,
    unit: object = None,
    one_dataset: bool = False,
    datasets: Iterable[str] = (),
    shared: bool | Mapping[str, Iterable[str]] = False,
    groups: Mapping[str, Iterable[str]] | None = None,
    test: str | None = None,
    dependence: Dependence | None = None,
    alternative: Alternative | None = None,
    alpha: float | Sequence[float] = 0.05,
    procedure: Literal["closed", "paper"] = "closed",
    method: str | None = None,
    seed: int = 0,
    **more: Any,
) -> Result:
    """Ask on how many datasets, and on which, system A is better than system B.

    Parameters
    ----------
    data : data frame, path, array_like or dict
        The scores of both systems:

        - a data frame (pandas, polars, pyarrow, ...) or a file with a row for each instance and
          system, with columns ``instance``, ``system``, ``score`` and, if there are several,
          ``dataset``; or with a row for each instance and a column of scores for each system;
        - dataset -> (scores of A, scores of B), in the same order;
        - or those of A alone, and `other` those of B.
    other : data frame, path or array_like, optional
        The scores of B: a frame or file with ``instance``, ``score`` and, if there are several,
        ``dataset``, matched by them whatever the order of rows; an array for one dataset, in the
        order of A's; or a file or folder of any format of ``replicability compare``.
    a, b : str, optional
        The system claimed better, and the other one: values of the column of systems, or headers of
        the columns of scores; elsewhere how they are to be called. Where there are just two, the
        first is A.
    dataset, instance, system, score, size, gold, unit : str, optional
        Headers of columns, where they are not called so; case does not matter. `size` is the
        denominator of a score (words of a sentence), `gold` ratings by people (of outputs in
        files: their file), `unit` what is drawn independently if it is larger than an instance.
    one_dataset : bool, default False
        Whether a table is one dataset, whatever columns it has.
    datasets : sequence of str, optional
        Compare only on these.
    shared : bool or dict of str to sequence of str, default False
        Whether the same identifier in two datasets is the same unit; or what is shared -> the
        datasets that share it.
    groups : dict of str to sequence of str, optional
        Groups of datasets that the sentence is to speak of; `Result.bounds` bounds any other.
    test : str, optional
        Test of one dataset; by default the one that fits the scores.
    dependence : {"independent", "positive", "dependent"}, optional
        How the datasets depend on each other; unknown is "dependent".
    alternative : {"two-sided", "greater"}, optional
        "two-sided" asks where A is better and where B is, each at half of alpha. "greater" asks
        only where A is, and is right if A was claimed to be better before the scores were seen. By
        default "two-sided", and "greater" for a claim with a margin and in the paper's procedure.
    alpha : float or sequence of float, default 0.05
        Level: all that is said holds with simultaneous confidence 1 - alpha.
    procedure : {"closed", "paper"}, default "closed"
        One closed testing procedure, or the paper's count beside Holm's names.
    method : str, optional
        Local test of the closed procedure; by default the one that fits the dependence.
    seed : int, default 0
        Seed of what is drawn.
    **more
        Other keys of a comparison in a study, such as ``options`` of the test, ``metric``,
        ``filter`` and ``format`` of files, or ``documents`` and ``tokenize`` of translations.

    Returns
    -------
    Result
        It prints as its sentence; `Result.table`, `Result.figure` and the others show the rest.

    Raises
    ------
    InputError
        If a column, a system, an instance or a score is missing, or an argument is not as
        described; the message is a sentence that says what to do. No input is changed.

    See Also
    --------
    count : from p-values.
    all_pairs : three or more systems.

    Examples
    --------
    >>> import pandas as pd
    >>> import replicability as rep
    >>> df = pd.DataFrame({"dataset": ["news"] * 8 + ["law"] * 6, "ours": [1] * 14,
    ...                    "base": [0] * 7 + [1] + [0, 1] * 3})
    >>> result = rep.compare(df, a="ours", b="base")
    >>> print(result)
    ... # doctest: +NORMALIZE_WHITESPACE
    ours outperforms base on at least 1 of 2 datasets, namely news (closed testing, Bonferroni; both
    directions, simultaneous 95% confidence).
    >>> result.table[["dataset", "n", "difference", "wins", "losses", "p_value", "named"]]
      dataset  n  difference  wins  losses   p_value  named
    0    news  8       0.875     7       0  0.007812   True
    1     law  6       0.500     3       0  0.125000  False

    Arrays, in the same order for both systems:

    >>> print(rep.compare([1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1], alternative="greater"))
    A outperforms B on the only dataset (95% confidence).
    """
    with checks.naming(_argument):
        headers = {"dataset": dataset, "instance": instance, "system": system, "score": score}
        named = _headers(headers | {"size": size, "gold": gold, "unit": unit}, more)
        claim: dict[str, Any] = {"dependence": dependence, "procedure": procedure, "method": method}
        claim |= {"alternative": alternative}
        claim |= {"seed": seed, "test": test, "shared": _groups("shared", shared)}
        claim["unit_declared"] = unit is not None
        claim |= {"groups": _groups("groups", groups), "datasets": _names("datasets", datasets)}
        systems = _names_of_two(a, b)
        chosen = claim["datasets"]
        read = _read(data, other, systems, named, one_dataset, chosen, more)
        comparison = _declared(study.Comparison, read, claim, more)
        return _result(comparison, _evaluated(comparison), alpha, dependence)


def count(
    pvalues: Any,
    names: Iterable[str] | None = None,
    *,
    a: str = "A",
    b: str = "B",
    groups: Mapping[str, Iterable[str]] | None = None,
    dependence: Dependence | None = None,
    alpha: float | Sequence[float] = 0.05,
    procedure: Literal["closed", "paper"] = "closed",
    method: str | None = None,
    resolution: float | None = None,
) -> Result:
    """Ask the same of p-values that are there already, one for each dataset.

    Parameters
    ----------
    pvalues : array_like, dict of str to float, or Series
        One-sided p-values of "A is not better than B"; dataset -> p-value, or in the order of
        `names`.
    names : sequence of str, optional
        Names of the datasets.
    a, b : str
        How the systems are to be called.
    groups, dependence, alpha, procedure, method
        As of `compare`.
    resolution : float, optional
        Smallest p-value that the test could report, 1/(B+1) of B resamples: smaller ones are raised
        to it. With 0 a p-value of 0 is taken at its word; by default it is refused.

    Returns
    -------
    Result
        Without scores.

    Raises
    ------
    InputError
        If a p-value is not in [0, 1], is 0 without a resolution, or names are missing or alike.

    Examples
    --------
    >>> import replicability as rep
    >>> result = rep.count([0.001, 0.02, 0.6], ["news", "law", "talks"], dependence="positive")
    >>> print(result)
    ... # doctest: +NORMALIZE_WHITESPACE
    A outperforms B on at least 2 of 3 datasets, namely news and law (closed testing, Simes; all
    together with 95% confidence).
    """
    with checks.naming(_argument):
        if is_frame(pvalues):
            raise InputError(
                "p-values are needed, but this is a data frame; pass its column of one-sided "
                'p-values, such as count(df["p"], df["dataset"]), or scores to compare().'
            )
        known, values = named_values(pvalues)
        known = known if names is None else _names("names", names)
        refuse_names(known, len(values))
        systems = (str(a), str(b))
        if systems[0] == systems[1]:
            raise InputError(alike(str(a)))
        table = pd.DataFrame({"dataset": list(known), "p_value": raised(values, resolution)})
        columns = {"dataset": "dataset", "p_value": "p_value"}
        held = Held("The p-values", (), len(values))
        read = {"file": held, "columns": columns, "systems": systems}
        claim: dict[str, Any] = {"dependence": dependence, "procedure": procedure}
        claim |= {"method": method, "groups": _groups("groups", groups), "resolution": resolution}
        comparison = _declared(study.Comparison, read, claim, {})
        return _result(comparison, Tested(table), alpha, dependence)


@overload
def bounds(  # type: ignore[overload-overlap]
    result: Result, group: Mapping[str, Iterable[str]]
) -> dict[str, int]: ...
@overload
def bounds(result: Result, group: Iterable[str]) -> int: ...


def bounds(
    result: Result, group: Mapping[str, Iterable[str]] | Iterable[str]
) -> int | dict[str, int]:
    """Bound from below on how many datasets of a group A is better; as `Result.bounds`.

    Parameters
    ----------
    result : Result
        A result.
    group : sequence of str, or dict of str to sequence of str
        Names of datasets, also chosen after the result was seen.

    Returns
    -------
    int or dict of str to int
        At least so many, with confidence 1 - alpha for all groups together.

    Examples
    --------
    >>> import replicability as rep
    >>> result = rep.count({"news": 0.001, "law": 0.02, "talks": 0.6}, dependence="independent")
    >>> rep.bounds(result, ["law", "talks"]), rep.bounds(result, {"written": ["news", "law"]})
    (1, {'written': 2})
    """
    return result.bounds(group)


def all_pairs(
    data: Any,
    *,
    systems: Iterable[str] = (),
    against: str | None = None,
    dataset: object = None,
    instance: object = None,
    system: object = None,
    score: object = None,
    size: object = None,
    gold: object = None,
    unit: object = None,
    one_dataset: bool = False,
    datasets: Iterable[str] = (),
    shared: bool | Mapping[str, Iterable[str]] = False,
    test: str | None = None,
    dependence: Dependence | None = None,
    alpha: float = 0.05,
    method: str | None = None,
    seed: int = 0,
    **more: Any,
) -> Family:
    """Compare all pairs of three or more systems.

    Parameters
    ----------
    data : data frame, path, dict or list
        The scores of all systems:

        - a data frame or a file with a row for each instance and system, or a column of scores for
          each system;
        - system -> data frame, array, file or folder, of any format that `compare` reads;
        - a list of files or folders, which name their systems.
    systems : sequence of str, optional
        The systems; by default all.
    against : str, optional
        The only one that the others are compared with, in both directions.
    dataset, instance, system, score, size, gold, unit, one_dataset, datasets
        As of `compare`; gold files are those of outputs.
    shared, test, dependence, method, seed, **more
        As of `compare`.
    alpha : float, default 0.05
        Level of each pair, and of all pairs together where it says so.

    Returns
    -------
    Family
        It prints as its sentence.

    Raises
    ------
    InputError
        As `compare`, and if there are fewer than three systems.

    Examples
    --------
    >>> import pandas as pd
    >>> import replicability as rep
    >>> df = pd.DataFrame({"x": [1] * 9, "y": [0] * 9, "z": [0] * 8 + [1]})
    >>> print(rep.all_pairs(df))
    ... # doctest: +NORMALIZE_WHITESPACE
    Of 3 pairs of systems 2 are decided on the only dataset, jointly (Bonferroni over all pairs
    and directions, 95% confidence).
    z and y cannot be told apart on the only dataset.
    Layers, from the top: x; z, y.
    """
    with checks.naming("{}=".format):
        headers = {"dataset": dataset, "instance": instance, "system": system, "score": score}
        named = _headers(headers | {"size": size, "gold": gold, "unit": unit}, more)
        chosen = _names("systems", systems)
        read = many_systems(data, chosen, named, one_dataset, more)
        claim: dict[str, Any] = {
            **{"dependence": dependence, "test": test, "method": method},
            "shared": _groups("shared", shared),
            "seed": seed,
            "against": against,
        }
        claim |= {"datasets": _names("datasets", datasets), "name": "family", "title": "family"}
        family = _declared(study.Family, read, claim, more)
        level = checks.alpha(alpha)
        found = pairs_.compare(family)
        return Family(_released(family), found, level)


# --- arguments -----------------------------------------------------------------------------------


def _argument(key: str) -> str:
    """Name a key of a study as the argument, or the two, that take its place."""
    return "a= and b=" if key == "systems" else f"{key}="


def _headers(given: Mapping[str, Any], more: dict[str, Any]) -> dict[str, str]:
    """Return the columns that are named."""
    named = {**given, "run": more.pop("run", None)} if "run" in LONG else dict(given)
    named = {key: str(header) for key, header in named.items() if header is not None}
    return {key: header for key, header in named.items() if (key, header) != ("unit", INSTANCE)}


def _names_of_two(a: object, b: object) -> Systems:
    return None if a is None else str(a), None if b is None else str(b)


def _names(key: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return names, which are not one text."""
    if isinstance(names, str):
        raise InputError(f"{key}={names!r} is one text; pass a list of names.")
    return tuple(map(str, names))


def _groups(key: str, groups: Any) -> Any:
    """Return groups of datasets, or whether all share units."""
    if groups is None or isinstance(groups, bool):
        return groups or {}
    if not isinstance(groups, Mapping):
        raise InputError(
            f"{key}= is of type {type(groups).__name__}; pass a name for each group with its "
            f"datasets, such as {key}={{'written': ['news', 'law']}}."
        )
    return {str(name): list(_names(f"{key}: {name}", of)) for name, of in groups.items()}


def _read(
    data: Any,
    other: Any,
    systems: Systems,
    named: dict[str, str],
    one_dataset: bool,
    datasets: tuple[str, ...],
    more: dict[str, Any],
) -> Declared:
    """Declare what is compared."""
    if other is None:
        if isinstance(data, Mapping):
            return sources.arrays(data, systems)
        return sources.one_table(data, systems, named, one_dataset)
    kinds = [_kind(side) for side in (data, other)]
    if kinds[0] != kinds[1]:
        raise InputError(
            f"The scores of A are {kinds[0]}, but those of B are {kinds[1]}; pass both in the same "
            "way."
        )
    if kinds[0] == "a path":
        paths = (os.fspath(data), os.fspath(other))
        return sides.two_paths(paths, systems, named, one_dataset, more, datasets)
    if kinds[0] == "a data frame":
        return sides.two_tables((data, other), systems, named, one_dataset, datasets)
    if kinds[0] == "a dictionary":
        return sources.arrays(sources.beside(data, other), systems)
    return sources.arrays({ONE: (data, other)}, systems)


def _kind(side: Any) -> str:
    if isinstance(side, str | os.PathLike):
        return "a path"
    if is_frame(side):
        return "a data frame"
    return "a dictionary" if isinstance(side, Mapping) else "an array"


def _declared(kind: type, read: Any, claim: Any, more: Mapping[str, Any]) -> Any:
    """Declare a comparison or family."""
    fields = {field.name for field in dataclasses.fields(kind)}
    for key in more:
        if key not in fields:
            raise InputError(f"There is no argument {key!r}{checks.nearest(key, fields)}")
    kind_ = read.get("format", "table")
    for key in {"metric", "filter", "tokenize"} & set(more):
        if more[key] and kind_ not in formats.having(key):
            raise InputError(
                f"{key}= has no meaning in the format {kind_!r}, only in "
                f"{', '.join(formats.having(key))}; leave it out."
            )
    block = {key: value for key, value in {**claim, **more}.items() if value not in (None, {}, ())}
    checks.at_least("seed", block.get("seed", 0), 0)
    checks.choice("procedure", block.get("procedure", "closed"), ("closed", "paper"))
    if "alternative" in block:
        checks.choice("alternative", block["alternative"], ("two-sided", "greater"))
    kinds = ("independent", "positive", "dependent")
    checks.choice("dependence", block.setdefault("dependence", "dependent"), kinds)
    given = block if claim.get("dependence") else {**block, "dependence": None}
    title = "-".join(read["systems"])
    header = read["columns"].get("score", "")
    name = {"name": title, "section": "", "title": title}
    shown = {} if not header or header.endswith("(%)") else {"score": header}
    study.check_claims(
        "", {key: value for key, value in (given | read).items() if value != "closed"}
    )
    return kind(**{**name, **shown, **read, **block})


def _evaluated(comparison: study.Comparison) -> Tested:
    """Test every dataset, and add on how many of its instances A is better, equal and worse."""
    datasets = formats.read(comparison)
    return wins.counted(evaluation.evaluate(comparison, datasets), datasets)


def _result(
    comparison: study.Comparison, table: Tested, alpha: Any, dependence: str | None
) -> Result:
    """Find at every level."""
    alphas = [alpha] if np.ndim(alpha) == 0 else list(alpha)
    if not alphas:
        raise InputError("alpha is an empty list; pass a level such as 0.05.")
    levels = [checks.alpha(level) for level in alphas]
    return result.found(_released(comparison), table, levels, dependence is not None)


def _released(comparison: Any) -> Any:
    """Return a comparison that does not hold on to the frame."""
    if isinstance(comparison.file, Held):
        return dataclasses.replace(comparison, file=comparison.file.released())
    return comparison
