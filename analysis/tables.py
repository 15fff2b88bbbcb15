"""Tables: the only place for rounding, column order and file formats."""

import html
import re

import numpy as np
import pandas as pd

from replicability.compare import evaluation
from replicability.io import paths, pvalues
from replicability.stats import multiple_testing

pd.options.display.max_colwidth = None  # a table that a notebook shows is shown whole

MARKS = ("*", "+", "†", "‡")
"""Marks of identified datasets, one for each level in the order given (Tables 3 to 5)."""

WIDEST_PADDED = 80
"""Characters in a cell up to which Markdown columns are padded to one width."""


def probability(value, error=None):
    """Write a probability with four decimals, with its standard error if there is one.

    Parameters
    ----------
    value : float
        In [0, 1]; NaN where there is no value.
    error : float, optional
        Standard error.

    Returns
    -------
    str
        Such as "0.9941" or "0.9940 ± 0.0024"; "" for NaN.
    """
    if np.isnan(value):
        return ""
    return f"{value:.4f}" if error is None else f"{value:.4f} ± {error:.4f}"


def marks(findings):
    """Mark the datasets that are identified, one mark for each level.

    Parameters
    ----------
    findings : sequence of report.Finding
        Findings about one comparison, at most as many as there are `MARKS`.

    Returns
    -------
    list of str
        For each dataset the marks of the levels at which it is identified, "" if there is none.
    """
    return [
        "".join(mark for mark, found in zip(MARKS, column, strict=False) if found)
        for column in zip(*(finding.identified for finding in findings), strict=True)
    ]


def section(comparisons, results, findings):
    """Regenerate a section's table: scores and p-values, with Holm's marks computed.

    Parameters
    ----------
    comparisons : sequence of data.Comparison
        Comparisons over the same datasets.
    results : sequence of DataFrame
        As `evaluation.evaluate` returns them, in the same order.
    findings : sequence of report.Finding
        For each comparison one finding per level, in the order of the levels.

    Returns
    -------
    DataFrame of str
        One row per dataset; for each comparison its scores (once per system, unless they differ),
        p-values and marks. What was printed is shown as printed; what was computed is rounded. Its
        ``attrs["note"]`` says where there are too few instances, which `save` adds to the caption.
    """
    table = None
    for comparison, result in zip(comparisons, results, strict=True):
        columns = _printed(comparison) if "how" not in result else _computed(comparison, result)
        own = [finding for finding in findings if finding.title == comparison.title]
        columns["Holm"] = marks(own)
        table = _joined(table, columns, comparison.title if len(comparisons) > 1 else "")
    table = table.rename_axis(index=table.index.name or "dataset").reset_index().fillna("")
    table.attrs["note"] = _note(comparisons, results)
    return table


def _note(comparisons, results):
    """Say where there are too few instances, and of which comparison if not of all."""
    titles = {}
    for comparison, result in zip(comparisons, results, strict=True):
        for caution in evaluation.cautions(result):
            titles.setdefault(caution, []).append(comparison.title)
    return " ".join(
        text if len(named) == len(comparisons) else f"{', '.join(named)}: {text}"
        for text, named in titles.items()
    )


def _joined(table, columns, title):
    """Put the columns of a comparison beside those before; one that says the same stands once."""
    if title:
        columns = columns.rename(columns={"Holm": f"Holm {title}"})
    if table is None:
        return columns
    shared = [
        name for name in columns if name in table and columns[name].equals(table[name].dropna())
    ]
    columns = columns.drop(columns=shared)
    columns = columns.rename(columns={n: f"{n} {title}" for n in columns if n in table})
    order = list(dict.fromkeys([*table.index, *columns.index]))
    return pd.concat([table.reindex(order), columns.reindex(order)], axis=1)


def _printed(comparison):
    """Return the columns of a table of p-values as they are printed, by dataset."""
    names = comparison.columns
    printed = pvalues.chosen(comparison, pvalues.read_printed(comparison), names["dataset"])
    wanted = [names["dataset"], *names.get("scores", ()), names["p_value"]]
    return printed[wanted].set_index(names["dataset"])


def _computed(comparison, result):
    """Return rounded columns of what was computed from instances, by dataset."""
    a, b = comparison.systems
    digits = 2 if comparison.per_cent else 3
    columns = {
        "n": result["n"].map("{:,}".format),
        a: result["score_a"].map(f"{{:.{digits}f}}".format),
        b: result["score_b"].map(f"{{:.{digits}f}}".format),
        f"p-val ({a},{b})": result["p_value"].map(pvalue),
    }
    return pd.DataFrame(columns).set_index(result["dataset"])


SMALLEST = 1e-300
"""p-values below it are written as "< 1e-300": nearer to 0 a floating-point number loses digits."""


def pvalue(p, read=False):
    """Write a p-value with four decimals, or with two digits if that would be 0.

    Parameters
    ----------
    p : float
        In [0, 1].
    read : bool, default False
        Whether it was read from a file or typed, where 0 is what stands there; a computed 0 is a
        p-value too small for a floating-point number.

    Returns
    -------
    str
        Such as "0.0123", "1.2e-07" or "< 1e-300".

    Examples
    --------
    >>> pvalue(0.04), pvalue(0.0), pvalue(1e-320), pvalue(0.0, read=True)
    ('0.0400', '< 1e-300', '< 1e-300', '0')
    """
    if p == 0 and read:
        return "0"
    if p < SMALLEST:
        return f"< {SMALLEST:g}"
    return f"{p:.4f}" if p >= 5e-4 else f"{p:.1e}"


def overestimation(rows, published, n_small, n_large):
    """Lay out the probabilities of k-hat > k for reading.

    Parameters
    ----------
    rows : DataFrame
        As `report.overestimation` returns it.
    published : sequence of str
        The published probabilities, in the order of the rows.
    n_small, n_large : int
        Numbers of families.

    Returns
    -------
    DataFrame of str
        Probabilities with four decimals and standard errors.
    """
    return pd.DataFrame(
        {
            "example": rows["example"],
            "estimator": rows["estimator"],
            "published": list(published),
            f"{n_small:,} families": map(probability, rows["small"], rows["small_error"]),
            f"{n_large:,} families": map(probability, rows["large"], rows["large_error"]),
            "exact": map(probability, rows["exact"]),
            "P(k̂ > k + 1)": map(probability, rows["large_above_one"]),
        }
    )


def rejection_rates(rows):
    """Lay out rejection rates: one row per test and level, one column per sample size.

    Parameters
    ----------
    rows : DataFrame
        As `type1_error.rejection_table` returns it.

    Returns
    -------
    DataFrame of str
        Rates with standard errors, grouped by scores; "+" marks those that are anti-conservative,
        "−" those that are conservative.
    """
    cells = rows.assign(
        scores=rows["model"].str.replace("_", " "),
        alpha=rows["alpha"].map("{:g}".format),
        repetitions=rows["n_repetitions"].map("{:,}".format),
        cell=[
            probability(row.rate, row.standard_error) + _VERDICTS[row.verdict]
            for row in rows.itertuples()
        ],
    ).rename(columns={"title": "test", "test": "name"})
    cells = cells.iloc[np.argsort(pd.factorize(cells["scores"])[0], kind="stable")]
    keys = ["scores", "test", "alpha", "repetitions"]
    wide = cells.pivot_table(index=keys, columns="n", values="cell", aggfunc="first")
    order = pd.MultiIndex.from_frame(cells[keys].drop_duplicates())
    wide = wide.reindex(order).fillna("").rename(columns="n = {:,}".format)
    return wide.rename_axis(columns=None).reset_index()


_VERDICTS = {"nominal": "", "anti-conservative": " +", "conservative": " −"}


def marks_note(alphas):
    """Explain the marks for a caption.

    Parameters
    ----------
    alphas : sequence of float
        Levels, in the order of the marks.

    Returns
    -------
    str
        Such as "* and + mark datasets identified by Holm's procedure at alpha = 0.05 and 0.01".
    """
    used = " and ".join(MARKS[: len(alphas)])
    levels = " and ".join(f"{alpha:g}" for alpha in alphas)
    verb = "mark" if len(alphas) > 1 else "marks"
    return f"{used} {verb} the datasets that Holm's procedure identifies at alpha = {levels}."


def unrounded(table, findings):
    """Add to the results of a comparison what Holm's procedure makes of them.

    Parameters
    ----------
    table : DataFrame
        As `evaluation.evaluate` returns it.
    findings : sequence of report.Finding
        Findings about it, one for each level.

    Returns
    -------
    DataFrame
        All columns of `table` as they are; ``adjusted_p_value`` and, where there is ``p_reverse``,
        ``adjusted_p_reverse``, adjusted by Holm's procedure; and for each level whether the dataset
        is identified.
    """
    full = table.copy()
    for column in ("p_value", "p_reverse"):
        if column in table:
            full[f"adjusted_{column}"] = multiple_testing.adjusted_pvalues(table[column])
    for finding in findings:
        full[f"identified at {finding.alpha:g}"] = finding.identified
    return full


def save(table, outputs, stem, caption, full=None):
    """Write a table as CSV, Markdown, LaTeX (booktabs) and HTML.

    Parameters
    ----------
    table : DataFrame
        Cells as they are to be read; the index is not written.
    outputs : str
        Folder of the run; the files go to its ``tables``.
    stem : str
        File name without ending: number of the paper's item first, meaning second.
    caption : str
        One or two sentences, to which the ``attrs["note"]`` of the table is added; the label of the
        LaTeX table is ``tab:<stem>``.
    full : DataFrame, optional
        What the CSV file holds instead: more columns, or numbers that are not rounded.

    Returns
    -------
    DataFrame
        `table`, to be shown.

    Notes
    -----
    Cells, headers and caption are shown as they are: whatever Markdown, LaTeX, HTML or (see
    `as_csv`) a spreadsheet would take for markup or code is escaped.
    """
    folder = paths.outputs(outputs, "tables")
    caption = f"{caption} {table.attrs.get('note', '')}".rstrip()
    written = {
        "csv": as_csv(table if full is None else full),
        "md": _markdown(table, caption),
        "tex": _latex(table, stem, caption),
        "html": _html(table, caption),
    }
    for ending, text in written.items():
        (folder / f"{stem}.{ending}").write_text(text, encoding="utf-8", newline="\n")
    return table


def as_csv(table):
    """Write a table as CSV that a spreadsheet takes for text and numbers, never for formulas.

    Parameters
    ----------
    table : DataFrame
        Its index is not written.

    Returns
    -------
    str
        CSV. Text that starts as a formula does, with =, +, -, @, a tab or a line break, gets an
        apostrophe before it, unless it holds numbers alone ("-0.12 (-0.30 to 0.06)") or no letter
        and no digit ("+"). Numbers stay as they are.
    """
    cells = _text_mapped(table, _no_formula)
    return cells.to_csv(index=False, lineterminator="\n")


_NUMBER = re.compile(r"[-+−]?(\d[\d,]*(\.\d*)?|\.\d+)(e[-+]?\d+)?%?", re.IGNORECASE)


def _no_formula(text):
    text = re.sub("\r\n?", "\n", text)  # the writer would not quote a carriage return alone
    words = [word.strip("(),") for word in text.split(" ")]
    harmless = (
        not re.match(r"\s*[=+@＝＋－＠-]|[\t\n]", text)
        or not re.search(r"\w", text)
        or (_NUMBER.match(text) and all(w in ("to", "±") or _NUMBER.fullmatch(w) for w in words))
    )
    return text if harmless else f"'{text}"


def _text_mapped(table, function):
    """Apply a function to headers and to all cells that are text."""
    cells = table.map(lambda cell: function(cell) if isinstance(cell, str) else cell)
    return cells.rename(columns=lambda name: function(str(name)))


def _one_line(text):
    return re.sub(r"[\r\n\t]+", " ", text)


def _markdown(table, caption):
    cells = _text_mapped(table, _markdown_text)
    text = cells.to_markdown(index=False, disable_numparse=True)
    if table.astype(str).map(len).to_numpy().max(initial=0) > WIDEST_PADDED:
        text = re.sub(r"-{3,}", "---", re.sub(r" {2,}", " ", text))
    below = re.sub(r"^(\s*(?:\d+(?=[.)])|(?=[-+*#>=])))", r"\1\\", _markdown_text(caption))
    return f"{text}\n\n{below}\n"


def _markdown_text(text):
    """Put a backslash before what Markdown would take for markup."""
    text = re.sub(
        r"([\\`|\[\]]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_]))",
        r"\\\1",
        _one_line(text),
    )
    for mark in "*~$":  # one alone marks nothing
        if text.count(mark) > 1:
            text = text.replace(mark, f"\\{mark}")
    return text


_LATEX_SPECIAL = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "→": r"\ensuremath{\rightarrow}",
        "±": r"\ensuremath{\pm}",
        "≤": r"\ensuremath{\le}",
        "ρ": r"\ensuremath{\rho}",
        "α": r"\ensuremath{\alpha}",
        "†": r"\textdagger{}",
        "‡": r"\textdaggerdbl{}",
        "−": "--",
    }
)
LONG = 40
"""Rows above which a LaTeX table may break across pages (longtable)."""
WIDEST_COLUMN = 36
"""Characters above which a column of a LaTeX table breaks its lines."""


def _latex_text(text):
    return _one_line(text).translate(_LATEX_SPECIAL).replace("k̂", r"\ensuremath{\hat k}")


def _latex_first(text):
    r"""Write the first cell of a row: after the \\ before it, [ or * would be its argument."""
    return re.sub(r"^(?=[\[*])", "{}", _latex_text(text))


def _latex(table, stem, caption):
    escaped = table.astype(str).rename(columns=str)
    style = escaped.style.hide(axis="index").format_index(_latex_text, axis="columns")
    style = style.format(dict.fromkeys(escaped, _latex_text) | {escaped.columns[0]: _latex_first})
    long = len(table) > LONG
    longest = escaped.map(len).max()
    sentences = longest[longest > WIDEST_COLUMN].index
    columns = [
        rf"p{{{0.65 / len(sentences):.2f}\linewidth}}"
        if name in sentences
        else ("r" if _is_numeric(escaped[name]) else "l")
        for name in escaped
    ]
    return style.to_latex(
        hrules=True,
        column_format="".join(columns),
        environment="longtable" if long else None,
        position=None if long else "t",
        position_float=None if long else "centering",
        caption=_latex_text(caption),
        label=f"tab:{stem}",
    )


def _is_numeric(column):
    return pd.to_numeric(column.replace("", np.nan), errors="coerce").notna().any()


def _html(table, caption):
    body = _text_mapped(table, _one_line).to_html(index=False, border=0, justify="left")
    caption = html.escape(caption)
    return (
        f'<!doctype html>\n<meta charset="utf-8">\n<title>{caption}</title>\n'
        "<style>body{font-family:sans-serif;margin:1.5em}table{border-collapse:collapse}"
        "th,td{padding:.25em .8em;border-bottom:1px solid #ccc;text-align:left}</style>\n"
        f"<p>{caption}</p>\n{body}\n"
    )


def many_metrics(rows, n_small, n_large):
    """Lay out how often a free choice finds a difference where there is none.

    Parameters
    ----------
    rows : DataFrame
        As `many_metrics.rates` returns it, with a column ``published`` of numbers as printed, ""
        where there is none.
    n_small, n_large : int
        Numbers of repetitions, the published one first.

    Returns
    -------
    DataFrame of str
        Probabilities with four decimals and standard errors; "SE apart" is the distance of the
        published rate from theory in standard errors of the published number of repetitions.
    """
    theory = rows["theory"]
    apart = (pd.to_numeric(rows["published"]) - theory) / np.sqrt(theory * (1 - theory) / n_small)
    return pd.DataFrame(
        {
            "choice": rows["choice"],
            "α": rows["alpha"].map("{:g}".format),
            "tests": rows["tests"].astype(str),
            "published": rows["published"].map(_per_cent),
            f"{n_small:,} draws": map(probability, rows["small"], rows["small_error"]),
            f"{n_large:,} draws": map(probability, rows["large"], rows["large_error"]),
            "theory": map(probability, theory),
            "basis": rows["exact"].map({True: "exact", False: "large samples"}),
            "SE apart": ["" if np.isnan(x) else f"{x:+.1f}".replace("-", "−") for x in apart],
            "P(k̂ > 0)": map(probability, rows["k_hat"]),
            "theory, k̂": map(probability, rows["k_hat_theory"]),
        }
    )


def predictive_values(rows, published):
    """Lay out the numbers of Section 4 of Søgaard et al. (2014) for several degrees of bias.

    Parameters
    ----------
    rows : DataFrame
        As `many_metrics.section4` returns it.
    published : Series of str
        Quantity -> number as printed; "" is shown for those that it lacks.

    Returns
    -------
    DataFrame of str
        One row per quantity; "none" where no cut-off reaches the target.
    """
    columns = {
        f"bias u = {bias:g}": ["none" if np.isnan(x) else f"{x:.4g}" for x in rows[bias]]
        for bias in rows
    }
    printed = [_per_cent(published.get(quantity, "")) for quantity in rows.index]
    return pd.DataFrame({"quantity": rows.index, "published": printed, **columns})


def _per_cent(text):
    """Write a number that is printed in per cent, "4.8e-2", as "4.8%"; leave others as they are."""
    return re.sub(r"^\.", "0.", text).replace("e-2", "%")


def split_sizes(sizes, published):
    """Lay out the sizes of the parts (Gorman and Bedrick 2019, Table 1).

    Parameters
    ----------
    sizes : DataFrame
        As `splits.read_sizes` returns it.
    published : DataFrame of str
        Columns ``corpus``, ``part``, ``sentences`` and ``tokens``, as printed.

    Returns
    -------
    DataFrame of str
        The published rows, then one row per dataset and part: the standard split, and the fewest
        and most tokens of a random one.
    """
    keys = ["dataset", "part"]
    standard = sizes[sizes["split"] == 0].set_index(keys)
    random = sizes[sizes["split"] != 0].groupby(keys, observed=True)["tokens"].agg(["min", "max"])
    rows = standard.join(random).reset_index()
    ours = pd.DataFrame(
        {
            "from": "here",
            "corpus": rows["dataset"].astype(str),
            "part": rows["part"],
            "sentences": rows["sentences"].map("{:,}".format),
            "tokens": rows["tokens"].map("{:,}".format),
            "tokens of random splits": [
                f"{a:,} to {b:,}" for a, b in zip(rows["min"], rows["max"], strict=True)
            ],
        }
    )
    names = {"Train.": "train", "Dev.": "dev", "Test.": "test"}
    theirs = published.assign(part=published["part"].replace(names))
    theirs.insert(0, "from", "paper")
    return pd.concat([theirs, ours], ignore_index=True).fillna("")


def standard_split(rows):
    """Lay out the accuracies on the standard split (Gorman and Bedrick 2019, Table 2).

    Parameters
    ----------
    rows : DataFrame
        As `splits.standard` returns it.

    Returns
    -------
    DataFrame of str
        One row per dataset and tagger, and one with the numbers of words, unknown words and
        sentences; each metric with its interval.
    """
    cells = rows.assign(
        accuracy=rows["accuracy"].map(probability),
        interval=[_interval(*limits) for limits in zip(rows["low"], rows["high"], strict=True)],
    )
    keys = ["dataset", "tagger"]
    table = cells[keys].drop_duplicates().set_index(keys)
    for metric, part in cells.groupby("metric", sort=False):
        part = part.set_index(keys)
        table[metric] = part["accuracy"]
        table[f"{metric}: interval"] = part["interval"]
    blocks = []
    for dataset, block in table.reset_index().groupby("dataset", sort=False):
        own = rows[rows["dataset"] == dataset].drop_duplicates("metric").set_index("metric")
        n = {metric: f"{count:,}" for metric, count in own["n"].items()}
        blocks += [pd.DataFrame([{"dataset": dataset, "tagger": "number", **n}]), block]
    return pd.concat(blocks, ignore_index=True)[["dataset", "tagger", *table]].fillna("")


def _interval(low, high):
    return "" if np.isnan(low) else f"({low:.4f}, {high:.4f})"


def separated(rows):
    """Lay out which pairs of taggers differ on the standard split (Section 3.2 of the same paper).

    Parameters
    ----------
    rows : DataFrame
        As `splits.separated` returns it.

    Returns
    -------
    DataFrame of str
        One row per dataset and level.
    """
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "α": rows["alpha"].map("{:g}".format),
            "pairs": rows["pairs"].astype(str),
            "p ≤ α": rows["significant"].astype(str),
            "identified by Holm": rows["identified"].astype(str),
            "p > α": [
                ", ".join(f"{first} vs. {second} ({pvalue(p)})" for first, second, p in pairs)
                for pairs in rows["not_significant"]
            ],
        }
    )


def split_ranges(rows):
    """Lay out accuracies on random splits beside the standard split (Figure 1 of the same paper).

    Parameters
    ----------
    rows : DataFrame
        As `splits.ranges` returns it.

    Returns
    -------
    DataFrame of str
        One row per dataset, metric and tagger.
    """
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "metric": rows["metric"],
            "tagger": rows["tagger"],
            "standard split": rows["accuracy"].map(probability),
            "interval": map(_interval, rows["low"], rows["high"]),
            "random splits": map(_interval, rows["smallest"], rows["largest"]),
            "mean": rows["mean"].map(probability),
            "below": rows["below"].astype(str),
            "within": [f"{a} of {b}" for a, b in zip(rows["within"], rows["splits"], strict=True)],
            "above": rows["above"].astype(str),
        }
    )


def unknown_words(rows):
    """Lay out what unknown words have to do with random splits (Section 4 of the same paper).

    Parameters
    ----------
    rows : DataFrame
        As `splits.unknown_words` returns it.

    Returns
    -------
    DataFrame of str
        One row per dataset and tagger; shares in per cent, differences in percentage points.
    """
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "tagger": rows["tagger"],
            "unknown, standard": rows["unknown_standard"].map("{:.1%}".format),
            "unknown, random": [
                f"{mean:.1%} ({low:.1%} to {high:.1%})"
                for mean, low, high in zip(
                    rows["unknown_mean"],
                    rows["unknown_smallest"],
                    rows["unknown_largest"],
                    strict=True,
                )
            ],
            "random minus standard": rows["difference"].map(_points),
            "by unknown words": rows["by_unknown"].map(_points),
            "rest": (rows["difference"] - rows["by_unknown"]).map(_points),
        }
    )


def rankings(rows):
    """Lay out how stable the order of the taggers is.

    Parameters
    ----------
    rows : DataFrame
        As `splits.rankings` returns it.

    Returns
    -------
    DataFrame of str
        One row per dataset and metric.
    """
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "metric": rows["metric"],
            "standard split, best first": rows["ranking"].map(", ".join),
            "as by tokens": rows["as_tokens"].map({True: "yes", False: "no"}),
            "random splits": rows["splits"].astype(str),
            "same order": rows["same_order"].astype(str),
            "same best": rows["same_best"].astype(str),
        }
    )


def split_pairs(rows):
    """Lay out what is found about pairs of taggers (Gorman and Bedrick 2019, Table 3).

    Parameters
    ----------
    rows : DataFrame
        As `splits.summarise` returns it.

    Returns
    -------
    DataFrame of str
        One row per dataset and pair: differences of token accuracy, second minus first, in
        percentage points, on the ``standard`` split and as ``mean`` over the random ``splits``; on
        how many of these the second is ``ahead``, how often significantly, and k-hat; and the same
        for the first.
    """
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "comparison": rows["first"] + " vs. " + rows["second"],
            "standard": rows["standard"].map(_points),
            "p": rows["p_standard"].map(pvalue),
            "splits": rows["splits"].astype(str),
            "ahead": rows["ahead"].astype(str),
            "significant": rows["ahead_bonferroni"].astype(str),
            "k̂": rows["k_ahead"].astype(str),
            "behind": rows["behind"].astype(str),
            "significant behind": rows["behind_bonferroni"].astype(str),
            "k̂ behind": rows["k_behind"].astype(str),
            "mean": rows["mean"].map(_points),
            "p of mean": rows["p_mean"].map(pvalue),
        }
    )


def design_effects(rows):
    """Lay out how much words of one sentence depend, and what is significant if they may.

    Parameters
    ----------
    rows : DataFrame
        As `splits.summarise` returns it.

    Returns
    -------
    DataFrame of str
        One row per dataset and pair: design effect over the random splits, and how many of these
        are significant after Bonferroni by words and by sentences, for the second and the first.
    """
    effect = zip(
        rows["design_effect"], rows["smallest_effect"], rows["largest_effect"], strict=True
    )
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "comparison": rows["first"] + " vs. " + rows["second"],
            "design effect": [f"{mid:.2f} ({low:.2f} to {high:.2f})" for mid, low, high in effect],
            "splits": rows["splits"].astype(str),
            "ahead, words": rows["ahead_bonferroni"].astype(str),
            "ahead, sentences": rows["ahead_sentences"].astype(str),
            "behind, words": rows["behind_bonferroni"].astype(str),
            "behind, sentences": rows["behind_sentences"].astype(str),
        }
    )


def _points(share):
    return f"{100 * share:+.2f}".replace("-", "−")


def reductions(rows, published):
    """Lay out the progress from first to last tagger, and what an oracle leaves (Section 3.4).

    Parameters
    ----------
    rows : DataFrame
        As `splits.reductions` returns it.
    published : tuple of str
        Reduction and distance of the best tagger from the oracle as printed.

    Returns
    -------
    DataFrame of str
        The published row and one per dataset, in percentage points.
    """
    points = "{:.2f}".format
    ours = pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "from": rows["first"],
            "to": rows["last"],
            "error of the first": (100 * rows["error_first"]).map(points),
            "of the last": (100 * rows["error_last"]).map(points),
            "reduction": (100 * rows["reduction"]).map(points),
            "best": rows["best"],
            "error of the oracle": (100 * rows["oracle"]).map(points),
            "best below oracle": (100 * rows["below_oracle"]).map(points),
        }
    )
    reduction, below = (text.removesuffix("e-2") for text in published)
    printed = {"dataset": "Penn Treebank (paper)", "from": "TnT", "to": "Flair", "best": "Flair"}
    printed |= {"reduction": reduction, "best below oracle": below}
    return pd.concat([pd.DataFrame([printed]), ours], ignore_index=True)[[*ours]].fillna("")


def disagreement(rows):
    """Lay out in how many sentences taggers disagree.

    Parameters
    ----------
    rows : DataFrame
        As `agreement.coverage` returns it.

    Returns
    -------
    DataFrame of str
        One row per dataset.
    """
    part = rows["disagreement"] / rows["sentences"]
    words = rows["disagreed"] / rows["all_words"]
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "sentences": rows["sentences"].map("{:,}".format),
            "with disagreement": [
                f"{n:,} ({share:.1%})" for n, share in zip(rows["disagreement"], part, strict=True)
            ],
            "unanimous": rows["unanimous"].map("{:,}".format),
            "unanimous, one word": rows["single"].map("{:,}".format),
            "words": rows["all_words"].map("{:,}".format),
            "words disagreed on": [
                f"{n:,} ({share:.1%})" for n, share in zip(rows["disagreed"], words, strict=True)
            ],
        }
    )


def agreement_kinds(rows):
    """Lay out which sentences have low agreement (Section 3.4).

    Parameters
    ----------
    rows : DataFrame
        As `agreement.kinds` returns it.

    Returns
    -------
    DataFrame of str
        One row per dataset and class of alpha.
    """
    classes = [
        f"α > {low:g}"
        if np.isinf(high)
        else f"α ≤ {high:g}"
        if np.isinf(low)
        else f"{low:g} to {high:g}"
        for low, high in zip(rows["above"], rows["to"], strict=True)
    ]
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "agreement": classes,
            "sentences": rows["sentences"].map("{:,}".format),
            "median of words": rows["words"].map("{:g}".format),
            "without finite verb": rows["verbless"].map("{:.0%}".format),
            "proper noun or not": rows["proper"].map("{:.0%}".format),
        }
    )


def confusions(rows, n):
    """Lay out the pairs of tags that coders disagree about most often.

    Parameters
    ----------
    rows : DataFrame
        As `agreement.confusions` returns it.
    n : int
        Pairs of each dataset.

    Returns
    -------
    DataFrame of str
        One row per dataset and pair.
    """
    rows = rows.groupby("dataset", sort=False).head(n).reset_index(drop=True)
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "tags": rows["one"] + " / " + rows["other"],
            "words": rows["words"].map("{:,}".format),
            "of those disagreed on": rows["share"].map("{:.1%}".format),
            "gold is the first": rows["is_one"].map("{:.0%}".format),
            "gold is the second": rows["is_other"].map("{:.0%}".format),
        }
    )


def tagged(tags, chosen):
    """Lay out the tags of some sentences (Gorman and Bedrick 2019, Table 4).

    Parameters
    ----------
    tags : DataFrame
        As `agreement.read` returns it.
    chosen : DataFrame
        Rows of `agreement.sentences`.

    Returns
    -------
    DataFrame of str
        For each sentence a row with its words, where they may be shown, one with the gold tags and
        one per tagger; a column per word.
    """
    blocks = []
    for row in chosen.itertuples():
        own = tags[(tags["dataset"] == row.dataset) & (tags["instance"] == row.instance)]
        grid = own.drop(columns=["dataset", "instance", "position"]).T
        grid.columns = [str(number) for number in own["position"]]
        grid = grid.rename(index={"word": "words", "gold": "Gold"})
        if own["word"].isna().all():
            grid = grid.drop(index="words")
        block = grid.rename_axis("coder").reset_index()
        for place, (name, value) in enumerate(
            [("dataset", row.dataset), ("sentence", row.instance), ("α", f"{row.alpha:.3f}")]
        ):
            block.insert(place, name, [value] + [""] * (len(block) - 1))
        blocks.append(block)
    return pd.concat(blocks, ignore_index=True).fillna("").astype(str)


def lowest_sentences(tags, chosen):
    """List sentences of low agreement, one row each.

    Parameters
    ----------
    tags : DataFrame
        As `agreement.read` returns it.
    chosen : DataFrame
        Rows of `agreement.sentences`.

    Returns
    -------
    DataFrame of str
        Identifier, length in words, alpha, the words where they may be shown, and the tags of gold
        and of each tagger in one cell.
    """
    names = [name for name in tags if name not in ("dataset", "instance", "position")]
    joined = tags.fillna({"word": ""}).groupby(["dataset", "instance"], sort=False)[names]
    joined = joined.agg(lambda cells: " ".join(cells).strip())
    cells = joined.loc[list(zip(chosen["dataset"], chosen["instance"], strict=True))]
    table = chosen[["dataset", "instance", "words", "alpha"]].reset_index(drop=True)
    table["words"] = table["words"].astype(str)
    table["alpha"] = table["alpha"].map("{:.3f}".format).str.replace("-", "−")
    table = table.rename(columns={"instance": "sentence", "words": "length", "alpha": "α"})
    cells = cells.rename(columns={"word": "words", "gold": "Gold"})
    return table.join(cells.reset_index(drop=True))


def directed(full):
    """Lay out p-values of two systems by dataset and metric, with the direction of each.

    Parameters
    ----------
    full : DataFrame
        As `free_choice.scores` returns it.

    Returns
    -------
    DataFrame of str
        One row per dataset, a column per metric; "+" where A is ahead, "−" where B is.
    """
    cells = full["p_value"].map(pvalue) + _signs(full["difference"])
    wide = full.assign(cell=cells).pivot_table(
        index="dataset", columns="metric", values="cell", aggfunc="first"
    )
    wide = wide.loc[full["dataset"].unique(), full["metric"].unique()].fillna("")
    return wide.rename_axis(columns=None).reset_index()


def _signs(differences):
    return np.select([differences > 0, differences < 0], [" +", " −"], "")


def positive_shares(rows):
    """Lay out shares of significant samples, one column per size (Søgaard et al. 2014, Table 4).

    Parameters
    ----------
    rows : DataFrame
        As `free_choice.positive_shares` returns it.

    Returns
    -------
    DataFrame of str
        One row per dataset and metric, "" where a sample has too few sentences.
    """
    keys = ["dataset", "metric"]
    cells = rows.assign(
        cell=rows["positive"].map("{:.0%}".format), share=rows["share"].map("{:.0%}".format)
    )
    wide = cells.pivot_table(index=keys, columns="share", values="cell", aggfunc="first").fillna("")
    order = pd.MultiIndex.from_frame(rows[keys].drop_duplicates())
    shares = [f"{share:.0%}" for share in sorted(rows["share"].unique())]
    whole = rows[rows["share"] == rows["share"].max()].set_index(keys)["sentences"]
    wide = wide.reindex(order)[shares]
    wide.insert(0, "sentences", [f"{whole[key]:,}" for key in wide.index])
    return wide.rename_axis(columns=None).reset_index()


def evaluation_data(rows):
    """Lay out the sizes of datasets.

    Parameters
    ----------
    rows : DataFrame
        As `free_choice.evaluation_data` returns it.

    Returns
    -------
    DataFrame of str
        Counts with commas, "" for those that are missing.
    """
    counts = ["sentences", "words", "unknown"]
    shown = rows[counts].map(lambda count: "" if np.isnan(count) else f"{count:,.0f}")
    return pd.concat([rows[["dataset", "tasks"]], shown], axis=1).rename(
        columns={"unknown": "unknown words"}
    )


def choice_families(families):
    """Lay out the choices of each dataset as families of tests.

    Parameters
    ----------
    families : dict of str to DataFrame
        Task -> as `free_choice.families` returns it.

    Returns
    -------
    DataFrame of str
        One row per task and dataset; for each choice how many p-values are small, of how many, and
        k-hat.
    """
    rows = pd.concat(families, names=["task"]).reset_index(level="task")
    keys = ["task", "dataset"]
    wide = rows[keys].drop_duplicates().set_index(keys)
    for choice, part in rows.groupby("choice", sort=False):
        part = part.set_index(keys)
        wide[f"{choice}: p ≤ α"] = part["small"].astype(str) + "/" + part["tests"].astype(str)
        wide[f"{choice}: k̂"] = part["k_hat"].astype(str)
        wide[f"{choice}: smallest p"] = part["smallest"].map(pvalue)
    return wide.fillna("").reset_index()


def domain_counts(rows, systems):
    """Lay out on how many datasets each of two systems is better, by metric.

    Parameters
    ----------
    rows : DataFrame
        As `free_choice.across` returns it.
    systems : sequence of (str, str)
        Names of A and B.

    Returns
    -------
    DataFrame of str
        Two rows per metric, one for each system.
    """
    cells = []
    for row in rows.to_dict("records"):
        for side, system in zip("ab", systems, strict=True):
            cells.append(
                {
                    "metric": row["metric"],
                    "A − B, points": f"{100 * row['difference']:+.2f}".replace("-", "−"),
                    "Wilcoxon p": pvalue(row["wilcoxon"]),
                    "better": system,
                    "p ≤ α": str(row[f"{side}_small"]),
                    "k̂, Bonferroni": str(row[f"{side}_bonferroni"]),
                    "k̂, Fisher": str(row[f"{side}_fisher"]),
                    "identified": ", ".join(row[f"{side}_named"]),
                }
            )
    return pd.DataFrame(cells)


def ner_metrics(full, resampled):
    """Lay out the comparison of two named-entity taggers by every metric.

    Parameters
    ----------
    full : DataFrame
        As `free_choice.scores` returns it.
    resampled : dict of str to sequence of resampling.MonteCarlo
        Dataset -> a p-value by resampling for each metric, in the order of `full`.

    Returns
    -------
    DataFrame of str
        One row per dataset and metric; "+" where A is ahead, "−" where B is.
    """
    drawn = {
        (dataset, metric): f"{pvalue(found.pvalue)} ± {found.standard_error:.4f}"
        for dataset, results in resampled.items()
        for metric, found in zip(full["metric"].unique(), results, strict=True)
    }
    keys = zip(full["dataset"], full["metric"], strict=True)
    return pd.DataFrame(
        {
            "dataset": full["dataset"],
            "metric": full["metric"],
            "A": (100 * full["a"]).map("{:.2f}".format),
            "B": (100 * full["b"]).map("{:.2f}".format),
            "p-value": full["p_value"].map(pvalue) + _signs(full["a"] - full["b"]),
            "by resampling": [drawn.get(key, "") for key in keys],
        }
    )
