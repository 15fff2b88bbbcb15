"""The command `design`: what a suite of datasets can show, before it is run."""

import math
from pathlib import Path

from replicability.cli.layout import aligned, filled

DRAWN = (".pdf", ".png", ".svg")
"""Endings of a figure."""

STUDIES = (".yaml", ".yml")
"""Endings of a pilot that is a study."""


OPTIONS = (
    ("datasets", "N", "number of datasets, where --items is one number or a range"),
    (
        "items",
        "SIZES",
        "instances of each dataset: one number for all, 40:400 for sizes evenly in between, or "
        "one for each, 100,100,250",
    ),
    (
        "discordant",
        "SHARE",
        "share of instances that one of both systems wins, such as 0.15; one for all, or one "
        "for each dataset",
    ),
    (
        "sd",
        "SD",
        "standard deviation of the differences, of scores that are not right or wrong; one for "
        "all, or one for each",
    ),
    (
        "gain",
        "GAINS",
        "true gains of A on every dataset, in the unit of the scores: 0.03 for 3 points of "
        "accuracy; several with commas (default: 0.01,0.03,0.05, or 0.1, 0.2 and 0.3 sd)",
    ),
    ("alpha", "ALPHA", "level of all claims together (default: 0.05)"),
    (
        "dependence",
        "KIND",
        "independent (default: Fisher), positive (Simes) or dependent (Bonferroni)",
    ),
    ("method", "METHOD", "local test (default: by the dependence)"),
    ("figure", "FILE", "draw the table, as .png, .svg or .pdf"),
    ("html", "FILE", "write a page with sentences, tables and figure, complete in itself"),
)
"""Name, placeholder and help of the options that take one value."""


def add_design(added):
    """Add what `design` takes.

    Parameters
    ----------
    added : ArgumentParser
        Parser of the command.
    """
    for name, metavar, text in OPTIONS:
        added.add_argument(f"--{name}", metavar=metavar, default="", help=text)
    added.add_argument(
        "--pilot",
        nargs="+",
        default=(),
        metavar="FILE",
        help="take sizes and spread from a study (and, behind it, the name of its comparison), or "
        "from two files with the scores of both systems",
    )


def design(options):
    """Say what a suite can show.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `design`.

    Returns
    -------
    dict
        The answer; ``python -m replicability design --help`` lists its keys.

    Raises
    ------
    InputError
        If an option or the pilot is wrong.
    """
    from replicability import checks
    from replicability.compare import design as designs
    from replicability.compare import design_wording

    _refuse_ending(options.figure)
    claim = {
        "alpha": checks.alpha(_numbers("alpha", options.alpha or "0.05")[0]),
        "dependence": options.dependence or "independent",
        "method": options.method,
    }
    planned, seen = _from_pilot(options, claim) if options.pilot else (_planned(options, claim), [])
    asked = _numbers("gain", options.gain) if options.gain else ()
    gains = designs.asked_gains(planned, asked)
    table = designs.table(planned, gains)
    if options.figure:
        _draw(options.figure, planned, table)
    spread = "discordant" if planned.binary else "sd"
    small = designs.small_sets(planned, gains[len(gains) // 2])
    answer = {
        "datasets": len(planned.sizes),
        "sizes": list(planned.sizes),
        spread: list(planned.spread),
        "shares": planned.shares,
        **claim,
        "method": planned.method,
        "sentences": design_wording.sentences(planned, gains),
        "table": table.to_dict("records"),
        "least_gains": designs.least_gains(planned).to_dict("records"),
        "small_sets": None if small is None else small.to_dict("records"),
        "least_wins": designs.power.least_wins(len(planned.sizes), planned.alpha),
        "pilot": seen,
        "notes": _notes(planned, table, seen),
    }
    if options.html:
        _write_page(options.html, planned, table, answer)
    return answer


def _refuse_ending(figure):
    """Refuse a figure of another format."""
    from replicability import checks

    if figure and Path(figure).suffix.lower() not in DRAWN:
        raise checks.InputError(f"--figure is {figure!r}; let the name end in .png, .svg or .pdf.")


def _planned(options, claim):
    """Plan a suite from numbers alone."""
    from replicability import checks
    from replicability.compare import design as designs

    if not options.items:
        raise checks.InputError(
            "No sizes are given; name the instances of each dataset with --items, such as "
            "--datasets 20 --items 500, or a --pilot."
        )
    return designs.suite(_sizes(options), **_spreads(options), **claim)


def _from_pilot(options, claim):
    """Plan a suite from a pilot, with other sizes if they are given."""
    from replicability import checks
    from replicability.compare import design as designs

    if options.discordant or options.sd:
        raise checks.InputError(
            "The spread comes from the --pilot; leave out --discordant and --sd, or the pilot."
        )
    planned, seen = designs.pilot(_pilot_datasets(options), **claim)
    if options.items:
        planned = designs.resized(planned, _sizes(options))
    elif options.datasets:
        raise checks.InputError(
            "--datasets has no meaning beside the sizes of a --pilot; leave it out, or give "
            "--items."
        )
    return planned, seen.to_dict("records")


def _pilot_datasets(options):
    """Read the instances of a pilot."""
    from replicability.io import formats

    if options.pilot[0].lower().endswith(STUDIES):
        return formats.read(_comparison(options.pilot))
    return _two_files(options.pilot)


def _comparison(named):
    """Find the comparison of a study that is the pilot."""
    from replicability import checks
    from replicability.io.study import read_study
    from replicability.io.text import existing

    file, *names = named
    existing(Path(file).absolute(), folder=None)
    comparisons = {
        comparison.name: comparison
        for comparison in read_study(file).comparisons
        if comparison.level != "p-values"
    }
    if not comparisons:
        raise checks.InputError(
            f"{file} has no comparison that starts at instances, of which alone a spread is seen."
        )
    if len(names) > 1 or (not names and len(comparisons) > 1):
        raise checks.InputError(
            f"{file} has the comparisons {checks.enumerated(comparisons)}; name one of them behind "
            "it, as in --pilot STUDY.yaml NAME."
        )
    name = names[0] if names else next(iter(comparisons))
    checks.choice("comparison", name, tuple(comparisons))
    return comparisons[name]


def _two_files(named):
    """Read a pilot from the files of both systems."""
    from replicability import checks
    from replicability.api import sides
    from replicability.cli.declared import declare
    from replicability.cli.parser import parser
    from replicability.io import formats

    if len(named) != 2:
        raise checks.InputError(
            f"A --pilot is a study, such as study.yaml, or two files with scores, but there are "
            f"{len(named)}; name both files."
        )
    kind = formats.guess(named[0])
    if formats.get(kind).needs_gold:
        raise checks.InputError(
            f"The pilot's files have the format {kind!r}, which needs gold files; write them into "
            "a study, and name that."
        )
    read = sides.two_paths(named, (None, None), {}, False, {})
    options = parser().parse_args(["compare", *named])
    options.systems = read["systems"]
    return formats.read(declare(options, **read))


# --- numbers -------------------------------------------------------------------------------------


def _sizes(options):
    """Return the sizes of the datasets: one number for all, a range, or one for each."""
    import numpy as np

    from replicability import checks
    from replicability.stats.power_of_counts import MOST_DATASETS

    asked = _whole("datasets", options.datasets)[0] if options.datasets else None
    if asked is not None and asked > MOST_DATASETS:
        raise checks.InputError(
            f"--datasets is {asked:,}; plan at most {MOST_DATASETS:,}, of which the shares are "
            "those of more."
        )
    if ":" in options.items:
        ends = _whole("items", options.items.replace(":", ","))
        if len(ends) != 2 or asked is None:
            raise checks.InputError(
                f"--items is {options.items!r}; write a range as 40:400, with --datasets."
            )
        return [round(size) for size in np.linspace(*ends, asked).tolist()]
    sizes = _whole("items", options.items)
    if len(sizes) == 1:
        return sizes * (asked or 1)
    if asked not in (None, len(sizes)):
        raise checks.InputError(
            f"--items has {len(sizes)} sizes, but --datasets is {asked}; leave --datasets out."
        )
    return sizes


def _spreads(options):
    """Return the spreads that are given."""
    given = {name: getattr(options, name) for name in ("discordant", "sd")}
    return {name: _numbers(name, text) for name, text in given.items() if text}


def _numbers(name, text):
    """Read numbers that are separated by commas."""
    from replicability import checks

    try:
        return [float(part) for part in str(text).split(",")]
    except ValueError:
        raise checks.InputError(
            f"--{name} is {text!r}; write a number, such as 0.05, or several with commas."
        ) from None


def _whole(name, text):
    """Read whole numbers of at least 1."""
    from replicability import checks

    numbers = _numbers(name, text)
    return [
        checks.at_least(f"--{name}", int(number) if number.is_integer() else number)
        for number in numbers
    ]


# --- the answer ----------------------------------------------------------------------------------


def _draw(file, planned, table):
    """Write the figure."""
    import matplotlib.pyplot as plt

    from replicability import checks
    from replicability.show import design as drawn

    figure = drawn.expected(planned, table)
    plt.close(figure)
    try:
        figure.savefig(file)
    except OSError as error:
        raise checks.InputError(
            f"The figure {file} could not be written: {error.strerror or error}."
        ) from None


def _write_page(file, planned, table, answer):
    """Write the page."""
    from replicability.cli.run import refuse_without_extra
    from replicability.io import files

    refuse_without_extra()
    from replicability.show import html_design

    text = html_design.page(planned, table, answer["sentences"], answer["notes"])
    with files.replacing(file) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def _notes(planned, table, seen):
    """Say where the numbers come from, and how sure they are."""
    from replicability.stats import power

    notes = [
        "The datasets are taken as drawn independently, and the gain is the same on each. Counts "
        "are expected values: a single result may well show less."
    ]
    if table["standard_error"].max() > 0:
        notes.append(
            f"k-hat by this method is simulated; the standard error of a mean is at most "
            f"{table['standard_error'].max():.2f}. The other numbers are computed."
        )
    if not planned.binary:
        errors = power.sign_flip_error(min(planned.sizes), planned.alpha / len(planned.sizes))
        said = (
            "is not known for fewer than 20 instances"
            if math.isnan(errors[0])
            else f"is estimated at {errors[0]:g} for symmetric and {errors[1]:g} for strongly "
            "skewed differences, by simulation"
        )
        notes.append(
            f"The power of the sign-flip test is approximated by that for normal differences; its "
            f"error {said}."
        )
    if seen:
        gains = [row["gain"] for row in seen]
        notes.append(
            f"The pilot has gains from {min(gains):.3g} to {max(gains):.3g}. They are estimates: "
            "plan with the smallest gain that matters, not with what a pilot happened to show."
        )
    return notes


def show_design(answer):
    """Write the answer of `design` as text.

    Parameters
    ----------
    answer : dict
        The answer.

    Returns
    -------
    str
        Sentences, the table, and notes.
    """
    from replicability.compare.design import points
    from replicability.compare.procedure import TITLES

    rows, method = answer["table"], answer["method"]
    cells = {
        "instances": [row["instances"] for row in rows],
        "gain": [points(row["gain"], answer["shares"]) for row in rows],
        f"k-hat, {TITLES[method]}": [f"{row['k_hat']:.1f}" for row in rows],
        "Bonferroni": [f"{row['bonferroni']:.1f}" for row in rows],
        f"p <= {answer['alpha']:g}": [f"{row['count']:.1f}" for row in rows],
        "any shown": [f"{row['any']:.0%}" for row in rows],
    }
    if method == "bonferroni":
        del cells["Bonferroni"]
    head = f"Expected numbers of {answer['datasets']:,} datasets, by size and true gain:"
    blocks = ["\n".join(map(filled, answer["sentences"])), head + "\n" + aligned(cells)]
    return "\n\n".join([*blocks, *map(filled, answer["notes"])])
