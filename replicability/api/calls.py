"""The functions that a session calls: `compare`, `ask`, `count`, `bounds`, `all_pairs`."""

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, overload

import pandas as pd

from replicability import checks
from replicability.api import result
from replicability.api.columns import alike
from replicability.api.family import Family
from replicability.api.keywords import suggesting
from replicability.api.many import many_systems
from replicability.api.named import named_values, refuse_names
from replicability.api.result import Result
from replicability.api.scores import Scores, listed_names, settled
from replicability.checks import InputError
from replicability.core import all_pairs as pairs_
from replicability.core import evaluation, orientation
from replicability.io import questions, several, study
from replicability.io.declared import Question, Source
from replicability.io.pvalues import raised
from replicability.io.tables import is_frame

Dependence = Literal["independent", "positive", "dependent"]
Alternative = Literal["two-sided", "greater"]
Claim = Literal["better", "better_by", "not_worse", "equivalent"]


@suggesting
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
    run: object = None,
    ignore: Iterable[str] = (),
    higher_is_better: bool | None = None,
    missing: str | None = None,
    one_dataset: bool = False,
    datasets: Iterable[str] = (),
    format: str | None = None,
    metric: str | Mapping[str, str] | None = None,
    filter: str | Mapping[str, str] | None = None,
    tokenize: str | Mapping[str, str] | None = None,
    documents: str | os.PathLike[str] | None = None,
    by: str | None = None,
    match: str | None = None,
    items: int | str | Mapping[str, int] | None = None,
    lists: str | None = None,
    shared: bool | Mapping[str, Iterable[str]] = False,
    groups: Mapping[str, Iterable[str]] | None = None,
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
) -> Result:
    """Ask on how many datasets, and on which, system A is better than system B.

    Parameters
    ----------
    data : Scores, data frame, path, array_like or dict
        The scores of both systems, which `Scores` read, or:

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
    dataset, instance, system, score, size, gold, unit, run : str, optional
        Headers of columns, where they are not called so; case does not matter. `size` and `gold`
        are always named, since they change the question. `size` is the
        denominator of a score (words of a sentence), `gold` ratings by people (of outputs in
        files: their file), `unit` what is drawn independently if it is larger than an instance, and
        `run` tells the runs of a system apart, which are averaged. Several columns of datasets,
        such as ``dataset=["task", "language"]``, are joined.
    ignore : sequence of str, optional
        Headers of columns that have no role, where a table is refused because they might have one.
    higher_is_better : bool, optional
        Whether a higher score is better, as it is by default. A metric that is called as a loss or
        an error rate needs an answer. Differences are those in favour of A in either case.
    missing : {"refuse", "drop", "wrong"}, optional
        What is done with items that a system lacks, which are refused by default: "drop" leaves
        them out for both systems; "wrong" gives the lowest score, where all scores are 0 or 1 or
        have a size. The notes and the methods paragraph say how many there were.
    one_dataset : bool, default False
        Whether a table is one dataset, whatever columns it has.
    datasets : sequence of str, optional
        Compare only on these.
    format : str, optional
        Format of files or folders; by default the one that recognises them.
    metric, filter, tokenize : str or dict of str to str, optional
        What is computed from files, the filter of logs, the words of BLEU: for all datasets, or
        for each.
    documents : str or Path, optional
        Of translations: file with the document of each segment, which is then the unit.
    by : str, optional
        Column that parts datasets.
    match : {"identifier", "place"}, optional
        How instances of files are matched.
    items : int, str or dict of str to int, optional
        Of lists of identifiers: how many instances there are, or a file with all identifiers.
    lists : {"right", "wrong"}, optional
        What lists of identifiers list.
    shared : bool or dict of str to sequence of str, default False
        Whether the same identifier in two datasets is the same unit; or what is shared -> the
        datasets that share it.
    groups : dict of str to sequence of str, optional
        Groups of datasets that the sentence is to speak of; `Result.bounds` bounds any other.
    claim : {"better", "better_by", "not_worse", "equivalent"}, optional
        What is claimed of A and B on a dataset; by default that A is better.
    margin : float or dict of str to float, optional
        By how much, above 0, in the unit of the score; for all datasets, or for each.
    alternative : {"two-sided", "greater"}, optional
        "two-sided" asks where A is better and where B is, each at half of alpha. "greater" asks
        only where A is, and is right if A was claimed to be better before the scores were seen. By
        default "two-sided", and "greater" for a claim with a margin and in the paper's procedure.
    test : str, optional
        Test of one dataset; by default the one that fits the scores.
    options : dict, optional
        Options of the test, such as ``{"n_resamples": 10_000}``.
    dependence : {"independent", "positive", "dependent"}, optional
        How the datasets depend on each other; unknown is "dependent".
    alpha : float or sequence of float, default 0.05
        Level: all that is said holds with simultaneous confidence 1 - alpha.
    procedure : {"closed", "paper"}, default "closed"
        One closed testing procedure, or the paper's count beside Holm's names.
    method : str, optional
        Local test of the closed procedure; by default the one that fits the dependence.
    seed : int, default 0
        Seed of what is drawn.
    n_flips : int, optional
        Number of joint sign flips of units that datasets share.

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
    Over all 2 datasets ours is ahead of base by 0.69 on average (95% interval [-0.05, +0.94]):
    ahead on every one, from +0.50 on law to +0.88 on news. The interval is valid under any
    dependence, and therefore wide.
    >>> result.table[["dataset", "n", "difference", "wins", "losses", "p_value", "named"]]
      dataset  n  difference  wins  losses   p_value  named
    0    news  8       0.875     7       0  0.007812   True
    1     law  6       0.500     3       0  0.125000  False

    Arrays, in the same order for both systems:

    >>> print(rep.compare([1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1], alternative="greater"))
    A outperforms B on the only dataset (95% confidence).
    On the only dataset A is ahead of B by 0.83 (95% interval [-0.04, +1.00]).
    """
    reading: Any = {
        **{"a": a, "b": b, "dataset": dataset, "instance": instance, "system": system},
        **{"score": score, "size": size, "gold": gold, "unit": unit, "run": run},
        **{"ignore": ignore or None, "higher_is_better": higher_is_better, "missing": missing},
        **{"one_dataset": one_dataset or None, "datasets": datasets or None, "format": format},
        **{"metric": metric, "filter": filter, "tokenize": tokenize, "documents": documents},
        **{"by": by, "match": match, "items": items, "lists": lists},
    }
    with checks.spelling(_argument):
        question = questions.declare(
            {
                **{"shared": shared, "groups": groups, "claim": claim, "margin": margin},
                **{"alternative": alternative, "test": test, "options": options, "seed": seed},
                **{"dependence": dependence, "procedure": procedure, "method": method},
                "n_flips": n_flips,
            }
        )
        if isinstance(data, Scores):
            _refuse_reading(other, reading)
            return ask(data, question, alpha)
        return ask(Scores.of(data, other, reading), question, alpha)


@suggesting
def ask(scores: Scores, question: Question, alpha: float | Sequence[float] = 0.05) -> Result:
    """Ask a question of scores that were read.

    Parameters
    ----------
    scores : Scores
        Matched scores of two systems.
    question : Question
        What is asked of them.
    alpha : float or sequence of float, default 0.05
        Level: all that is said holds with simultaneous confidence 1 - alpha.

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
    On the only dataset A is ahead of B by 0.83 (95% interval [-0.04, +1.00]).
    """
    with checks.spelling(_argument):
        levels = result.levels(alpha)
        asked = questions.declare(questions.given_of(question))
        comparison = questions.comparison(scores.source, asked)
        table = evaluation.evaluate(comparison, scores.datasets)
        return result.decide(comparison, table, levels, asked.dependence_declared)


@suggesting
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
    with checks.spelling(_argument):
        if is_frame(pvalues):
            raise InputError(
                "p-values are needed, but this is a data frame; pass its column of one-sided "
                'p-values, such as count(df["p"], df["dataset"]), or scores to compare().'
            )
        known, values = named_values(pvalues)
        if names is not None and isinstance(pvalues, Mapping):
            raise InputError("The p-values have names, their keys; leave names= out.")
        known = known if names is None else listed_names("names", names)
        refuse_names(known, len(values))
        systems = (str(a), str(b))
        if systems[0] == systems[1]:
            raise InputError(alike(str(a)))
        table = pd.DataFrame({"dataset": list(known), "p_value": raised(values, resolution)})
        source = Source(
            file="The p-values",
            rows=len(values),
            columns={"dataset": "dataset", "p_value": "p_value"},
            systems=systems,
            resolution=resolution or 0.0,
        )
        question = questions.declare(
            {
                **{"dependence": dependence, "procedure": procedure, "method": method},
                "groups": groups,
            }
        )
        comparison = questions.comparison(source, question)
        tested = orientation.orient_pvalues(comparison, table)
        levels = result.levels(alpha)
        return result.decide(comparison, tested, levels, question.dependence_declared)


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
    if not isinstance(result, Result):
        raise TypeError(f"bounds() takes a Result, not {type(result).__name__}.")
    return result.bounds(group)


@suggesting
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
    run: object = None,
    ignore: Iterable[str] = (),
    higher_is_better: bool | None = None,
    missing: str | None = None,
    one_dataset: bool = False,
    datasets: Iterable[str] = (),
    format: str | None = None,
    metric: str | Mapping[str, str] | None = None,
    filter: str | Mapping[str, str] | None = None,
    tokenize: str | Mapping[str, str] | None = None,
    documents: str | os.PathLike[str] | None = None,
    by: str | None = None,
    match: str | None = None,
    items: int | str | Mapping[str, int] | None = None,
    lists: str | None = None,
    shared: bool | Mapping[str, Iterable[str]] = False,
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

        - a data frame or a file with a row for each instance and system, or a column of scores for
          each system;
        - system -> data frame, array, file or folder, of any format that `compare` reads;
        - a list of files or folders, which name their systems.
    systems : sequence of str, optional
        The systems; by default all.
    against : str, optional
        The only one that the others are compared with, in both directions.
    dataset, instance, system, score, size, gold, unit, run, one_dataset, datasets
        As of `compare`; gold files are those of outputs.
    format, metric, filter, tokenize, documents, by, match, items, lists, ignore
        As of `compare`.
    higher_is_better, missing
        As of `compare`; "drop" leaves out what any of the systems lacks.
    shared, test, options, dependence, method, seed, n_flips
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
    reading: dict[str, Any] = {
        **{"dataset": dataset, "instance": instance, "system": system, "score": score},
        **{"size": size, "gold": gold, "unit": unit, "run": run},
        **{"ignore": ignore or None, "higher_is_better": higher_is_better, "missing": missing},
        **{"one_dataset": one_dataset or None, "datasets": datasets or None, "format": format},
        **{"metric": metric, "filter": filter, "tokenize": tokenize, "documents": documents},
        **{"by": by, "match": match, "items": items, "lists": lists},
    }
    with checks.spelling("{}=".format):
        question = questions.declare(
            {
                **{"shared": shared, "test": test, "options": options, "seed": seed},
                **{"dependence": dependence, "method": method, "n_flips": n_flips},
            }
        )
        level = checks.alpha(alpha)
        given = {key: value for key, value in reading.items() if value is not None}
        source = many_systems(data, listed_names("systems", systems), given)
        named = {"name": "family", "title": "family", "against": against or ""}
        family = questions.comparison(source, question, kind=study.Family, **named)
        read = several.read(family)
        family = dataclasses.replace(family, **settled(source))
        return Family(family, pairs_.compare(family, *read), level)


# --- arguments -----------------------------------------------------------------------------------


def _argument(key: str) -> str:
    """Name a key of a study as the argument, or the two, that take its place."""
    return "a= and b=" if key == "systems" else f"{key}="


def _refuse_reading(other: Any, reading: Mapping[str, Any]) -> None:
    """Refuse what says how to read where scores were read."""
    given = [key for key, value in reading.items() if value is not None]
    if other is not None or given:
        what = f"{given[0]}= says how scores are read" if given else "both systems are in them"
        raise InputError(f"The scores were read before, and {what}; leave that out.")
