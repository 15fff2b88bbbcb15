"""What the Snakefile needs to know: which study runs, and what a notebook depends on."""

import ast
import functools
import itertools
import math
import os
import re
import shlex
import string
from pathlib import Path

import grimp
import numpy as np

from analysis import items, paths, schemas
from replicability import checks
from replicability.io import formats, pvalues, several, text

CORPUS_SOURCES = ("nltk", "files", "standard")
"""Where a corpus of random splits can come from: keys of which it has one."""

PLACEHOLDERS = ("python", "train", "dev", "test", "seed", "output")
"""What a tagger's command can name."""

SPLIT_COLUMNS = (
    "dataset",
    "split",
    "instance",
    "unknown",
    "words",
    "position",
    "word",
    "gold",
)
"""Columns of the outcomes of random splits beside those of the taggers."""


NO_STUDY = ("mirror", "splits", "simulations", "pairs")
"""Keys of ``--config`` that are no part of a study: where raw files are, and what else to run."""

SMALL = 2**22
"""Bytes up to which the files of a comparison are read before anything runs."""


def kernels(processor="/proc/cpuinfo"):
    """Return the variables with which jobs round alike on every x86-64 processor.

    OpenBLAS chooses its kernels by the processor: others add in another order, and what is trained
    on the rounded sums is another system.

    `processor`: where Linux describes the processor; there is no such file elsewhere.

    Returns dict of str to str. Empty if the processor is known to lack AVX2, without which these
    kernels stop the job. Where the name is not known, OpenBLAS does as without it.
    """
    described = Path(processor)
    if described.exists() and "avx2" not in described.read_text(encoding="utf-8").split():
        return {}
    return {"OPENBLAS_CORETYPE": "Haswell"}


def study_file(configfiles, overrides=()):
    """Choose the study of a run.

    `configfiles` (sequence of Path): files given by ``--configfile``; none means the published
    study. `overrides` (collection): keys that ``--config`` gave; only those of `NO_STUDY` are
    allowed.

    Returns str. The study's file, relative to the checkout where it lies in it.

    Raises `InputError`: if there is more than one file, or a single key is overridden: Snakemake
    would merge them silently.
    """
    if set(overrides) - set(NO_STUDY):
        raise checks.InputError(
            f"--config sets only {', '.join(NO_STUDY)}; for anything else, copy config/paper.yaml, "
            "edit the copy and pass it with --configfile."
        )
    if len(configfiles) > 1:
        names = ", ".join(map(str, configfiles))
        raise checks.InputError(
            f"--configfile names {names}, but a run is for one study; pass one file."
        )
    path = Path(configfiles[0] if configfiles else paths.CONFIG / "paper.yaml").absolute()
    return str(path.relative_to(paths.ROOT) if path.is_relative_to(paths.ROOT) else path)


def check_name(study, file):
    """Refuse a study that would write over the committed figures and tables of another.

    `study`: its name. `file`: its file, a relative path from the checkout.

    Raises `InputError`: if it has the name of a study of the compendium and is not its file.
    """
    own = paths.CONFIG / f"{study}.yaml"
    if study in items.FOLDERS and (paths.ROOT / file).resolve() != own.resolve():
        raise checks.InputError(
            f"{file}: the compendium has a study called {study!r}, whose figures and tables would "
            "be overwritten; give your study another name."
        )


def outcome_choices(path="config/outcomes.yaml"):
    """Read what the outcomes stage rebuilds, and with which seeds.

    `path`: YAML file; a relative path starts at the checkout.

    Returns dict. Keys ``seed``, ``treebanks``, ``named_entities``, ``low_resource``, ``sentiment``,
    ``word_similarity``, ``translation``.

    Raises `InputError`: if the file is missing, is not YAML, or a key is missing or unknown.
    """
    content = text.load_yaml(path)
    if not isinstance(content, dict):
        raise checks.InputError(
            f"{path} is not a mapping of keys; compare it with the version in git."
        )
    known = (
        "seed",
        "treebanks",
        "named_entities",
        "low_resource",
        "sentiment",
        "word_similarity",
        "translation",
    )
    for key in content:
        checks.choice(f"{path}: key", key, known)
    for key in known:
        if key not in content:
            raise checks.InputError(f"{path}: the key {key!r} is missing; add it.")
    return content


def split_choices(path="config/splits.yaml"):
    """Read which corpora are split at random, how often, and which taggers are trained on them.

    `path`: YAML file; a relative path starts at the checkout.

    Returns dict. Its keys ``seed``, ``splits``, ``shares``, ``corpora`` and ``taggers``, and
    ``seeds``: a whole number below 2^32 for the standard split and for each random one, children of
    the seed, so that a split does not depend on how many there are.

    Raises `InputError`: if the file is missing or not YAML, breaks ``config/splits_schema.yaml``,
    gives two things one name, a corpus not exactly one source, or a command a wrong placeholder.
    """
    content = schemas.load_checked(path, "config/splits_schema.yaml")
    total = sum(content["shares"].values())
    if not math.isclose(total, 1, abs_tol=1e-9):
        raise checks.InputError(
            f"{path}: the shares sum to {total:g}; choose train, dev and test that sum to 1."
        )
    for kind in ("corpora", "taggers"):
        _refuse_alike(f"{path}: {kind}", [entry["name"] for entry in content[kind]])
    for corpus in content["corpora"]:
        _check_corpus(f"{path}, corpus {corpus['name']!r}", corpus)
    for tagger in content["taggers"]:
        _check_tagger(f"{path}, tagger {tagger['name']!r}", tagger)
    children = np.random.SeedSequence(content["seed"]).spawn(content["splits"] + 1)
    return {**content, "seeds": [int(child.generate_state(1)[0]) for child in children]}


def _refuse_alike(place, names):
    """Refuse names that a file system may not tell apart."""
    seen = {}
    for name in names:
        if name.lower() in seen:
            raise checks.InputError(
                f"{place}: {seen[name.lower()]!r} and {name!r} are the same name if case is "
                "ignored; rename one of the two."
            )
        seen[name.lower()] = name


def _check_corpus(place, corpus):
    """Check that a corpus has one source, and files that exist."""
    given = [key for key in CORPUS_SOURCES if key in corpus]
    if len(given) != 1:
        raise checks.InputError(
            f"{place} has {' and '.join(given) or 'no source'}; give it exactly "
            f"one of {', '.join(CORPUS_SOURCES)}."
        )
    standard = corpus.get("standard", {})
    for file in [*corpus.get("files", []), *standard.values()]:
        text.existing(file)
    if len(set(standard.values())) < len(standard):
        raise checks.InputError(
            f"{place} names one file for two parts of its standard split; name a separate file for "
            "each part."
        )


def _check_tagger(place, tagger):
    """Check the name of a tagger and the placeholders of its command."""
    if tagger["name"] in SPLIT_COLUMNS:
        raise checks.InputError(
            f"{place} has the name of a column of the outcomes; rename the tagger."
        )
    try:
        fields = [field for _, field, *_ in string.Formatter().parse(tagger["command"])]
        words = shlex.split(tagger["command"])
    except ValueError as error:
        raise checks.InputError(f"{place}: the command cannot be read: {error}.") from None
    for field in fields:
        if field is not None and field not in PLACEHOLDERS:
            raise checks.InputError(
                f"{place}: the command has the unknown placeholder {{{field}}}; use "
                f"{', '.join(map('{{{}}}'.format, PLACEHOLDERS))}, and double each literal brace."
            )
    for needed in ("test", "output"):
        if needed not in fields:
            raise checks.InputError(
                f"{place}: the command lacks {{{needed}}}, the file "
                f"{'with the words to tag' if needed == 'test' else 'that it writes'}."
            )
    if words[0].endswith(".py"):
        raise checks.InputError(f"{place}: write {{python}} before {words[0]}.")


def common_folder(files):
    """Return the folder that holds all files, at any depth.

    `files`: paths below the checkout.

    Returns str. The deepest common folder; one level up if the files are in folders of their own.
    """
    return os.path.commonpath([Path(file).parent for file in files])


def files_below(places):
    """List files, and the files in folders.

    `places`: files and folders; a relative path starts at the checkout.

    Returns list of str. Sorted, each once, as they were given.
    """
    files = set()
    for place in places:
        top = paths.ROOT / place
        below = [f for f in top.rglob("*") if f.is_file()] if top.is_dir() else [top]
        files |= {str(Path(place) / f.relative_to(top)) for f in below}
    return sorted(files)


def check_inputs(found):
    """Check the headers of a study's files, and every row of the small ones.

    `found` (Study): as `studies.read_study` returns it.

    Raises `InputError`: if a file cannot be what the study says.
    """
    for block in (*found.comparisons, *found.families):
        pvalues.check_comparison(block)
        size = sum((paths.ROOT / file).stat().st_size for file in files_below(block.paths))
        if block.level == "instances" and size <= SMALL:
            (several if block in found.families else formats).read(block)


def folder(study, kind):
    """Return where the figures or tables of a study go.

    `study`: name of a study. `kind`: what goes there.

    Returns str. A folder below the checkout: a committed one for the studies of the repository and
    those that keep a list of their own, one below ``results`` for any other.
    """
    if study in items.FOLDERS or study in items.kept():
        return f"{kind}/{items.below(study)}".rstrip("/")
    return f"results/{study}/{kind}"


def data(notebook, study):
    """List the data that a notebook reads.

    `study`: the study that it shows.

    Returns list of str. Files of its comparisons and those that its entry names, relative to the
    checkout; sorted.
    """
    values = defaults(notebook.model) | study.notebooks.get(notebook.name, {})
    named = [file.format_map(values) for file in notebook.data if "{" in file]
    found = [path for file in notebook.data if "{" not in file for path in paths.ROOT.glob(file)]
    named += [path.relative_to(paths.ROOT).as_posix() for path in found]
    return files_below([*named, *(path for b in notebook.blocks(study) for path in b.paths)])


def inputs(notebook, study):
    """List what the outputs of a notebook depend on.

    `study`: the study that it shows.

    Returns dict of str to str or list of str. "notebook", "code", "data" and "remarks", relative to
    the checkout.
    """
    remarks = f"{study.remarks}/{notebook.name}.md" if study.remarks else ""
    there = remarks and (paths.ROOT / remarks).is_file()
    return {
        "notebook": notebook.file,
        "code": modules(notebook.model),
        "data": data(notebook, study),
        "remarks": [remarks, *files_named(remarks)] if there else [],
    }


def check_own(notebooks):
    """Check the notebooks that a study keeps.

    Raises `InputError`: if one cannot be read, is not Python or declares no folder for its outputs.
    """
    for notebook in notebooks:
        if notebook.made or notebook.folder == "notebooks":
            continue
        modules(notebook.file)
        if "outputs" not in defaults(notebook.file):
            raise checks.InputError(
                f"{notebook.file} declares no parameter `outputs`; add the tag `parameters` to the "
                "cell that sets study, alphas and outputs (in JupyterLab: Property Inspector)."
            )


def files_named(remarks):
    """List the files that remarks fill numbers in from, beside the tables of their notebook.

    `remarks`: file of remarks, relative to the checkout.

    Returns list of str. Files, relative to the checkout.
    """
    return sorted(set(re.findall(r'\btable\("([^"]+/[^"]+)"', text.read_text(remarks))))


def parameters(notebook, study, file):
    """Say with which parameters a notebook shows a study.

    Returns dict. What the study says under the name of the notebook, and of what it says under the
    notebook's key, its file and its levels as much as the notebook declares.
    """
    shared = {"study": file, "alphas": list(study.alphas), **study.notebooks.get(notebook.key, {})}
    lent = {name: shared[name] for name in defaults(notebook.model) if name in shared}
    return lent | study.notebooks.get(notebook.name, {})


def defaults(notebook):
    """Read the parameters that a notebook declares.

    `notebook`: relative to the checkout.

    Returns dict. Name -> default; empty without a cell with the tag "parameters".
    """
    cells = [c for c in _cells(notebook) if "parameters" in c.metadata.get("tags", [])]
    nodes = [node for cell in cells for node in _parsed(notebook, cell).body]
    try:
        return {
            target.id: ast.literal_eval(node.value)
            for node in nodes
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        }
    except (AttributeError, ValueError):
        raise checks.InputError(
            f"{notebook}: the cell with the tag `parameters` computes something; let each of its "
            "lines only assign a plain value to a name, such as `alphas = [0.05]`."
        ) from None


@functools.cache
def _cells(notebook):
    """Return the code cells of a notebook."""
    cells = items.read_notebook(notebook).cells
    return [cell for cell in cells if cell.cell_type == "code"]


def _parsed(notebook, cell):
    """Parse the Python of a cell, which may have magics of IPython."""
    try:
        return ast.parse(cell.source)
    except SyntaxError:
        from IPython.core.inputtransformer2 import TransformerManager
    try:
        return ast.parse(TransformerManager().transform_cell(cell.source))
    except SyntaxError as error:
        line = (error.text or cell.source.splitlines()[0]).strip()
        raise checks.InputError(
            f"{notebook}: {line!r} is not valid Python ({error.msg}); correct the cell."
        ) from None


PACKAGES = ("analysis", "replicability")
"""Packages of this checkout."""


REGISTRIES = ("replicability.stats.local_tests",)
"""Packages that load all of their modules when they are imported."""


def modules(notebook):
    """List the source files of this checkout that a notebook uses, directly or not.

    `notebook`: a notebook whose code imports the library by ``import replicability``, and the
    compendium by ``from package import module`` or ``from module import name``; relative to the
    checkout.

    Returns list of str. Files relative to the checkout, sorted, with the templates of modules: the
    notebook's inputs beside its data.
    """
    graph = _import_graph()
    used, left = set(), _imports(notebook, graph.modules)
    while left:
        name = left.pop()
        used.add(name)
        package = name.rpartition(".")[0]
        left |= graph.find_modules_directly_imported_by(name) | ({package} if package else set())
        left |= graph.find_children(name) if name in REGISTRIES else set()
        left -= used
    return sorted(file for module in used for file in _files(module))


def _files(module):
    """Return the source file of a module, or that of a package and its templates beside it."""
    path = paths.ROOT / module.replace(".", "/")
    found = [path.with_suffix(".py")]
    if path.is_dir():
        beside = (file for file in path.iterdir() if file.is_file() and file.suffix != ".py")
        found = [path / "__init__.py", *beside]
    return [file.relative_to(paths.ROOT).as_posix() for file in found]


def _imports(notebook, known):
    """Return the names of the modules of this checkout that the code cells import.

    ``import replicability`` loads what is used when it is used, so that all of it may be.
    """
    found = set()
    nodes = itertools.chain.from_iterable(
        ast.walk(_parsed(notebook, cell)) for cell in _cells(notebook)
    )
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {node.module, *names} & known
        elif isinstance(node, ast.Import) and "replicability" in {a.name for a in node.names}:
            command_line = ("replicability.cli", "replicability.__main__")
            library = {name for name in known if name.startswith("replicability.")}
            found |= {name for name in library if not name.startswith(command_line)}
    return found


@functools.cache
def _import_graph():
    return grimp.build_graph(*PACKAGES, cache_dir=None, exclude_type_checking_imports=True)
