"""What the workflow asks of the compendium: its study, and the modules of a notebook."""

import json

import pytest
import yaml
from checkouts import run
from corpora import TWO_COLUMNS

from analysis import paths, workflow
from replicability import checks

NOTEBOOKS = sorted(path.stem for path in (paths.ROOT / "notebooks").glob("*.ipynb"))

LOADS = """
import ast, json, sys
import nbformat

OWN = ("analysis", "replicability")
loaded = {}
for name in sys.argv[1:]:
    for module in [m for m in sys.modules if m.split(".")[0] in OWN]:
        del sys.modules[module]
    cells = nbformat.read(f"notebooks/{name}.ipynb", 4).cells
    code = ast.parse("\\n".join(c.source for c in cells if c.cell_type == "code"))
    code.body = [node for node in code.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    exec(compile(code, name, "exec"), {})
    loaded[name] = [m.__file__ for n, m in sys.modules.items() if n.split(".")[0] in OWN]
print(json.dumps(loaded))
"""
"""Imports what each notebook does, as if it were the first; says which files that loads."""


@pytest.mark.parametrize(
    ("flags", "expected"),
    [("sse4_2 avx avx2 fma", {"OPENBLAS_CORETYPE": "Haswell"}), ("sse4_2 avx", {})],
)
def test_kernels_are_named_where_the_processor_has_them(write, flags, expected):
    assert workflow.kernels(write("cpuinfo", f"processor : 0\nflags : {flags}\n")) == expected


def test_kernels_are_named_where_the_processor_is_not_described(tmp_path):
    assert workflow.kernels(tmp_path / "none") == {"OPENBLAS_CORETYPE": "Haswell"}


def test_study_file():
    assert workflow.study_file([]) == "config/paper.yaml"
    assert workflow.study_file([paths.CONFIG / "mine.yaml"]) == "config/mine.yaml"
    with pytest.raises(
        checks.InputError, match=r"--configfile names a, b, but a run is for one study"
    ):
        workflow.study_file(["a", "b"])


@pytest.fixture(scope="module")
def loaded():
    found = run(paths.ROOT, "-c", LOADS, *NOTEBOOKS)
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_modules_hold_all_that_a_notebook_imports(name, loaded):
    files = {str(paths.Path(f).relative_to(paths.ROOT)) for f in loaded[name]}
    found = set(workflow.modules(f"notebooks/{name}.ipynb"))
    assert files <= found
    assert (
        "replicability/show/evidence.py" in found
    ) or "replicability/api/__init__.py" not in found
    assert not [file for file in found if file.startswith("replicability/cli")]


# --- the settings of random splits


def choices(write, **changes):
    content = {
        "seed": 1,
        "splits": 2,
        "shares": {"train": 0.8, "dev": 0.1, "test": 0.1},
        "corpora": [{"name": "A", "files": [str(write("a.tsv", TWO_COLUMNS))]}],
        "taggers": [
            {"name": "one", "command": "one {train} {test} {output}"},
            {"name": "two", "command": "two {test} > {output}"},
        ],
    }
    return workflow.split_choices(write("splits.yaml", yaml.safe_dump({**content, **changes})))


ONE = {"name": "one", "command": "one {train} {test} {output}"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"split": 3}, "unknown key 'split' in the file; did you mean 'splits'"),
        ({"splits": 0}, "splits is 0, but the number of random splits must be a whole number"),
        ({"splits": "20"}, "splits is '20', but"),
        ({"seed": -1}, "seed is -1"),
        ({"shares": {"train": 0.8, "dev": 0.1, "test": 0.2}}, "the shares sum to 1.1; choose"),
        ({"shares": {"train": 0.8, "test": 0.2}}, "the key 'dev' is missing in shares"),
        (
            {"shares": {"train": 1, "dev": 0, "test": 0}},
            "shares.* is .*, but a share must be above 0",
        ),
        ({"corpora": []}, "corpora is .*at least one corpus"),
        (
            {"corpora": [{"name": "A"}]},
            "corpus 'A' has no source; give it exactly one of nltk, files",
        ),
        (
            {"corpora": [{"name": "A", "nltk": "treebank.zip", "files": ["x"]}]},
            "corpus 'A' has nltk and files; give it exactly one of",
        ),
        ({"corpora": [{"name": "A", "files": ["data/READNE.md"]}]}, "did you mean 'README.md'"),
        ({"corpora": [{"name": "A", "nltk": "treebnk.zip"}]}, "one of treebank.zip, masc_tagged.z"),
        ({"corpora": [{"name": "A B", "nltk": "treebank.zip"}]}, "'A B', but a name must start"),
        (
            {"corpora": [{"name": name, "nltk": "treebank.zip"} for name in ("PTB", "ptb")]},
            "corpora: 'PTB' and 'ptb' are the same name if case is ignored; rename one",
        ),
        (
            {
                "corpora": [
                    {
                        "name": "A",
                        "standard": {"train": "README.md", "dev": "README.md", "test": "LICENSE"},
                    }
                ]
            },
            "names one file for two parts",
        ),
        ({"taggers": [ONE]}, "taggers is .*at least two taggers"),
        ({"taggers": [ONE, ONE]}, "taggers: 'one' and 'one' are the same name"),
        ({"taggers": [ONE, {**ONE, "name": "gold"}]}, "'gold' has the name of a column"),
        (
            {"taggers": [ONE, {"name": "two", "command": "two {trian} {test} {output}"}]},
            "unknown placeholder {trian}; use {python}, {train}",
        ),
        (
            {"taggers": [ONE, {"name": "two", "command": "two {train} {test}"}]},
            "tagger 'two': the command lacks {output}, the file that it writes",
        ),
        (
            {"taggers": [ONE, {"name": "two", "command": "two {train} > {output}"}]},
            "tagger 'two': the command lacks {test}, the file with the words to tag",
        ),
        (
            {"taggers": [ONE, {"name": "two", "command": "awk '{ {test} {output}"}]},
            "tagger 'two': the command cannot be read",
        ),
        (
            {"taggers": [ONE, {"name": "two", "command": "two.py {test} {output}"}]},
            "tagger 'two': write {python} before two.py",
        ),
    ],
)
def test_wrong_settings_are_a_sentence(write, changes, message):
    with pytest.raises(checks.InputError, match=r"(?s)" + message.replace("{", r"\{")):
        choices(write, **changes)


def test_settings_that_are_no_mapping_are_a_sentence(write):
    with pytest.raises(checks.InputError, match="must list the settings of random splits"):
        workflow.split_choices(write("splits.yaml", "- 1\n"))


def test_a_study_with_the_name_of_a_committed_one_is_refused(tmp_path):
    workflow.check_name("paper", "config/paper.yaml")
    workflow.check_name("paper", str(paths.ROOT / "config" / "paper.yaml"))
    workflow.check_name("mine", str(tmp_path / "paper.yaml"))
    with pytest.raises(checks.InputError, match=r"called 'open', whose figures .* overwritten"):
        workflow.check_name("open", str(tmp_path / "open.yaml"))
