"""The study of the paper, whole: in a copy of the checkout, through snakemake itself."""

import hashlib
import html
import json
import re

import nbformat
import pytest
import yaml
from checkouts import append, copy, run, snakemake

from analysis import items, paths
from analysis.studies import read_study
from replicability.io import delimited

pytestmark = pytest.mark.long

PAPER = read_study("config/paper.yaml")
ASKED = [notebook for notebook in items.read_notebooks() if notebook.runs(PAPER)]
NOTEBOOKS = sorted(notebook.name for notebook in ASKED)


def would_run(checkout, *arguments):
    """Return the rules that a dry run names."""
    found = snakemake(checkout, "--dry-run", *arguments)
    assert found.returncode == 0, found.stderr
    text = found.stdout + found.stderr
    return [name for name in NOTEBOOKS if f"\n{name} " in text]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a checkout in which the workflow has run, with fewer simulations."""
    target = copy(tmp_path_factory.mktemp("run"))
    config = target / "config" / "paper.yaml"
    text = config.read_text(encoding="utf-8")
    text = text.replace("n_families_large: 1000000", "n_families_large: 20000")
    text = text.replace("n_repetitions_large: 100000", "n_repetitions_large: 2000")
    for name in ("n_repetitions: 10000", "n_repetitions_single: 2000", "n_repetitions_few: 500"):
        assert name in text
        text = text.replace(name, f"{name.split(':')[0]}: 20")
    config.write_text(text, encoding="utf-8")
    found = snakemake(target)
    assert found.returncode == 0, found.stderr
    return target


def made(checkout):
    """Return the bytes of everything that a run publishes."""
    folders = ("figures", "tables", "results/paper/notebooks", "results/paper/report")
    return {
        str(path.relative_to(checkout)): path.read_bytes()
        for folder in folders
        for path in sorted((checkout / folder).glob("*.*"))
    }


def test_a_fresh_checkout_runs_every_notebook(tmp_path):
    assert would_run(copy(tmp_path)) == NOTEBOOKS


def test_a_finished_run_has_nothing_to_do(finished):
    assert would_run(finished) == []


def test_a_second_run_gives_the_same_bytes(finished):
    before = made(finished)
    assert len(before) > 40
    found = snakemake(finished, "--forceall", "--cores", "1")
    assert found.returncode == 0, found.stderr
    after = made(finished)
    assert before.keys() == after.keys()
    assert [name for name in before if before[name] != after[name]] == []


def test_the_committed_figures_and_tables_are_those_that_a_run_makes(finished):
    for folder in ("figures", "tables"):
        run_made = {path.name for path in (finished / folder).iterdir()}
        assert run_made == {path.name for path in (paths.ROOT / folder).iterdir()}
        listed = {item.stem for n in ASKED for item in n.items(PAPER) if item.kind == folder}
        assert {path.stem for path in (finished / folder).glob("*.*")} == listed


@pytest.mark.parametrize(
    ("module", "rules"),
    [
        ("replicability/core/findings/finding.py", sorted(NOTEBOOKS)),
        ("analysis/methods/simulation.py", ["audit", "summary", "test_sizes", "toy_simulations"]),
        ("replicability/forensics/counts.py", sorted(NOTEBOOKS)),  # they import the library
        ("analysis/methods/type1_error.py", ["test_sizes"]),
        ("analysis/sogaard2014/many_metrics/choices.py", ["audit", "sogaard_toy_examples"]),
        ("replicability/show/style.py", sorted(NOTEBOOKS)),
    ],
)
def test_an_edited_module_runs_what_uses_it_and_nothing_else(finished, module, rules):
    path = finished / module
    text = path.read_text(encoding="utf-8")
    append(path)
    try:
        assert would_run(finished) == sorted(rules)
    finally:
        path.write_text(text, encoding="utf-8")


def test_an_edited_table_runs_what_reads_it(finished):
    path = finished / "data" / "published" / "dror2017" / "table4.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("0.0268", "0.0269"), encoding="utf-8")
    try:
        assert would_run(finished) == ["audit", "sentiment", "sogaard_toy_examples", "summary"]
    finally:
        path.write_text(text, encoding="utf-8")


def test_an_edited_comparison_runs_its_section(finished):
    path = finished / "config" / "paper.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("score: accuracy", "score: share correct"), encoding="utf-8")
    try:
        assert would_run(finished) == ["audit", "sentiment", "summary"]
    finally:
        path.write_text(text, encoding="utf-8")


def test_bad_input_stops_before_anything_is_written(finished):
    before = made(finished)
    path = finished / "data" / "published" / "dror2017" / "table4.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("0.0268", "n.s."), encoding="utf-8")
    try:
        found = snakemake(finished)
    finally:
        path.write_text(text, encoding="utf-8")
    assert found.returncode != 0
    assert "table4.csv, line 2, column 'p-value': the value is 'n.s.'" in found.stderr
    assert "Traceback" not in found.stderr
    assert made(finished) == before


def test_a_failed_notebook_keeps_what_was_there_and_says_where(finished):
    before = made(finished)
    path = finished / "replicability" / "stats" / "multiple_testing.py"
    text = path.read_text(encoding="utf-8")
    append(path, "\n\ndef identify(*_, **__):\n    raise RuntimeError('broken on purpose')\n")
    try:
        found = snakemake(finished, "results/paper/notebooks/sentiment.ipynb")
    finally:
        path.write_text(text, encoding="utf-8")
    assert found.returncode != 0
    said = found.stdout + found.stderr
    failed = r"notebooks/sentiment.ipynb failed in cell \d+: RuntimeError: broken on purpose"
    assert re.search(failed, said)
    copy = finished / "results" / "paper" / "notebooks" / "sentiment.failed.ipynb"
    assert str(copy.relative_to(finished)) in said
    outputs = [o for c in nbformat.read(copy, 4).cells for o in c.get("outputs", [])]
    assert any(o.output_type == "error" and o.ename == "RuntimeError" for o in outputs)
    after = made(finished)
    assert {name: after[name] for name in before} == before
    again = snakemake(finished, "results/paper/notebooks/sentiment.ipynb")
    assert again.returncode == 0, again.stderr
    assert made(finished) == before


def test_another_study_has_its_own_folder(finished):
    config = yaml.safe_load((finished / "config" / "paper.yaml").read_text(encoding="utf-8"))
    config["study"] = "mine"
    config["comparisons"] = [c for c in config["comparisons"] if c["section"] == "sentiment"]
    del config["toy_simulations"], config["test_sizes"], config["sogaard_toy_examples"]
    del config["remarks"], config["labels"]  # of other sections
    (finished / "config" / "mine.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    before = made(finished)
    found = snakemake(finished, "--configfile", "config/mine.yaml")
    assert found.returncode == 0, found.stderr
    tables = {path.name for path in (finished / "results" / "mine" / "tables").glob("*.csv")}
    assert tables == {
        "table1_summary.csv",
        "section7_more_estimators.csv",
        "section7_three_questions.csv",
        "table4_sentiment.csv",
        "table4_groups.csv",
        "table4_both_directions.csv",
    }
    assert made(finished) == before


@pytest.mark.parametrize("kind", ["pvalues", "lm_eval"])
def test_a_new_study_becomes_a_report(finished, kind):
    before = made(finished)
    name = f"my_{kind}"
    started = run(finished, "-m", "replicability", "new", name, "--from", kind)
    assert started.returncode == 0, started.stderr
    found = run(finished, "scripts/reproduce.py", f"config/{name}.yaml")
    assert found.returncode == 0, found.stderr
    home = finished / "results" / name
    page = (home / "report" / "report.html").read_text(encoding="utf-8")
    said = run(finished, "scripts/summary.py", f"config/{name}.yaml").stdout
    sentences = [line for line in said.splitlines() if " outperforms " in line]
    assert sentences
    plain = html.unescape(page)
    for sentence in sentences:
        assert sentence in plain
    block = read_study(finished / "config" / f"{name}.yaml").comparisons[0]
    for kind in ("csv", "md", "tex"):
        assert (home / "tables" / f"{block.name}.{kind}").is_file()
    assert (home / "figures" / f"{block.name}.svg").is_file()
    assert made(finished) == before


def test_a_failed_run_of_a_study_overwrites_nothing(finished):
    run(finished, "-m", "replicability", "new", "careful", "--from", "long")
    study = "config/careful.yaml"
    assert run(finished, "scripts/reproduce.py", study).returncode == 0
    home = finished / "results" / "careful"
    kept = {path: path.read_bytes() for path in home.rglob("*.*") if "logs" not in path.parts}
    (table,) = (finished / "data" / "careful").glob("*.csv")
    last = table.read_text(encoding="utf-8").splitlines()[-1]
    append(table, f"{last}\n")
    found = run(finished, "scripts/reproduce.py", study)
    assert found.returncode != 0
    assert "occurs more than once" in found.stdout + found.stderr
    assert "Traceback" not in found.stdout + found.stderr
    after = {path: path.read_bytes() for path in kept if path.is_file()}
    assert after == kept


def test_the_report_holds_figures_and_tables(finished):
    found = snakemake(finished, "--report", "report.html")
    assert found.returncode == 0, found.stderr
    text = (finished / "report.html").read_text(encoding="utf-8")
    for name in ("figure1_k_hat_histogram.svg", "table3_pos_tagging.html", "audit.html"):
        assert name in text


def test_the_summary_names_what_differs(finished):
    found = run(finished, "scripts/summary.py")
    assert found.returncode == 0, found.stderr
    table = delimited.read_table(finished / "tables" / "audit.csv")
    for row in table[table["verdict"] == "contradicted"].itertuples():
        assert re.search(
            rf" {re.escape(row.published)} +{re.escape(row.recomputed)}\n", found.stdout
        )
    numbers = (table["kind"] == "number").sum()
    assert f"3 papers audited (tables/audit.csv): {numbers} numbers, " in found.stdout


def test_the_summary_of_another_study_is_a_table(finished):
    config = (finished / "config" / "paper.yaml").read_text(encoding="utf-8")
    (finished / "config" / "other.yaml").write_text(
        config.replace("study: paper", "study: other"), encoding="utf-8"
    )
    found = run(finished, "scripts/summary.py", "config/other.yaml")
    assert found.returncode == 0, found.stderr
    assert re.search(r"Mate against Redshift +7 +5, -", found.stdout)
    assert "published numbers" not in found.stdout


def test_reproduce_recovers_from_a_lock_that_a_killed_run_left(finished):
    locks = finished / ".snakemake" / "locks"
    locks.mkdir(exist_ok=True)
    (locks / "0.input.lock").write_text("config/paper.yaml\n", encoding="utf-8")
    (locks / "0.output.lock").write_text("tables/audit.csv\n", encoding="utf-8")
    (finished / "tables" / "audit.csv").unlink()
    found = run(finished, "scripts/reproduce.py", "config/paper.yaml")
    assert found.returncode == 0, found.stderr
    assert (finished / "tables" / "audit.csv").is_file()


def test_every_run_says_what_made_its_files(finished):
    record = json.loads((finished / "tables" / "provenance" / "toy_simulations.json").read_text())
    assert record["parameters"]["n_families_large"] == 20000
    file = finished / "figures" / "figure1_k_hat_histogram.svg"
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert record["outputs"]["figures/figure1_k_hat_histogram.svg"] == digest
    nb = nbformat.read(finished / "results" / "paper" / "notebooks" / "toy_simulations.ipynb", 4)
    assert any("n_families_large: int = 20000" in cell.source for cell in nb.cells)
