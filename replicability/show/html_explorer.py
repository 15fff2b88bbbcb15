"""The explorer: p-values of comparisons that a reader moves by hand, as an element of a page.

``explorer.js`` and ``explorer.css`` in `FOLDER` make it live; without them the element shows
what it holds. A page that has it needs nothing else.
"""

import json

import numpy as np

from replicability.core import claimed, procedure
from replicability.show import style
from replicability.show.templates import FOLDER, environment

FILES = ("explorer.js", "explorer.css")
"""Files that a page needs for the explorer, in `FOLDER`."""

MOST = 200
"""Maximum number of datasets in a comparison that the explorer draws."""

METHODS = ("bonferroni", "simes", "fisher", "fisher_bonferroni")
"""Local tests whose p-values it draws."""

COLOURED = ("a", "b", "count", *METHODS)
"""Entries of `style.COLOURS` that the explorer uses."""


KINDS = {
    "independent": "independent",
    "positive": "positively dependent",
    "dependent": "dependent or unknown",
}
"""Dependence -> what the datasets are."""


def part(name):
    """Return the text of a file of the explorer.

    `name`: one of `FILES`.

    Returns str. Its text.
    """
    return (FOLDER / name).read_text(encoding="utf-8")


def counting():
    """Return the functions of ``explorer.js`` that count, for pages without the explorer.

    Returns str. JavaScript.
    """
    text = part("explorer.js").partition("/* ---- numbers ---- */")[2]
    constants = part("explorer.js").partition("const METHODS")[2].partition("/* ---- numbers")[0]
    return f"const METHODS{constants}{text.partition('/* Whether B is ahead')[0]}"


def example(name, comparison, table, title=""):
    """Return what the explorer takes of a comparison.

    Parameters
    ----------
    name : str
        How addresses refer to it.
    comparison : study.Comparison
        The comparison.
    table : Tested or DataFrame
        ``dataset``, ``p_value`` and perhaps ``score_a`` and ``score_b``, as they were read.
    title : str, optional
        What it is called in the list of examples; by default the comparison's title.

    Returns
    -------
    dict
        ``id``, ``title``, ``a`` and ``b``, the two systems, the ``claim`` in words, ``dependence``,
        ``lower``, whether a lower score is better, ``sided``, whether its p-values are one-sided
        already, ``groups`` of places and ``rows``: name, p-value and scores of each dataset as they
        were read, None where there are none; ``method``, the local test of independent datasets if
        it is not the default, or "".
    """
    a, b = comparison.systems
    datasets = table["dataset"].tolist()
    scores = ["score_a", "score_b"] if "score_a" in table else []
    values = table[["p_value", *scores]].to_numpy(float)
    return {
        "id": name,
        "title": title or comparison.title,
        "a": a,
        "b": b,
        "claim": claimed.claim(comparison).clause(a, b),
        "dependence": comparison.dependence,
        "method": _asked(comparison),
        "lower": comparison.higher_is_better is False,
        "sided": comparison.level == "instances" or comparison.sided != "unknown",
        "groups": {
            group: sorted(datasets.index(member) for member in members)
            for group, members in comparison.groups.items()
        },
        "rows": [
            [dataset, float(f"{row[0]:.6g}"), *_scores(row[1:])]
            for dataset, row in zip(datasets, values, strict=True)
        ],
    }


def _asked(comparison):
    """Return the local test that a comparison asks for, if the explorer draws it."""
    if comparison.procedure == "paper":
        return procedure.IN_THE_PAPER["independent"]
    return comparison.method if comparison.method in METHODS else ""


def element(examples, start="", without=""):
    """Return the element that ``explorer.js`` fills.

    `examples` (sequence of dict): as `example` returns them; the first is shown unless `start` says
    otherwise. `start`: what is shown first, as an address says it:
    ``of=NAME&alpha=0.05&dependence=positive``. `without`: HTML that is shown where there is no
    JavaScript.

    Returns str. HTML.
    """
    held = json.dumps(list(examples), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    template = environment().get_template("explorer.html.jinja")
    return template.render(
        colours=";".join(f"--{name}:{style.COLOURS[name]}" for name in COLOURED),
        examples=held,
        start=start,
        kinds=KINDS,
        methods={name: procedure.TITLES[name] for name in METHODS},
        without=without,
    ).removesuffix("\n")


def section(settings, pairs):
    """Return the explorer of a study as the template of its page shows it.

    `settings` (study.Study): the study; the first of its levels is where the explorer starts.
    `pairs` (sequence of (study.Comparison, Tested)): comparisons with their results, as
    `evaluation.evaluate` returns them.

    Returns dict or None. ``element``, ``style``, ``script`` and a ``note``; None if there is no
    comparison of `MOST` datasets or fewer.
    """
    drawn = [(one, table) for one, table in pairs if len(table) <= MOST]
    if not drawn:
        return None
    left_out = [one.title for one, table in pairs if len(table) > MOST]
    notes = [_by_another_test(one, table) for one, table in drawn]
    if left_out:
        notes.append(
            f"Comparisons with more than {MOST} datasets are not drawn: {', '.join(left_out)}."
        )
    script, looks = map(part, FILES)
    examples = [example(one.name, one, table.as_read()) for one, table in drawn]
    without = "<p>This part needs JavaScript. The figures above show the same results.</p>"
    return {
        "element": element(examples, f"alpha={settings.alphas[0]:g}", without),
        "style": looks,
        "script": script,
        "note": "".join(f" {note}" for note in notes if note),
    }


def _by_another_test(comparison, table):
    """Say if the local test of a comparison is not the default for its dependence."""
    method = procedure.chosen(comparison, table)
    here = procedure.LOCAL_TESTS[comparison.dependence]
    if method == here:
        return ""
    titles = procedure.TITLES
    return (
        f"For {comparison.title}, the finding above uses {titles[method]}; the interactive "
        f"part uses {titles[here]}, which needs only p-values."
    )


def _scores(values):
    """Return both scores with six digits, or None for each where one is missing."""
    whole = np.isfinite(values).all()
    return [float(f"{value:.6g}") if whole else None for value in values]
