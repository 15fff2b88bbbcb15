"""Answers as text: sentences, tables and notes."""

import itertools
import textwrap


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
    blocks = ["\n".join(_sentences(answer))]
    blocks += [filled(answer["overall"]["sentence"])] if answer.get("overall") else []
    if "n" in answer:
        blocks += [_counts(answer, answer["n"])]
    elif len(answer["datasets"]) == 1 and answer["units"]:
        blocks = [_single(answer)]
    else:
        groups = [_groups(answer)] if answer["findings"][0]["groups"] else []
        blocks += [_datasets(answer), *groups, _counts(answer, len(answer["datasets"]))]
    return "\n\n".join([*blocks, *map(filled, [*answer["notes"], *answer["command"]["notes"]])])


def _sentences(answer):
    """Return what is found at each level, and what independence would change, if it would."""
    said, findings = answer["sentences"], iter(answer["findings"])
    each = len(answer["findings"]) // len(said)
    for sentence in said:
        of_level = (finding.get("if_independent") for finding in itertools.islice(findings, each))
        yield " ".join(filter(None, (sentence, *of_level)))


def _single(answer):
    """Say what the test of one dataset shows."""
    from replicability.core.findings.wording import plural
    from replicability.stats.paired import TESTS

    a, b = answer["systems"]
    row = answer["datasets"][0]
    won = f"; {plural(row['wins'], 'win')}, {plural(row['ties'], 'tie')} and {row['losses']:,} "
    won += f"{'loss' if row['losses'] == 1 else 'losses'} of {a}"
    units = ""
    if "units" in row:
        units = f" of {plural(row['units'], 'unit')}{_effect(row)}"
    lines = [
        f"{a}: {row['score_a']:#.4g}, {b}: {row['score_b']:#.4g} on {row['n']:,} instances"
        f"{units}{won if _won(row) else ''}.",
        f"Difference {row['difference']:#.4g}, 95% confidence interval [{row['low']:#.4g}, "
        f"{row['high']:#.4g}].",
        f"p {_equal(row['p_value'])} for the hypothesis that {answer['findings'][0]['null']}, by "
        f"{TESTS[answer['test']].title} ({row['how']}).",
    ]
    if _in_both(answer):
        null = answer["findings"][1]["null"]
        lines.append(f"p {_equal(row['p_reverse'])} for the hypothesis that {null}.")
    lines += answer["sentences"]
    return "\n".join(lines)


def _effect(row):
    """Write the design effect, if there is any variance."""
    effect = row["design_effect"]
    return "" if effect is None else f" (design effect {effect:.2f})"


def _equal(p):
    """Write "= p" or "< p"."""
    from replicability.show import tables

    text = tables.pvalue(p)
    return text if text.startswith("<") else f"= {text}"


def _won(row):
    return row["wins"] is not None


def _of_runs(rows):
    """Lay out the numbers of runs of both systems, and how far the scores of runs are apart."""
    if "runs_a" not in rows[0]:
        return {}
    spreads = [[row[f"spread_{side}"] for side in "ab"] for row in rows]
    return {
        "runs": [f"{row['runs_a']:,}/{row['runs_b']:,}" for row in rows],
        "SD of runs": ["/".join("-" if x is None else f"{x:.3f}" for x in s) for s in spreads],
    }


def _datasets(answer):
    """Lay out the datasets."""
    from replicability.show import tables

    a, b = answer["systems"]
    rows, read = answer["datasets"], not answer["units"]
    cells = {"dataset": [row["dataset"] for row in rows]}
    if "n" in rows[0]:
        cells["n"] = [f"{row['n']:,}" for row in rows]
    if "units" in rows[0]:
        cells["units"] = [f"{row['units']:,}" for row in rows]
        effects = (row["design_effect"] for row in rows)
        cells["design effect"] = ["-" if effect is None else f"{effect:.2f}" for effect in effects]
    cells |= _of_runs(rows)
    if "score_a" in rows[0]:
        cells[a] = [f"{row['score_a']:#.4g}" for row in rows]
        cells[b] = [f"{row['score_b']:#.4g}" for row in rows]
    if "low" in rows[0]:
        cells |= _of_differences(rows)
    if len({row.get("margin") for row in rows}) > 1:
        cells["margin"] = [f"{row['margin']:g}" for row in rows]
    both = _in_both(answer)
    for system, p in ((a, "p_value"), (b, "p_reverse"))[: 1 + both]:
        better = f" ({system} {_word(answer)})" if both else ""
        cells[f"p{better}"] = [tables.pvalue(row[p], read) for row in rows]
        if f"adjusted_{p}" in rows[0]:
            adjusted = [tables.pvalue(row[f"adjusted_{p}"], read) for row in rows]
            cells[f"adjusted p{better}"] = adjusted
    levels = {row["dataset"]: [] for row in rows}
    for finding in answer["findings"]:
        better = f"{finding['systems'][0]} {_word(answer)} " if both else ""
        for dataset in finding["named"]:
            levels[dataset].append(f"{better}at {_level(answer, finding):g}")
    cells["identified"] = [", ".join(said) or "no" for said in levels.values()]
    return aligned(cells)


def _of_differences(rows):
    """Lay out the differences, their intervals, and what was won and lost."""
    from replicability.core.numbers import rounded

    ends = ("difference", "low", "high")
    limits = [["-" if row[e] is None else rounded(row[e], 3) for e in ends] for row in rows]
    cells = {
        "difference": [difference for difference, _, _ in limits],
        "95% interval": [f"[{low}, {high}]" for _, low, high in limits],
    }
    if all(map(_won, rows)):
        cells["wins/ties/losses"] = [f"{r['wins']}/{r['ties']}/{r['losses']}" for r in rows]
    return cells


def _word(answer):
    """Say in a word or two what is claimed of a system."""
    return "not worse" if answer["claim"] == "not_worse" else "better"


def _groups(answer):
    """Lay out the bounds of the groups at every level."""
    stated, both = answer["findings"], _in_both(answer)
    groups = stated[0]["groups"]
    cells = {
        "group": [group["group"] for group in groups],
        "datasets": [f"{len(group['datasets']):,}" for group in groups],
    }
    for finding in stated:
        better = f"{finding['systems'][0]} {_word(answer)} " if both else ""
        cells[f"{better}at {_level(answer, finding):g}"] = [
            _bound(group["at_least"], group["search_could_give"]) for group in finding["groups"]
        ]
    cells["which"] = [_shortened(", ".join(group["datasets"])) for group in groups]
    return aligned(cells)


def _bound(k, could):
    """Write a bound, and what it could be if its search had not been cut short."""
    said = f"at least {k:,}" if k else "none shown"
    return f"{said} (a longer search: {could:,} at most)" if could > k else said


def _shortened(text):
    return textwrap.shorten(text, 44, placeholder=" ...", break_on_hyphens=False)


def _level(answer, finding):
    """Return the level of all that is said, which two directions share."""
    return finding["alpha"] * (2 if _in_both(answer) else 1)


def _in_both(answer):
    """Whether both directions are asked."""
    return len({finding["systems"][0] for finding in answer["findings"]}) > 1


def _counts(answer, n):
    """Lay out every estimator at every level, and which of them are valid."""
    from replicability.core.findings.wording import DECLARED
    from replicability.core.procedure import TITLES, VALID_UNDER

    stated, both = answer["findings"], _in_both(answer)
    estimators = ["count", *stated[0]["k_hat"]]
    titles = (TITLES.get(name, name) for name in estimators)
    cells = {f"k-hat of {n:,}": [title[:1].upper() + title[1:] for title in titles]}
    for finding in stated:
        better = f"{finding['systems'][0]} {_word(answer)} " if both else ""
        cells[f"{better}at {_level(answer, finding):g}"] = [
            f"{k:,}" for k in (finding["count"], *finding["k_hat"].values())
        ]
    valid = []
    for name in estimators:
        word = "yes" if answer["dependence"] in VALID_UNDER.get(name, ()) else "no"
        word = word if name in VALID_UNDER else "no guarantee"
        valid.append(f"{word}, chosen" if name == answer["recommended"] else word)
    cells[f"valid for {DECLARED[answer['dependence']]} datasets"] = valid
    return aligned(cells)


def aligned(cells):
    """Lay out columns of text: first and last to the left, the others to the right.

    Parameters
    ----------
    cells : dict of str to list of str
        Header -> the cells of its column.

    Returns
    -------
    str
        One line for the headers and one for each row.
    """
    columns = [[header, *column] for header, column in cells.items()]
    for number, column in enumerate(columns):
        left = number in (0, len(columns) - 1)
        width = max(map(len, column))
        columns[number] = [cell.ljust(width) if left else cell.rjust(width) for cell in column]
    return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))


def filled(text, indent=""):
    """Break a text into lines.

    Parameters
    ----------
    text : str
        The text.
    indent : str, default ""
        What stands before every line but the first.

    Returns
    -------
    str
        Lines of at most 88 characters.
    """
    return textwrap.fill(text, 88, subsequent_indent=indent, break_on_hyphens=False)
