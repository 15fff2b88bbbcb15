"""Reading and checking every input: studies, tables of p-values, published numbers, remarks."""

import itertools
import math
import re

from replicability import checks
from replicability.checks import InputError
from replicability.io import families as families_
from replicability.io import formats, headers, judged, keys, repeats
from replicability.io.declared import (
    INSTANCE,
    OF_PAIRS,
    OF_PVALUES,
    SECTION,
    Comparison,
    Family,
    Study,
)
from replicability.io.host import Host
from replicability.io.sections import check_sections
from replicability.io.text import existing, load_yaml, shown
from replicability.stats import local_tests


def read_study(path, host=None):
    """Read a study and check it by the rules of its keys (`io.declared`).

    Parameters
    ----------
    path : str or Path
        YAML file; relative paths, in it too, start at the current folder.
    host : host.Host, optional
        The notebooks that it may ask for; by default none.

    Returns
    -------
    Study
        The study; every name in it is unique.

    Raises
    ------
    InputError
        If the file is missing or not YAML, a key is unknown, missing, given twice or of no use
        beside the others, or a value breaks its rule.
    """
    path, host = existing(path), host or Host()
    content = load_yaml(path)
    _refuse_of_two(shown(path), content)
    keys.check_study(shown(path), content, host.parameters)
    host.check(shown(path), content)
    default = {"procedure": content.get("procedure", "closed")}
    default |= {key: content[key] for key in ("alternative",) if key in content}
    comparisons = [
        {key: said for key, said in default.items() if (key, block.get("claim")) != UNDIRECTED}
        | block
        | _labels(content, block)
        for block in content.get("comparisons", [])
    ]
    families = [
        {"systems": [], **block, **_labels(content, block)} for block in content.get("families", [])
    ]
    sections = content.get("sections", {})
    notebooks = {name: content[name] for name in host.parameters if name in content}
    _check_study(shown(path), content, [*comparisons, *families, *notebooks], host)
    _check_names(shown(path), [*comparisons, *families], families, sections, host)
    check_sections(shown(path), sections, comparisons, host)
    _check_flips(shown(path), [*families, *comparisons], min(content["alphas"]))
    _check_labels(shown(path), content)
    return Study(
        name=content["study"],
        alphas=tuple(content["alphas"]),
        comparisons=tuple(_block(Comparison, block) for block in comparisons),
        families=tuple(_block(Family, block) for block in families),
        remarks=content.get("remarks") or host.remarks(content["study"]),
        notebooks=notebooks,
        sections=sections,
    )


def _refuse_of_two(file, content):
    """Refuse keys of two systems in a family."""
    families = content.get("families") if isinstance(content, dict) else None
    for block in families if isinstance(families, list) else ():
        for key in OF_PAIRS:
            if isinstance(block, dict) and key in block:
                raise InputError(f"{file}, family {block.get('name')!r}: {families_.of_two(key)}")


def _labels(content, block):
    """Return the labels of a block: those of its study, and its own in their place."""
    if "labels" not in content:
        return {}
    return {"labels": content["labels"] | block.get("labels", {}), "labels_of_study": True}


def _check_labels(file, content):
    """Refuse labels for what no block has, as far as the blocks say what they have."""
    blocks = [*content.get("comparisons", ()), *content.get("families", ())]
    for labels, of in [(content, blocks), *((block, [block]) for block in blocks)]:
        named = [[*families_.members(block), *block.get("datasets", ())] for block in of]
        known = [*itertools.chain(*named, *(block.get("groups", ()) for block in of))]
        if all(_says_names(block) for block in of):
            for name in labels.get("labels", ()):
                checks.choice(f"{file}: labels: the name", name, known)


def _says_names(block):
    """Tell whether a block names its systems, datasets and groups, before its files are read."""
    alone = block.get("format", "table") == "table"
    return alone and bool(families_.members(block) and block.get("datasets"))


def _check_study(file, content, asked, host):
    """Check that a study asks for something, and that its folders are its own."""
    if not asked:
        notebook = f", families or a notebook ({', '.join(host.parameters)})"
        raise InputError(
            f"{file} does not say what to compare; add "
            f"comparisons{notebook if host.parameters else ' or families'}."
        )
    if content["study"] in host.folders:
        raise InputError(
            f"{file}: results/{content['study']} is already used for something else; give the "
            "study another name."
        )
    if "remarks" in content:
        existing(content["remarks"], folder=True)


def _check_names(file, blocks, families, sections, host):
    """Check each comparison and family, and that they have names and sections of their own."""
    names = [block["name"] for block in blocks]
    for block in blocks:
        kind = "family" if block in families else "comparison"
        place = f"{file}, {kind} {block['name']!r}"
        if host.sections:
            known = (*host.sections, *sections)
            checks.choice(f"{place}: section", block.get("section", SECTION), known)
        if host.takes(block["name"]):
            raise InputError(
                f"{file}: every study has a table or figure called {block['name']!r}; "
                "give the comparison another name."
            )
        if names.count(block["name"]) > 1:
            raise InputError(
                f"{file}: two comparisons have the name {block['name']!r}; rename one of them."
            )
        _check_block(place, block)


def _check_flips(file, blocks, alpha):
    """Check that the flips suffice for the strictest level, both ways or for all pairs jointly."""
    for block in blocks:
        if len(block["systems"]) == 2:
            pairs, whom, remedy = 2, " (half of it for each direction)", ""
        else:
            pairs = families_.least_pairs(block)
            whom, remedy = f" (divided by {pairs} ordered pairs)", ", or leave it out"
        fewest = math.ceil(pairs / alpha)
        if block.get("n_flips", fewest) < fewest:
            raise InputError(
                f"{file}, comparison {block['name']!r}: {block['n_flips']} flips cannot give a "
                f"significant result at alpha = {alpha:g}{whom}, because no p-value is below "
                f"1/{block['n_flips']}; set n_flips to at least {fewest}, preferably a hundred "
                f"times as many{remedy}."
            )


UNDIRECTED = ("alternative", "equivalent")
"""Study-wide key, and the claim to which it does not apply."""

LEVELS = {
    "p-values": ({"dataset", "p_value"}, {"scores"}),
    "items of one system per row": (
        {"dataset", "instance", "system", "score"},
        {"size", "run", "gold", "within", "human"},
    ),
    "items of both systems": (
        {"dataset", "instance", "scores"},
        {"size", "gold", "run", "within"},
    ),
    "runs of one system per row": ({"dataset", "run", "system", "score"}, set()),
    "runs of both systems": ({"dataset", "run", "scores"}, set()),
    "successes in trials": ({"dataset", "successes", "trials"}, {"system"}),
    "one system per row, with its scores in all other columns": ({"system"}, {"dataset"}),
}
"""Maps the contents of a file to its required and its optional columns."""


TWO_SIDED = re.compile(r"(?<![a-z0-9])(two|2)[\W_]*(sided|tailed)|\|[tz]\|", re.IGNORECASE)
"""Matches headers of columns of two-sided p-values."""


def _columns(block):
    """Return the columns of a block; where none holds the datasets, `by` tells them apart."""
    columns = repeats.columns(block.get("columns", {}), block.get("repeats", {}))
    if isinstance(columns.get("dataset"), list) and len(columns["dataset"]) == 1:
        columns = columns | {"dataset": columns["dataset"][0]}
    alone = "by" in block and block.get("format", "table") == "table" and "dataset" not in columns
    return {"dataset": block["by"], **columns} if alone else columns


def _block(kind, block):
    """Make a comparison or family, with what the block leaves out."""
    lists = {key: tuple(block.get(key, ())) for key in ("systems", "datasets")}
    lists["ignore"] = tuple(headers.named({"ignore": block.get("ignore", ())}))
    metric = block.get("metric", next(iter(formats.get(block.get("format", "table")).metrics), ""))
    columns = block.get("columns", {})
    named = {
        "section": SECTION,
        "title": "-".join(lists["systems"]) if kind is Comparison else block["name"],
        "score": metric if metric and isinstance(metric, str) else columns.get("score", "score"),
        "metric": metric,
        "unit": formats.DOCUMENT if formats.DOCUMENTS in block.get("files", {}) else INSTANCE,
        "unit_declared": "unit" in block,
    }
    columns = _columns(block)
    if _of_systems(block):
        columns, named["named"] = {"system": "system"} | columns, {"system": ""}
    if columns.get("dataset") == block.get("by"):
        block = {key: value for key, value in block.items() if key != "by"}
    return kind(**{**named, **block, **lists, "columns": columns})


def _check_block(place, block):
    """Check that the keys of a block belong together."""
    kind = block.get("format", "table")
    found = formats.get(kind)
    tables = _of_systems(block)
    needed = ("files", "columns") if tables else found.keys
    for key in needed:
        if key not in block:
            raise InputError(
                f"{place}: the format {kind!r} needs the key {key!r}, which is missing; add it."
            )
    for key in ("file", "columns", "files"):
        if key in block and key not in (*needed, *found.options):
            raise InputError(
                f"{place}: the key {key!r} has no effect in the format {kind!r}; leave it out, or "
                "choose the format of your files."
            )
    formats.refuse_idle(kind, block.get("columns", {}) | block, f"{place}: ")
    whole, block = block, _by_first(place, block)
    if kind == "table":
        if tables:
            _check_sides(place, block, found)
            block = block | {"columns": {"system": "system"} | block["columns"]}
        _check_columns(place, block)
    else:
        _check_files(place, block, found)
    check_claims(f"{place}: ", whole)
    for key in OF_PVALUES:
        if key in block and "p_value" not in block.get("columns", {}):
            raise InputError(
                f"{place}: {checks.named(key)} applies to p-values that you provide, but here "
                "they are computed from items; leave it out."
            )


def _by_first(place, block):
    """Return a block as it is by the first of its metrics."""
    if "metrics" not in block:
        return block
    first, columns = next(iter(block["metrics"])), block.get("columns", {})
    refuse_beside_metrics(f"{place}: ", {*columns, *block})
    if block.get("format", "table") == "table" and "gold" not in columns:
        return block | {"columns": columns | {"score": first}}
    return block | {"metric": first}


def refuse_beside_metrics(place, given):
    """Refuse other names of the scores, or of their direction, next to several metrics.

    `place`: what stands before a message. `given` (set of str): fields that are given.
    """
    said = checks.named("metrics")
    for key in ("score", "scores", "metric"):
        if key in given:
            raise InputError(
                f"{place}{said} and {checks.named(key)} both specify the scores; leave one of the "
                "two out."
            )
    if "higher_is_better" in given:
        raise InputError(
            f"{place}{checks.named('higher_is_better')} applies to one metric, but {said} names "
            "several; leave it out, and say for each metric whether a higher or a lower score is "
            "better."
        )


def check_claims(place, block):
    """Check that units, groups and the procedure fit what a comparison is read from.

    `place`: what stands before a message. `block`: keys of a comparison that are given; of
    "columns" it matters whether p-values are read.

    Raises `InputError`: if keys contradict each other, or have no meaning beside the others.
    """
    _check_margin(place, block)
    _check_read(place, block)
    repeats.check(place, block)
    judged.check(place, block)
    _check_metrics(place, block)
    if "n_flips" in block and not (block.get("shared") or "metrics" in block):
        raise InputError(
            f"{place}{checks.named('n_flips')} is the number of joint sign flips, but no units "
            f"are shared; leave it out, or declare shared units with {checks.named('shared')}."
        )
    if block.get("shared") and block.get("dependence") == "independent":
        raise InputError(
            f"{place}the datasets are declared independent, so they share no items, but "
            f"{checks.named('shared')} says that they share units; leave one of the two out."
        )
    _check_population(place, block)
    if (block.get("format"), block.get("dependence")) == ("spans", "independent") and "by" in block:
        raise InputError(
            f"{place}the datasets are span types in the same sentences, so they are not "
            "independent; declare them dependent, or positive if their dependence is positive."
        )
    if "missing" in block and block.get("match") == "place":
        raise InputError(
            f"{place}{checks.named('missing')} applies to items for which a system has no score, "
            "but these items cannot be found if items are matched by position; leave it out, or "
            "match items by identifier."
        )
    _check_unit(place, block)
    if block.get("procedure") == "paper":
        for key in ("method", "shared"):
            if key in block:
                raise InputError(
                    f"{place}{checks.named(key)} has no effect with the procedure 'paper', which "
                    "uses partial conjunction testing and Holm's procedure; leave one of the two "
                    "out."
                )


def _check_metrics(place, block):
    """Check that what is asked can be asked by several metrics."""
    if "metrics" not in block:
        return
    said = checks.named("metrics")
    if {"p_value", "successes"} & set(block.get("columns", {})):
        raise InputError(
            f"{place}{said} specifies scores of items, but the table has no items; leave it out."
        )
    for key, value in (("procedure", "paper"), ("over_datasets", True)):
        if block.get(key) == value:
            raise InputError(
                f"{place}{checks.named(key)} applies to one metric, but {said} names several; "
                "leave one of the two out."
            )
    if "margin" in block and set(block["metrics"]) != set(
        block["margin"] if isinstance(block["margin"], dict) else ()
    ):
        raise InputError(
            f"{place}{checks.named('margin')} is {block['margin']!r}, but each metric has its own "
            f"scale; give a margin for each of {checks.enumerated(list(block['metrics']))}."
        )


def _check_population(place, block):
    """Check that datasets which are draws from a population are independent, without a margin."""
    if not block.get("over_datasets"):
        return
    over = checks.named("over_datasets")
    if block.get("dependence") != "independent":
        raise InputError(
            f"{place}{over} assumes that the datasets are independent draws from a population, "
            "but they are not declared independent; declare this with "
            f"{checks.given('dependence', repr('independent'))}, or leave {over} out."
        )
    if "margin" in block:
        raise InputError(
            f"{place}{over} tests for a difference of any size, but {checks.named('margin')} sets "
            "a minimum size; leave one of the two out."
        )


IDLE_OF_COUNTS = ("unit", "shared", "missing", "test", "options", "higher_is_better")
"""Keys without effect on successes in trials."""


def _check_read(place, block):
    """Refuse what given p-values cannot answer."""
    if "successes" in block.get("columns", {}):
        for key in IDLE_OF_COUNTS:
            if key in block:
                raise InputError(
                    f"{place}{checks.named(key)} applies to items, but the table holds numbers of "
                    "successes, which are compared by an exact test of two success rates; leave "
                    "it out."
                )
        _refuse_flips(place, block, "the table counts successes in trials")
    if "p_value" not in block.get("columns", {}):
        return
    for key in ("unit", "shared", "missing"):
        if key in block:
            raise InputError(
                f"{place}{checks.named(key)} applies to items, but the table holds p-values; "
                "leave it out, or give the scores of items."
            )
    _refuse_flips(place, block, "the table holds p-values")


def _refuse_flips(place, block, what):
    """Refuse a local test of units where there are none."""
    method = block.get("method")
    test = local_tests.load().get(method)
    if test and test.takes == local_tests.FLIPS:
        raise InputError(
            f"{place}the method {method!r} flips the signs of units, but {what}, so there are no "
            f"units; leave {checks.named('method')} out, or give the scores of items."
        )


def _check_unit(place, block):
    """Check that a unit is a column of a table, or the document of files that have documents."""
    unit, kind = block.get("unit", INSTANCE), block.get("format", "table")
    if formats.DOCUMENTS in block.get("files", {}):
        if block.get("unit", formats.DOCUMENT) != formats.DOCUMENT:
            raise InputError(
                f"{place}the unit is {unit!r}, but {formats.DOCUMENTS} are given, so each "
                "document is a unit; leave one of the two out."
            )
    elif unit != INSTANCE and kind != "table":
        has = formats.DOCUMENTS in formats.get(kind).also
        write = "write the scores as a table"
        raise InputError(
            f"{place}the unit {unit!r} is a column of a table, but the format is {kind!r}; leave "
            f"it out, or {f'give a file with {checks.named(formats.DOCUMENTS)}' if has else write}."
        )


def _check_margin(place, block):
    """Check that a claim has a margin if it needs one, and only then."""
    if not {"claim", "margin"} & set(block):
        return
    from replicability.stats import margins  # which only such a comparison needs

    if "p_value" in block.get("columns", {}):
        raise InputError(f"{place}{margins.NEEDS_SCORES}")
    if "alternative" in block and block.get("claim") == "equivalent":
        raise InputError(
            f"{place}{checks.named('alternative')} sets the direction of a claim, but equivalence "
            "has no direction; leave it out."
        )
    given = block.get("margin")
    try:
        for margin in given.values() if isinstance(given, dict) else [given]:
            margins.check(block.get("claim", "better"), margin)
    except InputError as error:
        raise InputError(f"{place}{error}") from None


def _check_pair(place, block, found):
    """Check the files of two systems."""
    wanted = {"a", "b"} | ({"gold"} if found.needs_gold else set())
    if set(block["files"]) - set(found.also) != wanted:
        raise InputError(
            f"{place}: the files are {', '.join(sorted(block['files']))}, but the format "
            f"{found.name!r} needs {', '.join(sorted(wanted))}; give a file or folder for each of "
            "them."
        )
    if block["files"]["a"] == block["files"]["b"]:
        raise InputError(
            f"{place}: both systems are read from {block['files']['a']!r}; give a separate file "
            "or folder for each."
        )


def _check_sides(place, block, found):
    """Check that there are files of all systems."""
    (_check_pair if len(block["systems"]) == 2 else families_.check_files)(place, block, found)


def _of_systems(block):
    """Tell whether a block names a table of each system."""
    is_one = block.get("format", "table") == "table" and "file" not in block
    return is_one and "files" in block and "score" in block.get("columns", {})


def _check_files(place, block, found):
    """Check the files, the metric and the columns of a format other than a table."""
    _check_sides(place, block, found)
    if not found.columns and block.get("columns", {"run": "file"}) != {"run": "file"}:
        raise InputError(
            f"{place}: the columns are {block['columns']}, but logs have no columns; write {{run: "
            "file} if each file is a run of its system, or leave the key out."
        )
    named, needed = set(block.get("columns", {})), set(found.columns)
    if found.columns and not needed <= named <= needed | {"size"}:
        raise InputError(
            f"{place}: the columns {', '.join(sorted(named))} are not a valid combination; "
            f"specify {', '.join(found.columns)} and, if the files have sizes, size."
        )


def _check_datasets(place, block, columns):
    """Check that it is said once which datasets a table of items has."""
    of_items = {key for key in ("ignore", "one_dataset") if block.get(key)}
    if "one_dataset" in of_items and "dataset" in columns:
        other = checks.named("dataset" if "dataset" in block["columns"] else "by")
        raise InputError(
            f"{place}: {other} and {checks.named('one_dataset')} each specify the datasets of a "
            "table; use only one of them."
        )
    if isinstance(columns.get("dataset"), list):
        of_items.add("dataset")
    if set(columns) <= {"system", "dataset"}:
        of_items.discard("ignore")  # of a table with a row for each system
    if of_items and not {"instance", "successes"} & set(columns):
        raise InputError(
            f"{place}: {checks.enumerated(map(checks.named, sorted(of_items)))} "
            f"{'says' if len(of_items) == 1 else 'say'} how a table of items or trials is read, "
            "but no column of items or trials is specified; specify one, or leave "
            f"{'it' if len(of_items) == 1 else 'them'} out."
        )


def _check_columns(place, block):
    """Check that the columns of a block belong together and are different."""
    columns = _columns(block)
    _check_datasets(place, block, columns)
    if block.get("one_dataset"):
        columns = columns | {"dataset": ""}
    if not any(needed <= set(columns) <= needed | possible for needed, possible in LEVELS.values()):
        ways = "; ".join(
            f"{', '.join(sorted(needed))} for {level}" for level, (needed, _) in LEVELS.items()
        )
        raise InputError(
            f"{place}: the columns {', '.join(sorted(columns))} are not a valid combination; "
            f"specify {ways}."
        )
    for key in ("by", "unit"):
        if key in block and not {"instance", "p_value", "successes"} & set(columns):
            raise InputError(
                f"{place}: {checks.named(key)} specifies a column that describes items, but each "
                "row is a system; leave it out, or write the scores with a row for each item."
            )
    if "metric" in block and "gold" not in columns:
        raise InputError(
            f"{place}: the metric {block['metric']!r} compares predictions with gold labels; "
            f"specify the column that holds them with {checks.named('gold')}. Also specify a "
            f"column of predictions for each system, or use {checks.named('score')} to specify the "
            "one column that holds all predictions."
        )
    families_.check_columns(place, block)
    ignored = headers.named({"ignore": block.get("ignore", ())})
    named = [header for header in headers.named(columns) if header]
    headers.refuse_ignored(place, ignored, named)
    for header in named:
        if named.count(header) > 1:
            raise InputError(
                f"{place}: the column {header!r} is used for two roles; specify a separate column "
                "for each role."
            )
    header = columns.get("p_value", "")
    sided = block.get("sided", "")
    if sided in ("", "one") and TWO_SIDED.search(header):
        raise InputError(
            f"{place}: the column {header!r} holds two-sided p-values, but one-sided p-values are "
            "needed, for the null hypothesis 'A is not better'; add sided: two and the score "
            "columns, which show the direction of each difference."
        )
    if sided == "two" and "scores" not in columns:
        raise InputError(
            f"{place}: two-sided p-values do not show which system is better; specify the score "
            "columns. If there are no scores, replace each p by p/2 where A is ahead and "
            "by 1 - p/2 elsewhere, and leave out sided: two."
        )
