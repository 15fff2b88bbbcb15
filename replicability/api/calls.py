"""The functions that a session calls: `compare`, `ask`, `count`, `bounds`, `all_pairs`."""

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from typing import Any, Literal, overload

import pandas as pd

from replicability.api import grid, result
from replicability.api.arrays import scores_of
from replicability.api.columns import alike
from replicability.api.columns import source as source_of
from replicability.api.family import Family
from replicability.api.grid import Grid
from replicability.api.keywords import public
from replicability.api.many import many_systems
from replicability.api.named import named_values, refuse_names
from replicability.api.reading import framed, listed_names
from replicability.api.result import Result
from replicability.api.scores import Scores, settled
from replicability.checks import InputError
from replicability.core import all_pairs as pairs_
from replicability.core import evaluation, orientation
from replicability.io import beside, keys, questions, several, study
from replicability.io.declared import ASKING, READING, Question, Source
from replicability.io.pvalues import raised
from replicability.io.tables import is_frame

Dependence = Literal["independent", "positive", "dependent"]
Alternative = Literal["two-sided", "greater"]
Claim = Literal["better", "better_by", "not_worse", "equivalent"]


@overload
def compare(data: Any, other: Any = None, *, metrics: None = None, **keywords: Any) -> Result: ...
@overload
def compare(
    data: Any, other: Any = None, *, metrics: Iterable[str] | Mapping[str, str], **keywords: Any
) -> Grid: ...
@public  # type: ignore[misc]
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
    human: object = None,
    unit: object = None,
    run: object = None,
    repeats: Mapping[str, Any] | None = None,
    successes: object = None,
    trials: object = None,
    ignore: Iterable[str] = (),
    higher_is_better: bool | None = None,
    missing: str | None = None,
    one_dataset: bool = False,
    datasets: Iterable[str] = (),
    format: str | None = None,
    metric: str | Mapping[str, str] | Callable[[Any, Any], float] | None = None,
    filter: str | Mapping[str, str] | None = None,
    tokenize: str | Mapping[str, str] | None = None,
    documents: str | os.PathLike[str] | None = None,
    by: str | None = None,
    match: str | None = None,
    items: int | str | Mapping[str, int] | None = None,
    lists: str | None = None,
    shared: bool | Mapping[str, Iterable[str]] = False,
    groups: Mapping[str, Iterable[str]] | None = None,
    labels: Mapping[str, str] | None = None,
    over_datasets: bool = False,
    claim_covers: Literal["items", "runs", "both"] | None = None,
    claim: Claim | None = None,
    margin: float | Mapping[str, float] | None = None,
    alternative: Alternative | None = None,
    test: str | None = None,
    options: Mapping[str, Any] | None = None,
    dependence: Dependence | None = None,
    alpha: float | Sequence[float] = 0.05,
    procedure: Literal["closed", "paper"] = "closed",
    method: str | None = None,
    seed: int = 0,
    n_flips: int | None = None,
    metrics: Iterable[str] | Mapping[str, str] | None = None,
) -> Result | Grid:
    """Find on how many datasets, and on which, system A is better than system B.

    Parameters
    ----------
    data : Scores, data frame, path, array_like or dict
        The scores of both systems, which `Scores` read, or:

        - a data frame (pandas, polars, pyarrow, ...) or a file with a row for each item and
          system, with columns ``instance``, ``system``, ``score`` and, if there are several,
          ``dataset``; or with a row for each item and a column of scores for each system;
        - dataset -> (scores of A, scores of B), in the same order;
        - or those of A alone, and `other` those of B.
    other : data frame, path or array_like, optional
        The scores of B: a frame or file with ``instance``, ``score`` and, if there are several,
        ``dataset``, matched by them whatever the order of rows; an array for one dataset, in the
        order of A's; or a file or folder of any format of ``replicability compare``.
    {keywords}

    Returns
    -------
    Result or Grid
        `print(result)` gives the conclusion; see `Result.table` and `Result.figure`. By several
        metrics a `Grid`, which bounds any block of datasets and metrics.

    Raises
    ------
    InputError
        If a column, a system, an item or a score is missing, or an argument is not as
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
    Over both datasets, ours is ahead of base by 0.69 on average (95% interval [-0.05, +0.94]):
    ahead on every dataset, from +0.50 on law to +0.88 on news. The interval is valid under any
    dependence, and therefore wide.
    >>> result.table[["dataset", "n", "difference", "wins", "losses", "p_value", "named"]]
      dataset  n  difference  wins  losses   p_value  named
    0    news  8       0.875     7       0  0.007812   True
    1     law  6       0.500     3       0  0.125000  False

    Arrays, in the same order for both systems:

    >>> print(rep.compare([1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1], alternative="greater"))
    A outperforms B on the only dataset (95% confidence).
    On the only dataset, A is ahead of B by 0.83 (one-sided 95% interval, at least +0.06).
    """
    given = locals()  # the keywords by their names
    question = questions.declare({key: given[key] for key in ASKING})
    reading: Any = {key: given[key] for key in READING}
    if metrics is not None:
        if isinstance(data, Scores):
            raise InputError(
                "The scores were read with one metric only; pass data that hold all metrics, such "
                "as a data frame."
            )
        return grid.compare(data, other, reading, question, metrics, alpha)
    if isinstance(data, Scores):
        _refuse_reading(other, reading)
        return ask(data, question, alpha)
    return ask(Scores.of(data, other, reading), question, alpha)


@public
def ask(scores: Scores, question: Question, alpha: float | Sequence[float] = 0.05) -> Result:
    """Answer a `Question` about `Scores`.

    Parameters
    ----------
    scores : Scores
        Matched scores of two systems.
    question : Question
        The question.
    {keywords}

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If the question cannot be asked of these scores.

    Examples
    --------
    >>> import replicability as rep
    >>> scores = rep.Scores.from_arrays([1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1])
    >>> print(rep.ask(scores, rep.Question(alternative="greater")))
    A outperforms B on the only dataset (95% confidence).
    On the only dataset, A is ahead of B by 0.83 (one-sided 95% interval, at least +0.06).
    """
    levels = keys.levels(alpha)
    asked = questions.declare(questions.given_of(question))
    comparison = questions.comparison(scores.source, asked)
    table = evaluation.evaluate(comparison, scores.datasets)
    return result.decide(comparison, table, levels, asked.dependence_declared)


@public
def count(
    pvalues: Any,
    names: Iterable[str] | None = None,
    *,
    a: str = "A",
    b: str = "B",
    dataset: str | None = None,
    p_value: str | None = None,
    groups: Mapping[str, Iterable[str]] | None = None,
    alternative: Alternative | None = None,
    dependence: Dependence | None = None,
    alpha: float | Sequence[float] = 0.05,
    procedure: Literal["closed", "paper"] = "closed",
    method: str | None = None,
    resolution: float | None = None,
    scores: tuple[Any, Any] | None = None,
    sided: str | None = None,
    higher_is_better: bool | None = None,
) -> Result:
    """Compute k-hat and named datasets from one p-value per dataset.

    Parameters
    ----------
    pvalues : array_like, dict of str to float, Series, data frame or path
        One-sided p-values of "A is not better than B": dataset -> p-value, or in the order of
        `names`; or a frame or file with a row for each dataset.
    names : sequence of str, optional
        Names of the datasets.
    p_value : str, optional
        Column of the p-values of a frame or file. By default: the column named like `p_value`.
    scores : tuple, optional
        Scores of A and of B in the order of the p-values, or their columns in a frame or file.
        By default: in a frame or file, the columns with the names of the systems. A small p-value
        on a dataset where B scores higher is refused unless `sided` says what the p-values test.
    {keywords}

    Returns
    -------
    Result
        It includes the scores of the datasets, if given.

    Raises
    ------
    InputError
        If a p-value is not in [0, 1], is 0 without a resolution, or a name is missing or repeated.

    Examples
    --------
    >>> import replicability as rep
    >>> result = rep.count([0.001, 0.02, 0.6], ["news", "law", "talks"], dependence="positive")
    >>> print(result)
    ... # doctest: +NORMALIZE_WHITESPACE
    A outperforms B on at least 2 of 3 datasets, namely news and law (closed testing, Simes;
    simultaneous 95% confidence).
    """
    said = {"resolution": resolution, "sided": sided, "higher_is_better": higher_is_better}
    said = keys.given(said)
    asked = {"dependence": dependence, "procedure": procedure, "method": method}
    question = questions.declare(asked | {"groups": groups, "alternative": alternative})
    roles = keys.given({"dataset": dataset, "p_value": p_value})
    pvalues = framed(pvalues)
    if is_frame(pvalues) or isinstance(pvalues, str | os.PathLike):
        return _count_table(pvalues, (a, b), roles, names, scores, said, question, alpha)
    if roles:
        raise InputError(
            f"{next(iter(roles))}= names a column of a table, but the p-values were not passed as "
            f"a table; leave {next(iter(roles))}= out."
        )
    known, values = named_values(pvalues)
    if names is not None and isinstance(pvalues, Mapping):
        raise InputError("The keys of the dictionary already name the datasets; leave names= out.")
    known = known if names is None else listed_names("names", names)
    refuse_names(known, len(values))
    systems = (keys.checked("a", a), keys.checked("b", b))
    if a == b:
        raise InputError(alike(systems[0]))
    table = pd.DataFrame(
        {"dataset": list(known), "p_value": raised(values, said.get("resolution"))}
    )
    columns: dict[str, Any] = {"dataset": "", "p_value": ""}
    if scores is not None:
        if _lengths(scores) != [len(values)] * 2:
            raise InputError(
                f"scores= needs two sequences of the same length as the p-values ({len(values)}), "
                "the scores of A and those of B; write scores=(of_a, of_b)."
            )
        for side, of in zip("ab", scores, strict=True):
            table[f"score_{side}"] = scores_of(f"scores of {side.upper()}", of)
        columns["scores"] = list(systems)
    source = Source(
        file="The p-values",
        rows=len(values),
        columns=columns,
        systems=systems,
        **said,
    )
    comparison = questions.comparison(source, question)
    tested = orientation.orient_pvalues(comparison, table)
    return result.decide(comparison, tested, keys.levels(alpha), question.dependence_declared)


def _lengths(several: Any) -> list[int | None]:
    """Return the lengths of sequences; None for what is no sequence."""
    each = several if isinstance(several, Iterable) else []
    return [len(of) if isinstance(of, Sized) else None for of in each]


def _count_table(
    data: Any,
    systems: tuple[str, str],
    roles: Mapping[str, Any],
    names: Iterable[str] | None,
    scores: tuple[Any, Any] | None,
    said: Mapping[str, Any],
    question: Question,
    alpha: float | Sequence[float],
) -> Result:
    """Count from a frame or file with a row for each dataset."""
    if names is not None:
        raise InputError(
            "names= is only for p-values without a table; specify the column of dataset names with "
            "dataset=."
        )
    of = {"systems": systems} if systems != ("A", "B") else {}
    columns = listed_names("scores", scores) if scores is not None else ()
    source = beside.table(source_of(data, "The frame"), **roles, scores=columns, **of, **said)
    comparison = questions.comparison(source, question)
    tested = evaluation.evaluate(comparison)
    comparison = dataclasses.replace(comparison, **settled(source))
    return result.decide(comparison, tested, keys.levels(alpha), question.dependence_declared)


@overload
def bounds(  # type: ignore[overload-overlap]
    result: Result, group: Mapping[str, Iterable[str]]
) -> dict[str, int]: ...
@overload
def bounds(result: Result, group: Iterable[str]) -> int: ...


def bounds(
    result: Result, group: Mapping[str, Iterable[str]] | Iterable[str]
) -> int | dict[str, int]:
    """Compute lower bounds for groups of datasets, as `Result.bounds`.

    Parameters
    ----------
    result : Result
        A result.
    group : sequence of str, or dict of str to sequence of str
        Names of datasets; you may choose them after seeing the result.

    Returns
    -------
    int or dict of str to int
        Lower bounds with simultaneous confidence 1 - alpha for all groups.

    Examples
    --------
    >>> import replicability as rep
    >>> result = rep.count({"news": 0.001, "law": 0.02, "talks": 0.6}, dependence="independent")
    >>> rep.bounds(result, ["law", "talks"]), rep.bounds(result, {"written": ["news", "law"]})
    (1, {'written': 2})
    """
    if not isinstance(result, Result):
        raise TypeError(f"bounds() takes a Result, not an object of type {type(result).__name__}.")
    return result.bounds(group)


@public
def all_pairs(
    data: Any,
    *,
    systems: Iterable[str] = (),
    against: str | None = None,
    ask_first: Mapping[str, Any] | None = None,
    dataset: object = None,
    instance: object = None,
    system: object = None,
    score: object = None,
    size: object = None,
    gold: object = None,
    unit: object = None,
    run: object = None,
    repeats: Mapping[str, Any] | None = None,
    successes: object = None,
    trials: object = None,
    ignore: Iterable[str] = (),
    higher_is_better: bool | None = None,
    missing: str | None = None,
    one_dataset: bool = False,
    datasets: Iterable[str] = (),
    format: str | None = None,
    metric: str | Mapping[str, str] | Callable[[Any, Any], float] | None = None,
    filter: str | Mapping[str, str] | None = None,
    tokenize: str | Mapping[str, str] | None = None,
    documents: str | os.PathLike[str] | None = None,
    by: str | None = None,
    match: str | None = None,
    items: int | str | Mapping[str, int] | None = None,
    lists: str | None = None,
    claim_covers: Literal["items", "runs", "both"] | None = None,
    shared: bool | Mapping[str, Iterable[str]] = False,
    labels: Mapping[str, str] | None = None,
    test: str | None = None,
    options: Mapping[str, Any] | None = None,
    dependence: Dependence | None = None,
    alpha: float = 0.05,
    method: str | None = None,
    seed: int = 0,
    n_flips: int | None = None,
) -> Family:
    """Compare all pairs of three or more systems.

    Parameters
    ----------
    data : data frame, path, dict or list
        The scores of all systems:

        - a data frame or a file with a row for each item and system, or a column of scores for
          each system;
        - system -> data frame, array, file or folder, of any format that `compare` reads;
        - a list of files or folders, which name their systems.
    systems : sequence of str, optional
        The systems; by default all.
    {keywords}

    Returns
    -------
    Family
        `print` gives its sentence.

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
    2 of 3 pairs of systems differ significantly on the only dataset (Bonferroni over all pairs and
    directions, simultaneous 95% confidence).
    z and y do not differ significantly on the only dataset.
    Tier 1: x; tier 2: z, y.
    Each entry below tier 1 is significantly worse than an entry in the tier above on at least one
    dataset.
    """
    given = locals()
    question = questions.declare({key: given[key] for key in ASKING if key in given})
    reading = {key: given[key] for key in READING if key in given}
    systems = listed_names("systems", systems)
    return ask_all(data, systems, reading, question, alpha, against=against, ask_first=ask_first)


def against(data: Any, baseline: str, **keywords: Any) -> Family:
    """Compare two or more systems with a baseline.

    Parameters
    ----------
    data : data frame, path, dict or list
        The scores of all systems, as for `all_pairs`.
    baseline : str
        The system that all others are compared with, in both directions.
    **keywords
        As for `all_pairs`.

    Returns
    -------
    Family
        `print` gives its sentences. ``summary`` has a row for each system: on at least how many
        datasets it is better and worse, which, and its mean difference; ``forest()`` draws it. All
        of this has simultaneous confidence 1 - alpha. Pairs without the baseline stay empty.

    Raises
    ------
    InputError
        As `all_pairs`.

    Examples
    --------
    >>> import pandas as pd
    >>> import replicability as rep
    >>> df = pd.DataFrame({"x": [1] * 9, "y": [0] * 9, "z": [0] * 8 + [1]})
    >>> rep.against(df, "y").summary[["system", "k", "k_worse"]].values.tolist()
    [['x', 1, 0], ['z', 0, 0]]
    """
    return all_pairs(data, against=baseline, **keywords)


def ask_all(
    data: Any,
    systems: Sequence[str],
    reading: dict[str, Any],
    question: Question,
    alpha: float | Sequence[float] = 0.05,
    blocks: Sequence[str] = (),
    **whom: Any,
) -> Family:
    """Ask a question of all pairs of three or more systems.

    `data`, `systems`, `alpha`: as in `all_pairs`. `blocks` (sequence of str): files of
    `write_block`, from which p-values are read. `**whom`: its `against` and `ask_first`. `reading`:
    its keywords that say how to read; None means not given. `question` (Question):
    what is asked.

    Returns Family.

    Raises `InputError`: as `all_pairs`, with arguments as keys of a study.
    """
    level = keys.level(alpha, "a family of systems")
    family, names, scores = _read_family(data, systems, reading, question, whom)
    return Family(family, pairs_.compare(family, names, scores, blocks), level)


def write_block(
    file: str,
    block: tuple[int, int],
    data: Any,
    systems: Sequence[str],
    reading: dict[str, Any],
    question: Question,
    **whom: Any,
) -> tuple[int, int]:
    """Compute the p-values of a block of pairs, and write them for `ask_all` to read.

    `file`: Parquet file. `block` (int, int): the block, from 1, and how many there are. `data`,
    `systems`, `reading`, `question`, `**whom`: as in `ask_all`.

    Returns (int, int). Numbers of pairs of the block, and of the family.

    Raises `InputError`: as `ask_all`, and if there are fewer pairs than blocks, or joint flips
    bound all pairs.
    """
    found = _read_family(data, systems, reading, question, whom)
    return pairs_.write_block(*found, file, *block)


def _read_family(
    data: Any,
    systems: Sequence[str],
    reading: dict[str, Any],
    question: Question,
    whom: dict[str, Any],
) -> tuple[study.Family, Any, Any]:
    """Return a family, its systems, and their scores."""
    source = many_systems(data, systems, reading)
    named = {"name": "family", "title": "family", **keys.given(whom)}
    family = questions.comparison(source, question, kind=study.Family, **named)
    names, scores = several.read(family)
    return dataclasses.replace(family, **settled(source)), names, scores


# --- arguments -----------------------------------------------------------------------------------


def _refuse_reading(other: Any, reading: Mapping[str, Any]) -> None:
    """Refuse what says how to read where scores were read."""
    given = [key for key, value in reading.items() if keys.is_given(key, value)]
    if other is not None or given:
        raise InputError(
            f"The first argument holds scores that were read before, but {given[0]}= sets how "
            f"scores are read; leave {given[0]}= out."
            if given
            else "The first argument holds the scores of both systems; leave out the second."
        )
