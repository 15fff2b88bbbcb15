"""The command `design`: what a suite of datasets can show, before it is run."""

from pathlib import Path

from replicability.cli.layout import filled, notes, table

DRAWN = (".pdf", ".png", ".svg")
"""Endings of a figure."""

STUDIES = (".yaml", ".yml")
"""File name extensions of a study used as a pilot."""


OPTIONS = (
    ("datasets", "N", "number of datasets, if --items is one number or a range"),
    (
        "items",
        "SIZES",
        "number of items: one for all datasets, such as 500; one for each, such as 100,100,250; or "
        "a range of evenly spaced sizes, such as 40:400",
    ),
    (
        "discordant",
        "SHARE",
        "share of items on which only one system is right, such as 0.15: one for all datasets, or "
        "one for each",
    ),
    (
        "sd",
        "SD",
        "standard deviation of the item differences, if scores are not right or wrong: one for all "
        "datasets, or one for each",
    ),
    (
        "design_effect",
        "FACTOR",
        "factor by which clusters of items, such as questions on one passage, increase the "
        "variance of the difference; one for all datasets, or one for each (default: 1)",
    ),
    (
        "runs",
        "N",
        "number of runs of each system, for a claim about new items and new runs; also give "
        "--sd-runs, or a pilot with this claim",
    ),
    (
        "sd_runs",
        "SD",
        "standard deviation of a system's score over runs that differ only in the seed",
    ),
    (
        "gain",
        "GAINS",
        "assumed true gains of A in the unit of the scores, separated by commas; 0.03 is 3 points "
        "of accuracy (default: 0.01,0.03,0.05, or 0.1, 0.2 and 0.3 standard deviations; with a "
        "margin, twice the margin, or 0 for systems that are equally good)",
    ),
    (
        "claim",
        "CLAIM",
        "better (default without a pilot) or, with a --margin, better_by, not_worse or equivalent",
    ),
    (
        "margin",
        "MARGIN",
        "margin of the claim, in the unit of the gains: one for all datasets, or one for each",
    ),
    ("alpha", "ALPHA", "simultaneous level of all claims (default: 0.05)"),
    (
        "alternative",
        "KIND",
        "two-sided (tests each direction at alpha/2) or greater (tests only whether A is better) "
        "(default: two-sided; greater with a margin)",
    ),
    (
        "dependence",
        "KIND",
        "dependence between datasets: independent, positive (Simes) or dependent (Bonferroni) "
        "(default: that of the pilot, or independent without a pilot)",
    ),
    ("method", "METHOD", "local test (default: depends on the dependence)"),
    (
        "reach",
        "TARGET",
        "target of the plan: a k-hat, such as 10, or a dataset of the pilot that should be named",
    ),
    ("power", "SHARE", "required probability of reaching the target (default: 0.8)"),
    ("figure", "FILE", "also draw the table as .png, .svg or .pdf"),
    ("html", "FILE", "also write a self-contained page with sentences, tables and a figure"),
)
"""Name, placeholder and help text of each option with one value."""

SPREADS = ("discordant", "sd", "design_effect", "sd_runs")
"""Options that describe the spread, which a pilot replaces."""

LISTS = (*SPREADS, "gain", "margin")
"""Options that accept one number, or one for each dataset."""


def add_design(added):
    """Add what `design` takes.

    `added` (ArgumentParser): parser of the command.
    """
    for name, metavar, text in OPTIONS:
        option = f"--{name.replace('_', '-')}"
        added.add_argument(option, metavar=metavar, default="", help=text)
    added.add_argument(
        "--pilot",
        nargs="+",
        default=(),
        metavar="FILE",
        help="take sizes and spread from a study, followed by the name of a comparison if it has "
        "several, or from two files with scores",
    )


def design(options):
    """Say what a suite can show.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `design`.

    Returns
    -------
    api.plan.Plan
        The plan; ``python -m replicability design --help`` lists its keys as JSON.

    Raises
    ------
    InputError
        If an option or the pilot is wrong.
    """
    from replicability.api import plan as plans

    _refuse_ending(options.figure)
    _check_sizes(options)
    pilot = _pilot(options) if options.pilot else None
    plan = plans.plan(_sizes(options) if options.items else None, pilot, **_asked(options))
    if options.figure:
        _draw(options.figure, plan)
    if options.html:
        _write_page(options.html, plan)
    return plan


def _asked(options):
    """Return what the options ask for, as keywords of `api.plan.plan`."""
    from replicability.core import design as designs

    given = {key: _numbers(key, text) for key in LISTS if (text := getattr(options, key))}
    return {
        "spread": {key: given.get(key) for key in SPREADS},
        "gains": given.get("gain", ()),
        "margin": given.get("margin"),
        "runs": _whole("runs", options.runs)[0] if options.runs else None,
        "alpha": _one("alpha", options.alpha or 0.05),
        "power": _one("power", options.power or designs.POWER),
        "reach": int(options.reach) if options.reach.isdecimal() else options.reach or None,
        "method": options.method,
        **{key: getattr(options, key) or None for key in ("alternative", "dependence", "claim")},
    }


def _check_sizes(options):
    """Refuse sizes that are missing or have no effect."""
    from replicability import checks

    if options.pilot and options.datasets and not options.items:
        raise checks.InputError(
            "--datasets has no effect when sizes come from a --pilot; leave it out, or give "
            "--items."
        )
    if not (options.items or options.pilot):
        raise checks.InputError(
            "The number of items per dataset is missing; set it with --items, as in --datasets 20 "
            "--items 500, or pass a --pilot."
        )


def _refuse_ending(figure):
    """Refuse a figure of another format."""
    from replicability import checks

    if figure and Path(figure).suffix.lower() not in DRAWN:
        raise checks.InputError(
            f"--figure is {figure!r}; use a file name that ends in .png, .svg or .pdf."
        )


def _pilot(options):
    """Compare the systems of a pilot."""
    from replicability.api import studies

    if options.pilot[0].lower().endswith(STUDIES):
        return studies.asked(_comparison(options.pilot), (0.05,))
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
            "A pilot needs item scores to show how much differences vary, but no comparison in "
            f"{file} has item scores; choose another study."
        )
    if len(names) > 1 or (not names and len(comparisons) > 1):
        raise checks.InputError(
            f"A pilot is one comparison, but {file} has {checks.enumerated(comparisons)}; add the "
            "name of one comparison after the file, as in --pilot STUDY.yaml NAME."
        )
    name = names[0] if names else next(iter(comparisons))
    checks.choice("comparison", name, tuple(comparisons))
    return comparisons[name]


def _two_files(named):
    """Read a pilot from the files of both systems."""
    from replicability import checks
    from replicability.api import calls
    from replicability.api.scores import Scores
    from replicability.io import formats

    if len(named) != 2:
        raise checks.InputError(
            "--pilot takes a study, such as study.yaml, or two files with scores, but the number "
            f"of files is {len(named)}; pass the file of each system."
        )
    kind = formats.guess(named[0])
    if formats.get(kind).needs_gold:
        raise checks.InputError(
            f"The pilot's files have the format {kind!r}, which needs gold files; list the files "
            "in a study, and pass the study as --pilot."
        )
    return calls.ask(Scores.read(*named), calls.Question())


# --- numbers -------------------------------------------------------------------------------------


def _sizes(options):
    """Return the sizes of the datasets: one number for all, a range, or one for each."""
    import numpy as np

    from replicability import checks
    from replicability.stats.power_of_counts import MOST_DATASETS

    asked = _whole("datasets", options.datasets)[0] if options.datasets else None
    if asked is not None and asked > MOST_DATASETS:
        raise checks.InputError(
            f"--datasets is {asked:,}, but must be at most {MOST_DATASETS:,}; use fewer datasets, "
            "which give nearly the same shares."
        )
    if ":" in options.items:
        ends = _whole("items", options.items.replace(":", ","))
        if len(ends) != 2 or asked is None:
            raise checks.InputError(
                f"--items is {options.items!r}; write a range as smallest:largest, such as 40:400, "
                "and give --datasets."
            )
        return [round(size) for size in np.linspace(*ends, asked).tolist()]
    sizes = _whole("items", options.items)
    if len(sizes) == 1:
        return sizes * (asked or 1)
    if asked not in (None, len(sizes)):
        raise checks.InputError(
            f"--items gives {len(sizes)} sizes, but --datasets is {asked}; leave --datasets out."
        )
    return sizes


def _numbers(name, text):
    """Read numbers that are separated by commas."""
    from replicability import checks

    try:
        return [float(part) for part in str(text).split(",")]
    except ValueError:
        raise checks.InputError(
            f"--{name} is {text!r}; write a number, such as 0.05, or several numbers separated by "
            "commas."
        ) from None


def _one(name, text):
    """Read one number."""
    return _numbers(name, text)[0]


def _whole(name, text):
    """Read whole numbers of at least 1."""
    from replicability import checks

    numbers = _numbers(name, text)
    return [
        checks.at_least(f"--{name}", int(number) if number.is_integer() else number)
        for number in numbers
    ]


# --- the answer ----------------------------------------------------------------------------------


def _draw(file, plan):
    """Write the figure."""
    from replicability import checks

    try:
        plan.figure().savefig(file)
    except OSError as error:
        raise checks.InputError(
            f"The figure {file} could not be written ({error.strerror or error}); choose another "
            "file."
        ) from None


def _write_page(file, plan):
    """Write the page."""
    from replicability.cli.run import refuse_without_extra
    from replicability.io import files

    refuse_without_extra()
    files.write(file, plan.page())


def show_design(plan):
    """Write a plan as text.

    `plan` (api.plan.Plan): the answer of `design`.

    Returns str. Sentences, tables, and notes.
    """
    said = "\n".join(map(filled, plan.sentences))
    tables = [f"{filled(shown.caption)}\n{table(shown)}" for shown in plan.view]
    return "\n\n".join([said, *tables, *notes([*plan.notes, NEXT])])


NEXT = (
    "Next: fix the datasets, their items and alpha now. Once you have the scores, run "
    "`replicability compare`."
)
