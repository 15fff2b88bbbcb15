"""What a command prints."""

import contextlib
import math
import tempfile
from pathlib import Path

ONE = "all"
"""Dataset of a table without a column of datasets."""

REASONS = {
    "independent": "they share no instance and none is made from another",
    "positive": "Bonferroni's estimate is valid whatever the dependence, and Simes's is valid, too",
    "dependent": "Bonferroni's estimate is valid whatever the dependence",
}
"""Dependence -> why its estimator is recommended, a clause."""


def _dataset_names(options, n):
    """Return the names of n datasets that were passed with --names, or None."""
    from replicability import checks
    from replicability.io.pvalues import refuse_alike

    if not options.names:
        return None
    names = [name.strip() for name in options.names]
    if len(names) != n:
        raise checks.InputError(
            f"There are {len(names)} names and {n} p-values; pass --names with one name for each "
            "p-value."
        )
    seen = set()
    for name in names:
        if not name:
            raise checks.InputError("One of --names is empty; give every dataset a name.")
        if name in seen:
            raise checks.InputError(f"Two datasets have the name {name!r}; rename one of them.")
        seen.add(name)
    refuse_alike("--names", names)
    return names


# --- answers -------------------------------------------------------------------------------------


def _comparison(options, **changes):
    """Declare the comparison that the arguments describe."""
    from replicability import checks
    from replicability.io import study

    systems = tuple(options.systems or ("A", "B"))
    if not all(system.strip() for system in systems):
        raise checks.InputError("One of --systems is empty; give both a name.")
    if systems[0] == systems[1]:
        raise checks.InputError(
            f"Both systems have the name {systems[0]!r}; pass two with --systems."
        )
    block = {
        "name": "-".join(systems),
        "section": "",
        "title": "-".join(systems),
        "systems": systems,
        "dependence": options.dependence or "dependent",
        "file": "",
        "columns": {},
        "seed": getattr(options, "seed", 0),
        "resolution": getattr(options, "resolution", 0.0),
    }
    return study.Comparison(**{**block, **changes})


def levels(options):
    """Return the levels of significance that are asked for.

    Parameters
    ----------
    options : Namespace
        Arguments of a command that makes a claim.

    Returns
    -------
    list of float
        0.05 if none is given with --alpha.

    Raises
    ------
    InputError
        If one is no level.
    """
    from replicability import checks

    return [checks.alpha(alpha) for alpha in options.alpha or (0.05,)]


def _answer(options, comparison, table, alphas):
    """Count and identify at every level, in one direction or in both."""
    from replicability.compare.findings import directions, find
    from replicability.stats import multiple_testing

    asked = directions(comparison, table) if options.both else [(comparison, table)]
    facts = table.assign(p_value=asked[0][1]["p_value"]).drop(columns="p_reverse", errors="ignore")
    facts["adjusted_p_value"] = multiple_testing.adjusted_pvalues(facts["p_value"])
    if options.both:
        facts["p_reverse"] = asked[1][1]["p_value"].to_numpy()
        facts["adjusted_p_reverse"] = multiple_testing.adjusted_pvalues(facts["p_reverse"])
    stated, estimators = [], printed()
    for alpha in alphas:
        for claim in asked:
            found = find(*claim, alpha / len(asked), estimators)
            stated.append(
                {
                    "systems": list(found.systems),
                    "alpha": found.alpha,
                    "k_hat": {name: found.counts[name] for name in estimators if name != "count"},
                    "count": found.counts["count"],
                    "identified": found.identified_datasets,
                    "sentence": str(found),
                }
            )
    return {
        **_declared(options, comparison),
        "datasets": facts.to_dict("records"),
        "findings": stated,
        "notes": [_reason(options, comparison)] if len(facts) > 1 else [],
    }


def printed():
    """Return the estimators that are printed beside each other, that without a guarantee first.

    Returns
    -------
    dict of str to Estimator
        Those of `partial_conjunction.ESTIMATORS` that say so.
    """
    from replicability.stats.partial_conjunction import ESTIMATORS

    return {name: entry for name, entry in ESTIMATORS.items() if entry.printed}


def _declared(options, comparison):
    """Start an answer with what was declared."""
    from replicability.stats import partial_conjunction

    return {
        "systems": list(comparison.systems),
        "dependence": comparison.dependence,
        "dependence_declared": options.dependence is not None,
        "recommended": partial_conjunction.recommended_method(comparison.dependence),
    }


def _reason(options, comparison):
    """Say which estimator is recommended, and why."""
    from replicability.stats import partial_conjunction

    recommended = partial_conjunction.recommended_method(comparison.dependence).capitalize()
    if options.dependence:
        return (
            f"Recommended: {recommended}, because the datasets are declared "
            f"{comparison.dependence}: {REASONS[comparison.dependence]}."
        )
    return (
        f"Recommended: {recommended}. No dependence is declared, so that the datasets are treated "
        f"as dependent: {REASONS['dependent']}. If they share no instance and none is made from "
        "another, declare --independent."
    )


def plain(value):
    """Turn an answer into what JSON can hold.

    Parameters
    ----------
    value : object
        Dictionaries, lists, text and numbers, also numpy's.

    Returns
    -------
    object
        The same of Python's own types; None for a number that is not finite.
    """
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


# --- answers as text -----------------------------------------------------------------------------


def show(answer):
    """Write the answer of `pvalues` or `compare` as text.

    Parameters
    ----------
    answer : dict
        The answer.

    Returns
    -------
    str
        Sentences and tables.
    """
    sentences = "\n".join(finding["sentence"] for finding in answer["findings"])
    if "n" in answer:
        blocks = [sentences, _counts(answer, answer["n"])]
    elif len(answer["datasets"]) == 1 and "test" in answer:
        blocks = [_single(answer)]
    else:
        blocks = [sentences, _datasets(answer), _counts(answer, len(answer["datasets"]))]
    return "\n\n".join([*blocks, *map(_fill, answer["notes"])])


def _single(answer):
    """Say what the test of one dataset shows."""
    from replicability.stats.paired import TESTS

    a, b = answer["systems"]
    row = answer["datasets"][0]
    won = f"; {row['wins']} wins, {row['ties']} ties and {row['losses']} losses of {a}"
    lines = [
        f"{a}: {row['score_a']:#.4g}, {b}: {row['score_b']:#.4g} on {row['n']:,} instances"
        f"{won if _won(row) else ''}.",
        f"Difference {row['difference']:#.4g}, 95% confidence interval [{row['low']:#.4g}, "
        f"{row['high']:#.4g}].",
        f"p {_equal(row['p_value'])} for the hypothesis that {a} is not better, by "
        f"{TESTS[answer['test']].title} ({row['how']}).",
    ]
    if "p_reverse" in row:
        lines.append(f"p {_equal(row['p_reverse'])} for the hypothesis that {b} is not better.")
    for finding in answer["findings"]:
        first, second = finding["systems"]
        verdict = "is shown to be" if finding["count"] else "is not shown to be"
        lines.append(f"At alpha = {finding['alpha']:g} {first} {verdict} better than {second}.")
    return "\n".join(lines)


def _equal(p):
    """Write "= p" or "< p"."""
    from replicability.show import tables

    text = tables.pvalue(p)
    return text if text.startswith("<") else f"= {text}"


def _won(row):
    return row["wins"] is not None


def _datasets(answer):
    """Lay out the datasets."""
    from replicability.show import tables

    a, b = answer["systems"]
    rows, read = answer["datasets"], "test" not in answer
    cells = {"dataset": [row["dataset"] for row in rows]}
    if "n" in rows[0]:
        cells["n"] = [f"{row['n']:,}" for row in rows]
    if "score_a" in rows[0]:
        cells[a] = [f"{row['score_a']:#.4g}" for row in rows]
        cells[b] = [f"{row['score_b']:#.4g}" for row in rows]
    if "low" in rows[0]:
        cells["difference"] = [f"{row['difference']:.3f}" for row in rows]
        cells["95% interval"] = [f"[{row['low']:.3f}, {row['high']:.3f}]" for row in rows]
        if all(map(_won, rows)):
            cells["wins/ties/losses"] = [f"{r['wins']}/{r['ties']}/{r['losses']}" for r in rows]
    both = "p_reverse" in rows[0]
    for system, p in ((a, "p_value"), (b, "p_reverse"))[: 1 + both]:
        better = f" ({system} better)" if both else ""
        cells[f"p{better}"] = [tables.pvalue(row[p], read) for row in rows]
        cells[f"Holm's p{better}"] = [tables.pvalue(row[f"adjusted_{p}"], read) for row in rows]
    levels = {row["dataset"]: [] for row in rows}
    for finding in answer["findings"]:
        better = f"{finding['systems'][0]} better " if both else ""
        for dataset in finding["identified"]:
            levels[dataset].append(f"{better}at {finding['alpha']:g}")
    cells["identified"] = [", ".join(said) or "no" for said in levels.values()]
    return _aligned(cells)


def _counts(answer, n):
    """Lay out every estimator at every level, and which of them are valid."""
    estimators = printed()
    stated, both = answer["findings"], len({f["systems"][0] for f in answer["findings"]}) > 1
    cells = {f"k-hat of {n:,}": [name.capitalize() for name in estimators]}
    for finding in stated:
        better = f"{finding['systems'][0]} better " if both else ""
        cells[f"{better}at {finding['alpha']:g}"] = [
            f"{k:,}" for k in (finding["count"], *finding["k_hat"].values())
        ]
    valid = []
    for name, estimator in estimators.items():
        word = "yes" if answer["dependence"] in estimator.valid_under else "no"
        word = word if estimator.valid_under else "no guarantee"
        valid.append(f"{word}, recommended" if name == answer["recommended"] else word)
    cells[f"valid for {answer['dependence']} datasets"] = valid
    return _aligned(cells)


def _aligned(cells):
    """Lay out columns of text: first and last to the left, the others to the right."""
    columns = [[header, *column] for header, column in cells.items()]
    for number, column in enumerate(columns):
        left = number in (0, len(columns) - 1)
        width = max(map(len, column))
        columns[number] = [cell.ljust(width) if left else cell.rjust(width) for cell in column]
    return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))


def _fill(text, indent=""):
    import textwrap

    return textwrap.fill(text, 88, subsequent_indent=indent, break_on_hyphens=False)


# --- what is read again --------------------------------------------------------------------------


@contextlib.contextmanager
def stored(shown, name, write):
    """Store content in a temporary file for as long as it is read.

    Parameters
    ----------
    shown : str
        How a message calls what is stored.
    name : str
        Name of the file; its ending may say what it holds.
    write : function of Path
        Writes the content there.

    Yields
    ------
    str
        The file.

    Raises
    ------
    InputError
        If there is no room for it; and whatever is raised of the file, about `shown` instead.
    """
    from replicability.checks import InputError

    with contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            path = Path(folder) / name
            write(path)
        except OSError as error:
            raise InputError(
                f"A temporary copy of {shown} could not be written: {error.strerror or error}; let "
                "the variable TMPDIR name a folder with room."
            ) from None
        try:
            yield str(path)
        except InputError as error:
            raise InputError(str(error).replace(str(path), shown)) from None
