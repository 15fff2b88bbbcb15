"""What a study says about its own results, in Markdown whose numbers are filled in from them.

A block of remarks is a Jinja template: ``{{ found("ours", 0.05).k | words }}`` is what it computes
from the tables and comparisons of the study, so that no number is typed. `config/README.md` lists
what an expression may name, `Results` and `FILTERS` define it.
"""

import re
import traceback
from dataclasses import dataclass, replace
from pathlib import Path

import jinja2
import jinja2.meta
import jinja2.sandbox
import numpy as np
import pandas as pd

from analysis import fields, paths
from replicability import checks
from replicability.core import evaluation, findings, labels, units
from replicability.io import formats
from replicability.io.text import Prose, existing, read_text, shown
from replicability.show.tables import pvalue

IN_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
"""Numbers that prose spells out."""

SHOWN = re.compile(r'(?:\b|_)remarks(?:\([^)]*\))?\["([^"]+)"\]')
"""A cell of a notebook that shows a remark."""

NUMBER = re.compile(r"[-−+]?(?:\d[\d,]*)?\.?\d+(?:e-\d+)?")
"""A number in a cell of a table."""


def read_remarks(study, section, tables):
    """Read what is said about a section of a study.

    `study` (Study): its `remarks` name the folder. `section`: name of a notebook; the file is
    ``<section>.md``, a block under each heading of level 2. `tables`: folder of the tables that the
    remarks may name; a relative one starts at the checkout.

    Returns Remarks. The blocks by their headings; none if the study has no such file.
    """
    file = f"{study.remarks}/{section}.md"
    if not (study.remarks and Path(file).is_file()):
        return Remarks("", {}, {})
    return Remarks(file, _blocks(file), Results(study, tables).names())


def _blocks(file):
    """Return the blocks of a file of remarks: heading -> (lines above it, block)."""
    text, blocks = fields.plain(read_text(file)), {}
    for found in re.finditer(r"^## (.*)\n?((?:(?!^## ).*\n?)*)", text, re.MULTILINE):
        line = text.count("\n", 0, found.start(2))
        blocks[found[1].strip().lower()] = (line, found[2])
    return blocks


def headings(study, section, shown):
    """Return the headings of the remarks on a section.

    `study`, `section`: as for `read_remarks`. `shown` (sequence of str): the headings that the
    notebook of the section has a place for.

    Returns list of str. In the order of the file; none if there is no such file, or the notebook
    has no place.

    Raises `InputError`: if the file has no block, or the notebook has no place for a heading.
    """
    file = f"{study.remarks}/{section}.md"
    path = Path(file)
    if not (study.remarks and shown and path.is_file()):
        return []
    found = _blocks(path) if path.read_bytes().strip() else {}
    if not found:
        raise checks.InputError(
            f"{file} has no remarks on the results. Use at least one of these headings, and write "
            f"a block of text below it: {', '.join(f'## {one}' for one in shown)}."
        )
    for heading, (line, _) in found.items():
        checks.choice(f"{file}, line {line}: the heading", heading, shown)
    return list(found)


@dataclass(frozen=True)
class Remarks:
    """Remarks, each filled in when it is asked for, after the tables that it names were saved.

    Attributes
    ----------
    file : str
        The file, for messages.
    blocks : dict of str to (int, str)
        Heading in lower case -> number of lines above the block, and the block.
    names : dict of str to callable
        What its expressions may name.
    """

    file: str
    blocks: dict
    names: dict

    def __getitem__(self, heading):
        """Fill in the block under a heading.

        `heading`: in lower case.

        Returns Prose. The text; "" if the file has no such heading.

        Raises `InputError`: if a substitution cannot be made; with file, line, heading, what is
        wrong, and what there is in place of a name that there is not.
        """
        above, block = self.blocks.get(heading, (0, ""))
        try:
            return Prose(_environment(block, self.names).from_string(block).render().strip())
        except Exception as error:  # whatever an expression may raise
            line, said = above + _line(error), _sentence(error)
            place = f"{shown(paths.ROOT / self.file)}, line {line}, under {heading!r}"
            raise checks.InputError(f"{place}: {said}") from None


class _Environment(jinja2.sandbox.SandboxedEnvironment):
    """Templates in which a subscript is an element, never an attribute, and must be there."""

    def getitem(self, obj, argument):
        try:
            return obj[argument]
        except (LookupError, TypeError):
            there = list(map(str, obj.keys())) if hasattr(obj, "keys") else []
            near = checks.nearest(str(argument), there)
            listed = f"; there is {checks.listed(there)}{near}" if there else ""
            raise checks.InputError(f"there is no {argument!r}{listed}.") from None


def value(expression, names):
    """Compute a single expression; `names` are what it may name."""
    environment = _environment(f"{{{{ {expression} }}}}", names)
    return environment.compile_expression(expression, undefined_to_none=False)()


def _environment(block, names):
    environment = _Environment(undefined=jinja2.StrictUndefined, trim_blocks=True)
    environment.filters |= FILTERS
    environment.globals = names
    for name in jinja2.meta.find_undeclared_variables(environment.parse(block)):
        checks.choice("the name", name, names)
    return environment


def _line(error):
    """Return the line of the template in which an error arose; 1 if it is not known."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == "<template>"]
    return getattr(error, "lineno", None) or (lines[-1] if lines else 1)


def _sentence(error):
    said = str(error).strip() or type(error).__name__
    return said if said.endswith((".", "?")) else f"{said}."


# --- what an expression may name -----------------------------------------------------------------


class Results:
    """The results of a study, computed or read when a remark names them.

    Parameters
    ----------
    study : Study
        The study.
    tables : str
        Folder of its tables; a relative one starts at the checkout.
    """

    def __init__(self, study, tables):
        self.comparisons = {comparison.name: comparison for comparison in study.comparisons}
        self.tables = tables
        self._evaluated = {}

    def names(self):
        """Return what remarks may name: name -> function."""
        read = (self.table, self.result, self.found, self.both)
        measured = (self.correlations, self.design_effects)
        return {f.__name__: f for f in (*read, *measured, bounds, num)}

    def table(self, name, *index):
        """Read a table.

        `name`: stem of a table that the notebook saved above the remark, or with its folder a file
        of the checkout, CSV or Parquet. `*index`: columns by which its rows are found.

        Returns DataFrame. Columns of numbers as numbers, others as text.

        Raises `InputError`: if there is no such table or column.
        """
        file = name if "/" in name else f"{self.tables}/{name}.csv"
        path = existing(file)
        read = pd.read_parquet if file.endswith(".parquet") else _read_csv
        found = read(path)
        for column in index:
            checks.choice(f"{file}: column", column, found.columns)
        return found.set_index(list(index) if len(index) > 1 else index[0]) if index else found

    def result(self, name, **changes):
        """Evaluate a comparison, perhaps with other keys: a row for each dataset."""
        return self.evaluated(name, **changes)[1].rows.set_index("dataset")

    def found(self, name, alpha, **changes):
        """Say what is found about a comparison: a `findings.Finding`."""
        return findings.find(*self.evaluated(name, **changes), alpha)

    def both(self, name, alpha, **changes):
        """Say what is found in both directions, each at alpha / 2: system -> `findings.Finding`."""
        comparison, table = self.evaluated(name, **changes)
        found = findings.find_both(comparison, table, alpha)
        return dict(zip(map(comparison.called, comparison.systems), found, strict=True))

    def correlations(self, name):
        """Return how the statistics of datasets that share units correlate, pair by pair."""
        flips = self.evaluated(name)[1].flips
        if flips is None:
            raise checks.InputError(
                f"the study does not declare that the datasets of {name!r} share units."
            )
        return pd.Series(flips.between)

    def design_effects(self, name, unit):
        """Say of each dataset how much larger its variance is where a column names the units."""
        comparison = replace(self.comparison(name), unit=unit)
        return pd.Series(
            {
                dataset.name: units.design_effect(replace(dataset, units=None), by_unit)
                for dataset in formats.read(comparison)
                for by_unit in [units.by_unit(dataset)]
            }
        )

    def comparison(self, name, **changes):
        """Return a comparison, perhaps with other keys."""
        return replace(
            self.comparisons[checks.choice("the comparison", name, self.comparisons)], **changes
        )

    def evaluated(self, name, **changes):
        """Return a comparison and its p-values, scores and differences, computed once."""
        key = name, repr(changes)
        if key not in self._evaluated:
            comparison = self.comparison(name, **changes)
            table = evaluation.evaluate(comparison)
            self._evaluated[key] = labels.apply(comparison, table)
        return self._evaluated[key]


def _read_csv(path):
    return pd.read_csv(path, thousands=",")


def bounds(finding):
    """Bound every declared group of a finding.

    `finding`: what is found about a comparison.

    Returns DataFrame of int. A row for each group: ``at least`` so many of its ``datasets``.
    """
    return pd.DataFrame(
        {
            name: {"at least": finding.of_groups.at_least(group), "datasets": len(group)}
            for name, group in finding.groups.items()
        }
    ).T


def num(cell, place=0):
    """Return a number in a cell of a table.

    `cell`: such as "15 of 16"; of a Series each. `place`: which of its numbers.

    Returns float or Series. Such as 16 at place 1; of "8%" it is 8.

    Raises `InputError`: if the cell has no such number.
    """
    if isinstance(cell, pd.Series):
        return cell.map(lambda each: num(each, place))
    there = NUMBER.findall(str(cell))
    if place >= len(there):
        raise checks.InputError(f"{cell!r} has no number at position {place}.")
    return float(there[place].replace("−", "-").replace(",", ""))


# --- how a value is written ----------------------------------------------------------------------


def words(n, thing=""):
    """Write a count as prose does.

    `n`: at least 0. `thing`: one of what is counted, whose plural ends in s.

    Returns str. Such as "none", "two", "13" or "1,000"; with a thing "no pair", "one pair" or "two
    pairs".

    Raises `InputError`: if it is no count.
    """
    if not isinstance(n, int | float | np.number) or n < 0 or n != int(n):
        raise checks.InputError(
            f"{n!r} is not a whole number of at least 0, and `words` writes no others; use "
            "`number`."
        )
    n = int(n)
    said = IN_WORDS[n] if n < len(IN_WORDS) else f"{n:,}"
    if not thing:
        return said if n else "none"
    return f"{said} {thing}{'s' * (n > 1)}"


def of(k, n):
    """Write how many of how many.

    `k`, `n`: 0 to `n`, and at least 1.

    Returns str. Such as "none of twelve", "nine of twelve", "all twelve" or "both".
    """
    if k < n:
        return f"{words(k)} of {words(n)}"
    return "both" if n == 2 else f"all {words(n)}"


def number(value, decimals=0):
    """Write a number with so many decimals, and commas between thousands; a zero has no sign."""
    return f"{value:z,.{decimals}f}"


def percent(value, decimals=0):
    """Write a share of 1 as a percentage."""
    return f"{value:.{decimals}%}"


def listed(names, none="none"):
    """Write names as a sentence lists them; `none` if there are none."""
    names = [str(name) for name in names]
    return checks.enumerated(names) if names else none


FILTERS = {f.__name__: f for f in (words, of, number, percent, listed, pvalue)}
"""Name -> how a value is written."""
