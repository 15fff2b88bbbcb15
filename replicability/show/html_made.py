"""How a page was made: the study, its inputs, seeds, versions and references."""

import dataclasses
import json
from pathlib import Path

import yaml

import replicability
from replicability.io import provenance, study
from replicability.io.text import existing
from replicability.stats import paired

CITATIONS = (
    (
        "The method",
        "Rotem Dror, Gili Baumer, Marina Bogomolov and Roi Reichart (2017). Replicability Analysis "
        "for Natural Language Processing: Testing Significance with Multiple Datasets. "
        "Transactions of the Association for Computational Linguistics 5, 471–486.",
    ),
    (
        "The software",
        "The replicability-analysis authors. Replicability analysis: an executable compendium. "
        f"Version {replicability.__version__}, MIT licence.",
    ),
)
"""References, as ``CITATION.cff`` has them."""


def made(settings, pairs, families, tests, file=None, command=""):
    """Return what somebody needs to make a page again.

    `settings`, `pairs`, `families`: as for `html_report.save`. `tests` (dict of str to sequence of
    str): name of a comparison or family -> tests that made its p-values. `file`: the file of the
    study, if it has one. `command`: what makes the page again; without a file no study is then
    shown.

    Returns dict. As ``html_report.html.jinja`` shows it.

    Raises `InputError`: if an input is missing.
    """
    blocks = [block for block, _ in (*pairs, *families)]
    text = _as_yaml(settings) if file is None else Path(file).read_text(encoding="utf-8")
    declared = [p for block in (*settings.comparisons, *settings.families) for p in block.paths]
    for place in filter(None, sorted([*declared, settings.remarks], key=len, reverse=True)):
        text = text.replace(place, provenance.portable(place))
    name = f"config/{settings.name}.yaml" if file is None else provenance.portable(file)
    places = dict.fromkeys(place for block in blocks for place in block.paths)
    inputs = dict.fromkeys(path for place in places for path in _files(place))
    return {
        "file": name,
        "as_written": file is not None,
        "yaml": "" if command and file is None else text,
        "command": command or _call(blocks) or f"replicability run {name}",
        "inputs": [_input(Path(path)) for path in (*([file] if file else ()), *inputs)]
        + [_in_memory(block) for block in blocks if block.rows],
        "seeds": [(block.title, _seed(block, tests[block.name])) for block in blocks],
        "versions": list(provenance.versions().items()),
        "citations": CITATIONS,
    }


def _as_yaml(settings):
    """Write a study as YAML, without what it leaves out."""
    content = json.loads(json.dumps(dataclasses.asdict(settings)))
    content = {"study": content.pop("name")} | content | content.pop("notebooks")
    defaults = {field.name: field.default for field in dataclasses.fields(study.Family)}
    for block in (*content["comparisons"], *content["families"]):
        kept = {"dependence": block["dependence"]}
        absent = {k for k, v in block.items() if v in ("", None, [], {}) or v == defaults[k]}
        for key in absent:
            del block[key]
        for key in ("rows", "named", "unused", "unit_declared", "dependence_declared"):
            block.pop(key, None)
        block |= kept
    content = {key: value for key, value in content.items() if value}
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)


def _files(place):
    """Return the file of a path, or all files in its folder."""
    path = Path(place).absolute()
    return sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [existing(path)]


def _input(path):
    """Return name, size and SHA-256 of a file."""
    size = f"{path.stat().st_size:,}"
    return {"file": provenance.portable(path), "size": size, "sha256": provenance.digest(path)}


def _in_memory(block):
    """Return the name of a table in memory and its number of rows."""
    what = f"{block.file} (in memory, {block.rows:,} rows)"
    return {"file": what, "size": "", "sha256": "not kept"}


def _call(blocks):
    """Write the call in Python that compares tables in memory; "" if there are none."""
    if not all(block.rows for block in blocks):
        return ""
    left_out = (
        *("name", "section", "title", "file", "rows", "columns", "systems", "score"),
        *("unit_declared", "dependence_declared", "named", "unused"),
    )
    calls = ["import replicability as rep"]
    for block in blocks:
        columns = dict(block.columns)
        read = columns.pop("p_value", "")
        columns.pop("scores", None)
        many = isinstance(block, study.Family)
        given = {"systems": block.systems} if many else dict(zip("ab", block.systems, strict=True))
        given |= {} if read else columns
        given |= {
            field.name: getattr(block, field.name)
            for field in dataclasses.fields(block)
            if field.name not in left_out
            and getattr(block, field.name) not in (field.default, {}, ())
        }
        what = "count(pvalues" if read else "all_pairs(data" if many else "compare(data"
        calls.append(
            f"rep.{what}, {', '.join(f'{key}={value!r}' for key, value in given.items())})"
        )
    return "\n".join(calls)


def _seed(block, tests):
    """Say what the seed of a comparison does."""
    if block.level == "p-values":
        return "none, because p-values were read"
    drawn = ["resamples"] if any("rng" in paired.lookup(t).options for t in tests if t) else []
    drawn += ["joint sign flips"] if block.shared else []
    if not drawn:
        return "none, because the test draws no random numbers"
    return f"{block.seed}, for {' and '.join(drawn)}"
