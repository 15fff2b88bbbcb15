"""The audit of a published table: which of its numbers cannot be, and what they support."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

import replicability
from replicability import checks, forensics
from replicability.api import calls, columns
from replicability.api.keywords import public
from replicability.api.reading import listed_names
from replicability.api.result import Result
from replicability.checks import InputError
from replicability.core import procedure
from replicability.forensics import (
    CONTRADICTED,
    DEPENDS,
    IMPOSSIBLE,
    UNCHECKED,
    BothSystems,
    Claim,
    Verdict,
)
from replicability.forensics.printed import finest_digit, printed_column, printed_interval
from replicability.forensics.shares import right_counts
from replicability.io import delimited, keys
from replicability.io.pvalues import PVALUE, refuse_alike
from replicability.io.tables import Table
from replicability.io.text import shown
from replicability.stats import partial_conjunction

MEANS = (
    "A score that is not a whole number of items divided by the total may be weighted, or a mean "
    "or median over several runs."
)
"""Explanations to consider before calling a score impossible."""

SIDED = ("one", "two", "unknown")
"""Sidedness of published p-values: one-sided, two-sided, or unknown."""

FORMS = {"one": ("greater",), "two": ("two-sided",), "unknown": forensics.SIDES}
"""Maps the sidedness of p-values to the alternatives of McNemar's test that are tried."""

RATINGS = tuple(name.lower() for name in forensics.CORRELATION_TESTS)
"""Names of the tests that compare two correlations."""

MARKS = {"each test alone": "each", "Holm's procedure": "holm"}
"""Maps what marks of significance mean to the procedure of `forensics.marks`."""

MOST_ITEMS = 10**8
"""Maximum number of items in a dataset, because all counts that round to a share are listed."""

UNMARKED = frozenset({"", "-", "–", "n.s.", "ns", "no", "0", "false", "nan", "none", "null"})
"""Cells, in lower case, that mark a dataset as not significant."""

NOT_SIGNIFICANT = re.compile(r"n\.?\s?s\.?$", re.IGNORECASE)
"""Cells of a column of p-values that say no more than that p is above alpha."""

MISSING = "Leave out each row in which a value is missing."
"""Remedy for a dataset without a score or a number of items."""

MISSING_P = 'Write "<1" for a p-value that is not printed.'
"""Remedy for a dataset without a p-value, which counts all the same."""


@dataclass(frozen=True)
class Audit:
    """The checks of a published table, and what the table supports.

    `print(audit)` gives the checks that fail and the sentence that the p-values support.

    Attributes
    ----------
    name : str
        What messages call the table.
    systems : tuple of str
        Names of A and B.
    datasets : tuple of str
        Names of the datasets.
    alpha : float
        Level of significance.
    sided : {"one", "two", "unknown"}
        How the p-values were read.
    verdicts : tuple of forensics.Verdict
        One for each number or direction that was checked.
    supports : Result, optional
        What the p-values support, at the largest values that round to the printed ones, or that the
        stars allow. None without either, or if neither scores nor `sided` say whom they favour.
    both : forensics.BothSystems, optional
        On how many datasets the systems differ, and on how many each is better, all at once; None
        without p-values or scores.
    notes : tuple of str
        What could not be checked, and how the p-values were read.
    between : tuple of int, optional
        Without p-values, but with accuracies and numbers of items: k-hat if the systems disagree on
        as many items as the accuracies allow, and if they disagree on as few; McNemar's exact test.
    """

    name: str
    systems: tuple[str, str]
    datasets: tuple[str, ...]
    alpha: float
    sided: str
    verdicts: tuple[Verdict, ...]
    supports: Result | None
    both: BothSystems | None
    notes: tuple[str, ...]
    between: tuple[int, int] | None = None

    @property
    def disputed(self) -> tuple[Verdict, ...]:
        """The verdicts that are contradicted or impossible."""
        return tuple(v for v in self.verdicts if v.verdict in (CONTRADICTED, IMPOSSIBLE))

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each verdict: kind, claim, published, recomputed, verdict, sentence."""
        frame: pd.DataFrame = forensics.table(self.verdicts)
        return frame.drop(columns=["paper", "item"])

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, as ``replicability audit --json`` prints it."""
        return {
            "version": replicability.__version__,
            "table": self.name,
            "systems": list(self.systems),
            "datasets": list(self.datasets),
            "alpha": self.alpha,
            "sided": self.sided,
            "checked": len(self.verdicts),
            "disputed": len(self.disputed),
            "verdicts": [
                {key: value for key, value in asdict(verdict).items() if key not in _PLACE}
                for verdict in self.verdicts
            ],
            "supports": None if self.supports is None else self.supports.to_dict(),
            "both": None
            if self.both is None
            else {
                "sentence": str(self.both),
                "bounds": {name: asdict(bound) for name, bound in self.both.bounds.items()},
            },
            "between": None if self.between is None else list(self.between),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        """Return what fails, what the table supports and the notes."""
        return "\n".join(paragraphs(self.to_dict()))


_PLACE = ("paper", "item")
"""Fields of a verdict that are the same throughout a table."""


def paragraphs(answer: dict[str, Any]) -> list[str]:
    """Write an audit as sentences.

    `answer`: as `Audit.to_dict` returns it.

    Returns list of str. The number of checks that fail, each of these, what depends on the reading,
    the supported sentences, and the notes.
    """
    failed = [v for v in answer["verdicts"] if v["verdict"] in (CONTRADICTED, IMPOSSIBLE)]
    said = [
        f"{answer['table']}: {answer['disputed']} of {answer['checked']} checks "
        f"fail{'s' * (answer['disputed'] == 1)}.",
        *(
            f"{v['claim']}: printed {v['published']}, {v['verdict']}. {v['sentence']}"
            for v in failed
        ),
        *(
            f"{v['claim']}: printed {v['published']}, {v['verdict']}: {v['readings']}."
            for v in answer["verdicts"]
            if v["verdict"] == DEPENDS
        ),
    ]
    if answer["supports"] is not None:
        said += [
            f"The p-values support: {sentence}" for sentence in answer["supports"]["sentences"]
        ]
    if answer["both"] is not None and any(b["b"] for b in answer["both"]["bounds"].values()):
        said.append(f"Both ways: {answer['both']['sentence']}")
    if answer["between"] is not None:
        least, most = answer["between"]
        said.append(
            f"The accuracies alone support the claim that {answer['systems'][0]} is better on at "
            f"least {least} of {len(answer['datasets'])} datasets."
            + f" The paired outputs could raise this bound to {most}." * (least < most)
            + " Ask the authors for the paired outputs: which items each system got right."
        )
    return [*said, *answer["notes"]]


@public
def audit(
    table: Any,
    *,
    dataset: str = "dataset",
    scores: Sequence[str] = (),
    p_value: str | None = None,
    stars: str | None = None,
    items: str | int | None = None,
    claimed: int | None = None,
    k_hat: int | None = None,
    sided: Literal["one", "two", "unknown"] = "unknown",
    test: str | None = None,
    resolution: float | None = None,
    dependence: Literal["independent", "positive", "dependent"] | None = None,
    alpha: float = 0.05,
) -> Audit:
    """Check the numbers of a published table, and say what they support.

    Parameters
    ----------
    table : data frame or path
        A row for each dataset, with the numbers as printed: text keeps their digits.
    dataset : str, default "dataset"
        Column of the datasets.
    scores : sequence of str, optional
        Columns of the scores of A and B; higher is better.
    p_value, stars : str, optional
        Column of the p-values, by default the only one whose header says so, in which "n.s." is
        above `alpha`; and of marks of significance, in which an empty cell, "-" or "n.s." is none.
    items : str or int, optional
        Number of items of each dataset, or its column. The scores are then shares of right items,
        or percentages if one is above 1; by a test of correlations they are correlations.
    claimed : int, optional
        On how many datasets the paper calls the difference significant.
    k_hat : int, optional
        On how many datasets, at least, the paper claims that A is better by partial conjunction.
    sided : {"one", "two", "unknown"}, default "unknown"
        Whether p-values and stars are one-sided for "A is better".
    test : str, optional
        The test that gave the p-values, one of `replicability.stats.paired.TESTS`.
    resolution : float, optional
        Smallest p-value that the test could report, 1/(B+1) of B resamples.
    dependence : {"independent", "positive", "dependent"}, optional
        How the datasets depend on each other; by default nothing is assumed.
    alpha : float, default 0.05
        Level of significance.

    Returns
    -------
    Audit
        `print(audit)` lists the checks that fail; ``to_frame()`` has a row for each check.

    Raises
    ------
    InputError
        If a column is missing, a cell is not a number, or there is nothing to check.

    Notes
    -----
    Rounding is propagated: a number is contradicted only if no numbers that round to the printed
    ones give it.
    The form of McNemar's test, its side, and whether digits are rounded or cut off are inferred
    from the whole column of p-values (`forensics.infer_mcnemar`, `forensics.infer_side`). A number
    that some reading leaves standing depends on the reading. The supported sentence takes each
    p-value at the largest number that is printed so, and as evidence for the system that scores
    higher. Where B does, or both tie, the p-value for A is one less half of the printed one; one
    less all of it if it is one-sided and B scores higher, unless `test` compares ranks or signs.
    With stars alone, each starred p-value is taken at `alpha`, and each other one at 1.

    Examples
    --------
    >>> import pandas as pd
    >>> import replicability as rep
    >>> printed = {"dataset": ["news", "mail"], "ours": ["0.912", "0.7895"]}
    >>> printed |= {"base": ["0.874", "0.760"], "p": ["0.0034", "0.21"]}
    >>> print(rep.audit(pd.DataFrame(printed), scores=["ours", "base"], items=500))
    ... # doctest: +NORMALIZE_WHITESPACE
    The table: 1 of 4 checks fails.
    ours on mail: printed 0.7895, impossible. No whole number of 500 items rounds to 0.7895; the
    nearest is 395.
    The p-values support: ours outperforms base on at least 1 of 2 datasets, namely news (closed
    testing, Bonferroni; simultaneous 95% confidence).
    The printed p-value is at most 0.05 on 1 of 2 datasets. Bonferroni's method gives a k-hat of 1.
    Fisher's method gives a k-hat of 1, which is valid only if the datasets are independent.
    It is unknown whether the p-values are one-sided or two-sided; the bounds are valid in both
    cases.
    A score that is not a whole number of items divided by the total may be weighted, or a mean or
    median over several runs.
    """
    with checks.spelling("{}=".format):
        return examine(
            table,
            dataset=dataset,
            scores=scores,
            p_value=p_value,
            stars=stars,
            items=items,
            claimed=claimed,
            k_hat=k_hat,
            sided=sided,
            test=test,
            resolution=resolution,
            dependence=dependence,
            alpha=alpha,
        )


def examine(
    table: Any,
    *,
    dataset: str = "dataset",
    scores: Sequence[str] = (),
    p_value: str | None = None,
    stars: str | None = None,
    items: str | int | None = None,
    claimed: int | None = None,
    k_hat: int | None = None,
    sided: str = "unknown",
    test: str | None = None,
    resolution: float | None = None,
    dependence: Any = None,
    alpha: float = 0.05,
) -> Audit:
    """Check a table as `audit` does; errors name arguments as keys."""
    checks.choice("sided", sided, SIDED)
    keys.given({"test": test, "dependence": dependence, "resolution": resolution})
    for key, header in {"dataset": dataset, "p_value": p_value, "stars": stars}.items():
        if not isinstance(header, str | int | None):
            raise InputError(
                f"{checks.named(key)} is {header!r}, but must be the name of one column of the "
                "table."
            )
    printed = _Printed(table, keys.level(alpha, "an audit"), sided, test, resolution)
    printed.read(dataset, scores, p_value, stars, items)
    printed.infer()
    shares = printed.shares()
    verdicts = [*printed.pvalues(), *printed.directions(), *shares]
    verdicts += printed.counts(claimed, k_hat)
    notes = printed.notes()
    if any(verdict.verdict == IMPOSSIBLE for verdict in shares):
        notes.append(MEANS)
    supports = both = None
    if (printed.texts or any(printed.marked)) and (printed.scores or sided == "one"):
        a, b = printed.systems
        evidence = dict(zip(printed.datasets, printed.evidence(), strict=True))
        supports = calls.count(evidence, a=a, b=b, dependence=dependence, alpha=alpha)
    if printed.texts and printed.scores:
        scores_a, scores_b = printed.scores
        both = forensics.bound_both(
            printed.texts,
            scores_a,
            scores_b,
            printed.systems,
            alpha,
            sided=printed.sided,
            dependence=dependence or "dependent",
            printing=printed.printing,
        )
    between = None
    if printed.items and not printed.texts and test not in RATINGS:
        ends = forensics.accuracy_pvalues(printed.scores[0], printed.scores[1], printed.items)
        a, b = printed.systems
        least, most = (
            calls.count(
                dict(zip(printed.datasets, ends[end], strict=True)),
                a=a,
                b=b,
                dependence=dependence,
                alpha=alpha,
            ).k
            for end in ("largest", "smallest")
        )
        between = (least, most)
    if not verdicts and supports is None:
        raise InputError(
            f"{printed.name} contains nothing that can be checked; specify the p-values with "
            f"{checks.named('p_value')}, or the significance marks with {checks.named('stars')} "
            f"and the scores with {checks.named('scores')}."
        )
    return Audit(
        printed.name,
        printed.systems,
        printed.datasets,
        alpha,
        sided,
        tuple(verdicts),
        supports,
        both,
        tuple(notes),
        between,
    )


def _first_that_stands(readings: dict[str, Verdict]) -> Verdict:
    """Return the verdict of the usual reading if it stands, else that of all readings."""
    usual = next(iter(readings.values()))
    found: Verdict = usual if usual.verdict != CONTRADICTED else forensics.weigh_readings(readings)
    return found


def _share(claim: Claim, n: int, unit: float) -> Verdict:
    """Judge whether a score can be a share of n items, in each way to print it."""
    rounded: Verdict = forensics.granularity(claim, n, unit)
    if rounded.verdict != IMPOSSIBLE:
        return rounded
    readings = {
        "rounded": rounded,
        "cut off": forensics.granularity(claim, n, unit, printing="truncated"),
    }
    if finest_digit([claim.published]) > unit:
        readings["rounded to the digits that it shows"] = forensics.granularity(claim, n)
    found: Verdict = forensics.weigh_readings(readings)
    return found


def _frame(table: Any) -> Any:
    """Return a dictionary of columns as a data frame, and anything else as it is."""
    if not isinstance(table, Mapping):
        return table
    try:
        return pd.DataFrame(dict(table))
    except ValueError:
        raise InputError(
            "The table is a dictionary, but its values are not lists of equal length; pass one "
            "list for each column."
        ) from None


class _Printed:
    """A table as it is printed, and what its columns say of each other."""

    def __init__(
        self, table: Any, alpha: float, sided: str, test: str | None, resolution: float | None
    ) -> None:
        self.file = columns.source(_frame(table), "The table")
        self.name = str(self.file) if isinstance(self.file, Table) else shown(self.file)
        self.alpha, self.test, self.resolution = alpha, test, resolution
        self.sided = self.declared = sided
        self.systems = ("A", "B")
        self.datasets: tuple[str, ...] = ()
        self.scores: list[list[str]] = []
        self.texts: list[str] = []
        self.marked: list[bool] = []
        self.items: list[int] = []
        self.printing = "rounded"
        self.inferred: list[str] = []

    def read(
        self,
        dataset: str,
        scores: Sequence[str],
        p_value: str | None,
        stars: str | None,
        items: str | int | None,
    ) -> None:
        """Read the columns, and refuse cells that are not numbers."""
        self.datasets = tuple(self._cells(dataset, "dataset"))
        twice = {name for name in self.datasets if self.datasets.count(name) > 1}
        if twice or "" in self.datasets:
            raise InputError(
                f"{self.name}, column {dataset!r}: "
                + (
                    f"{min(twice - {''} or twice)!r} occurs in two rows"
                    if twice
                    else "a row has no dataset name"
                )
                + "; give each dataset exactly one row and its own name."
            )
        refuse_alike(self.name, self.datasets)
        if scores := listed_names("scores", scores):
            if len(scores) != 2 or scores[0] == scores[1]:
                raise InputError(
                    f"{checks.named('scores')} is {scores!r}; specify two columns, one for A and "
                    "one for B."
                )
            self.systems = (scores[0], scores[1])
            self.scores = [self._numbers(header, "scores") for header in scores]
        header = p_value or self._found(stars)
        if header:
            self.texts = self._numbers(header, "p_value")
            for name, text in zip(self.datasets, self.texts, strict=True):
                if not 0 <= printed_interval(text).value <= 1:
                    raise InputError(
                        f"{self.name}, column {header!r}, {name}: {text!r} is not a p-value, which "
                        "must be a number from 0 to 1; correct it."
                    )
        if stars:
            cells = self._cells(stars, "stars")
            self.marked = [cell.strip().lower() not in UNMARKED for cell in cells]
        if items is not None:
            self._read_items(items)

    def _cells(self, header: str, role: str) -> list[str]:
        """Return a column as text."""
        known = delimited.read_headers(self.file)
        if header not in known:
            raise InputError(
                f"{self.name} has no column {header!r}{checks.nearest(header, known)} Specify the "
                f"right column with {checks.named(role)}."
            )
        table = delimited.columns(self.file, {header: header})
        cells = delimited.as_printed(self.file, header, table[header]).to_pylist()
        return ["" if cell is None else str(cell).strip() for cell in cells]

    def _numbers(self, header: str, role: str) -> list[str]:
        """Return a column of printed numbers; a p-value "n.s." is one above alpha."""
        cells, remedy = self._cells(header, role), MISSING
        if role == "p_value":
            remedy = MISSING_P
            cells = [f">{self.alpha:g}" if NOT_SIGNIFICANT.match(cell) else cell for cell in cells]
        for name, cell in zip(self.datasets, cells, strict=True):
            try:
                printed_interval(cell)
            except InputError as error:
                raise InputError(
                    f"{self.name}, column {header!r}, {name}: {error}"
                    f"{'' if re.search(r'[0-9]', cell) else f' {remedy}'}"
                ) from None
        return cells

    def _found(self, stars: str | None) -> str | None:
        """Return the only column with a name for p-values."""
        known = [h for h in delimited.read_headers(self.file) if PVALUE.match(h) and h != stars]
        if len(known) > 1:
            raise InputError(
                f"{self.name} has {len(known)} columns of p-values ({checks.listed(known)}); "
                f"choose one with {checks.named('p_value')}."
            )
        return known[0] if known else None

    def _read_items(self, items: str | int) -> None:
        """Read the numbers of items, and write scores as shares of them."""
        if not self.scores:
            raise InputError(
                f"{checks.named('items')} is the number of items behind each score, but no scores "
                f"are specified; specify their columns with {checks.named('scores')}."
            )
        if isinstance(items, str):
            cells = self._numbers(items, "items")
            whole = [cell.replace(",", "") for cell in cells]
            for name, cell, text in zip(self.datasets, cells, whole, strict=True):
                if not (text.isdecimal() and len(text) <= 9 and 1 <= int(text) <= MOST_ITEMS):
                    raise InputError(
                        f"{self.name}, column {items!r}, {name}: {checks.cut(cell)} is not a "
                        f"number of items, which must be a whole number from 1 to {MOST_ITEMS:,}; "
                        "correct it."
                    )
            self.items = list(map(int, whole))
        else:
            if checks.at_least("items", items) > MOST_ITEMS:
                raise InputError(
                    f"items is {checks.cut(items)}, but scores can be checked only up to "
                    f"{MOST_ITEMS:,} items; leave it out."
                )
            self.items = [items] * len(self.datasets)
        if self.test in RATINGS:
            return
        values = [printed_interval(text).value for column in self.scores for text in column]
        highest = max(values)
        if min(values) < 0 or highest > 100:
            raise InputError(
                f"{self.name}: the scores range from {min(values):g} to {highest:g}, so they are "
                f"not shares of items; leave out {checks.named('items')}."
            )
        if highest > 1:
            self.scores = [[f"{text.rstrip('%')}%" for text in column] for column in self.scores]

    def _claim(self, what: str, text: str) -> Claim:
        return Claim(self.name, "", what, text)

    def _leads(self) -> list[int]:
        """Return for each dataset 1, 0 or -1: who is ahead, as printed; 1 without scores."""
        if not self.scores:
            return [1] * len(self.datasets)
        pairs = zip(*self.scores, strict=True)
        values = [[printed_interval(text).value for text in pair] for pair in pairs]
        return [int(np.sign(a - b)) for a, b in values]

    def pvalues(self) -> list[Verdict]:
        """Judge p-values that no test can report, and those of McNemar's test by their range."""
        verdicts = []
        found = printed_column(self.texts) if self.texts else []
        for name, text, printed in zip(self.datasets, self.texts, found, strict=False):
            claim = self._claim(f"p-value on {name}", text)
            if self.resolution and printed.high < self.resolution:
                sentence = f"The test cannot report a p-value below {self.resolution:g}."
                verdicts.append(
                    forensics.judge(claim, f"{self.resolution:g} or more", IMPOSSIBLE, sentence)
                )
            elif printed.value == 0:
                sentence = (
                    "A p-value of exactly 0 is not possible, so we used the largest value that "
                    "rounds to 0. If you know the smallest p-value that the test can report, "
                    "pass it as resolution= in Python."
                )
                verdicts.append(
                    forensics.judge(claim, f"below {printed.high:g}", UNCHECKED, sentence)
                )
        if self.items and self.test == "mcnemar":
            verdicts += self._mcnemar()
        if self.items and self.texts and self.test in RATINGS:
            a, b = self.scores
            sizes = dict(zip(self.datasets, self.items, strict=True))
            at = self.name, "", self.datasets, self.texts
            verdicts += forensics.correlation_column(*at, a, b, sizes)
        return verdicts

    def infer(self) -> None:
        """Infer from the whole column how p-values are printed and whom they are for."""
        if not (self.texts and self.scores):
            return
        a, b = self.scores
        sides = forensics.infer_side(self.texts, a, b, self.test).set_index("side")
        wrong, possible = sides["misfits"], sides["possible"]
        if self.sided == "one" and not possible["greater"]:
            self.inferred.append(
                f"Not all p-values can be one-sided for {self.systems[0]}: {wrong['greater']} "
                f"of {len(self.texts)} {'is' if wrong['greater'] == 1 else 'are'} above 1/2 where "
                f"{self.systems[0]} scores higher, or below 1/2 where it scores lower."
            )
        if self.sided == "unknown" and not possible["leader"]:
            self.sided = "two"
            self.inferred.append(
                f"We read the p-values as two-sided: {wrong['leader']} of {len(self.texts)} "
                f"exceed{'s' if wrong['leader'] == 1 else ''} 1/2, which is impossible for "
                "one-sided p-values in favour of the system that scores higher."
            )
        rows = self._rows() if self.items and self.test == "mcnemar" else []
        if rows:
            _, texts, a, b, n = map(list, zip(*rows, strict=True))
            form = forensics.infer_mcnemar(texts, a, b, n, sides=FORMS[self.declared]).iloc[0]
            if form["weight"] >= forensics.DECIDED:
                self.printing = str(form["printing"])
                cut = "cut off" if self.printing == "truncated" else "rounded"
                self.inferred.append(
                    "The form of McNemar's test that fits the column best is "
                    f"{form['variant']}, {form['side']}, with digits {cut}. This form could have "
                    f"given {form['possible']} of the {len(texts)} p-values "
                    f"({form['expected']:.1f} expected by chance)."
                )

    def _rows(self) -> list[tuple[Any, ...]]:
        """Return the rows whose scores are shares of items: name, p-value, scores, items."""
        unit = finest_digit([text for column in self.scores for text in column])
        texts = self.texts or [f"<{self.alpha:g}" if mark else "" for mark in self.marked]
        rows = zip(self.datasets, texts, *self.scores, self.items, strict=True)
        return [
            row
            for row in rows
            if row[1] and all(len(right_counts(score, row[-1], unit)) for score in row[2:4])
        ]

    def _mcnemar(self) -> list[Verdict]:
        """Judge p-values and stars by what McNemar's test can give for the accuracies."""
        rows = self._rows()
        if not rows:
            return []
        names, texts, a, b, n = map(list, zip(*rows, strict=True))
        if self.texts:
            at = (names, texts, a, b, n)
            found: list[Verdict] = forensics.mcnemar_column(
                self.name, "", *at, sides=FORMS[self.declared]
            )
            return found
        unit = finest_digit([*a, *b])
        sides = [side for side in FORMS[self.declared] if side in checks.ALTERNATIVES]
        return [
            forensics.mcnemar(
                self._claim(f"McNemar's p-value on {name}", text),
                *row,
                unit=unit,
                alternatives=sides,
            )
            for name, text, *row in rows
        ]

    def directions(self) -> list[Verdict]:
        """Judge "A is better" where a one-sided p-value or a star says so."""
        if not self.scores or self.sided != "one":
            return []
        if self.texts:
            a, b = self.scores
            asked = (self.systems, self.alpha, self.test)
            found: list[Verdict] = forensics.direction_column(
                self.name, "", self.datasets, self.texts, a, b, *asked
            )
            return found
        digit = finest_digit([text for column in self.scores for text in column])
        first, second = self.systems
        rows = zip(self.datasets, self.marked, *self.scores, strict=False)
        return [
            forensics.direction(
                self._claim(f"{first} better than {second} on {name} (marked)", f"<{self.alpha:g}"),
                *(score_a, score_b, self.systems, self.test, digit),
            )
            for name, mark, score_a, score_b in rows
            if mark
        ]

    def shares(self) -> list[Verdict]:
        """Judge whether each score can be a share of its number of items."""
        if not self.items or self.test in RATINGS:
            return []
        unit = finest_digit([text for column in self.scores for text in column])
        return [
            _share(self._claim(f"{system} on {name}", text), n, unit)
            for name, n, *pair in zip(self.datasets, self.items, *self.scores, strict=True)
            for system, text in zip(self.systems, pair, strict=True)
        ]

    def counts(self, claimed: int | None, k_hat: int | None) -> list[Verdict]:
        """Judge the stars and k-hat by the p-values, and the claimed number by either."""
        verdicts = []
        names = [n for n, mark in zip(self.datasets, self.marked, strict=False) if mark]
        if self.marked and self.texts:
            listed = checks.enumerated(names) if names else "none"
            claim = self._claim(f"datasets marked as significant at {self.alpha:g}", listed)
            verdicts.append(
                _first_that_stands(
                    {
                        reading: forensics.marks(
                            claim, names, self.datasets, self.texts, self.alpha, by
                        )
                        for reading, by in MARKS.items()
                    }
                )
            )
        if k_hat is not None and self.texts:
            number = str(checks.at_least("k_hat", k_hat, 0))
            verdicts.append(
                _first_that_stands(
                    {
                        f"by {procedure.TITLES[method]}": forensics.count(
                            self._claim("k-hat", number),
                            self.texts,
                            self.alpha,
                            method,
                            printing=self.printing,
                        )
                        for method in ("bonferroni", "fisher")
                    }
                )
            )
        if claimed is None:
            return verdicts
        number = str(checks.at_least("claimed", claimed, 0))
        claim = self._claim(f"number of datasets with p <= {self.alpha:g}", number)
        if self.texts:
            verdicts.append(
                forensics.count(claim, self.texts, self.alpha, "count", printing=self.printing)
            )
        elif self.marked:
            equal = len(names) == claimed
            sentence = (
                f"The table marks {len(names)} of {len(self.datasets)} datasets as significant."
            )
            verdict = forensics.AGREES if equal else CONTRADICTED
            verdicts.append(forensics.judge(claim, str(len(names)), verdict, sentence))
        return verdicts

    def evidence(self) -> list[float]:
        """Return one-sided p-values for A, none smaller than what is printed allows."""
        texts = self.texts or [f"<{self.alpha:g}" if mark else "<1" for mark in self.marked]
        low, high = forensics.printed_pvalues(texts, self.printing)
        high = np.maximum(high, self.resolution or 0)
        behind = np.array(self._leads()) < 0
        if self.sided == "one":
            follows = self.test is None or self.test in forensics.TESTS_OF_SCORES
            return [float(p) for p in np.where(behind & follows, np.maximum(high, 1 - low), high)]
        halved = high / 2 if self.sided == "two" else high
        ahead = np.array(self._leads()) > 0
        return [float(p) for p in np.where(ahead, halved, np.maximum(high, 1 - low / 2))]

    def notes(self) -> list[str]:
        """Say how the p-values were read, and what would allow for more checks."""
        notes = [*self.inferred]
        if self.texts:
            p = forensics.printed_pvalues(self.texts, self.printing)[1]
            small, bonferroni, fisher = (
                partial_conjunction.estimate(p, self.alpha, method)
                for method in ("count", "bonferroni", "fisher")
            )
            notes.append(
                f"The printed p-value is at most {self.alpha:g} on {small} of {len(p)} datasets. "
                f"Bonferroni's method gives a k-hat of {bonferroni}. Fisher's method gives a "
                f"k-hat of {fisher}, which is valid only if the datasets are independent."
            )
        if self.sided != "one" and self.scores and (self.texts or self.marked):
            small = [printed_interval(text).value <= self.alpha for text in self.texts]
            behind = [
                name
                for name, lead, is_small in zip(
                    self.datasets, self._leads(), small or self.marked, strict=True
                )
                if lead < 0 and is_small
            ]
            if behind:
                notes.append(
                    f"{self.systems[1]} scores higher on {checks.enumerated(behind)}; a small "
                    f"p-value there is not evidence that {self.systems[0]} is better."
                )
        if self.texts and self.scores and self.sided == "unknown":
            notes.append(
                "It is unknown whether the p-values are one-sided or two-sided; the bounds are "
                "valid in both cases."
            )
        if not self.texts and self.marked:
            notes.append(
                "A star shows only that the p-value is at or below the level. The bound therefore "
                "assumes p-values equal to the level; the exact p-values may support a higher "
                "bound."
            )
        if self.texts and not self.scores:
            notes.append(
                "Without the scores of A and B we cannot check which system a p-value favours."
                + (
                    " The p-values support a claim about one system only if they are one-sided."
                    * (self.sided != "one")
                )
            )
        return notes
