"""What headers say of their columns: datasets, units, repeats, or nothing that could be a system.

A header alone never changes what is asked. It makes a reader ask what a column is, where the answer
depends on it.
"""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from replicability import checks

# fmt: off
TELLING = frozenset({
    "benchmark", "category", "config", "configuration", "corpus", "dataset", "datasets", "domain",
    "eval", "evaluation", "evalset", "genre", "lang", "language", "locale", "prompt", "setting",
    "source", "split", "subdataset", "subject", "subset", "subtask", "suite", "task", "testset",
    "topic", "treebank",
    "aufgabe", "datensatz", "domäne", "fach", "kategorie", "korpus", "sprache", "sprachpaar",
    "thema",
    "catégorie", "domaine", "jeudedonnées", "langue", "matière", "sujet", "tâche",
    "asignatura", "categoría", "conjuntodedatos", "dominio", "idioma", "lengua", "tarea", "tema",
    "categoria", "compito", "conjuntodedados", "domínio", "lingua", "língua", "tarefa",
    "categorie", "domein", "onderwerp", "taak", "taal",
    "датасет", "домен", "задача", "категория", "корпус", "тема", "язык",
    "任务", "任務", "数据集", "主题", "科目", "类别", "語言", "語料庫", "類別",
    "语言", "语种", "資料集", "領域", "领域",
    "データセット", "タスク", "カテゴリ", "カテゴリー", "ドメイン", "分野", "言語",
    "과제", "데이터셋", "도메인", "범주", "분야", "언어",
})
"""Normalised headers of columns that distinguish datasets."""

UNITS = frozenset({
    "", "annotator", "article", "author", "book", "chapter", "clip", "cluster", "context",
    "conversation", "database", "db", "dialog", "dialogue", "doc", "document", "episode", "example",
    "guid", "image", "item", "page", "paragraph", "participant", "passage", "patient", "premise",
    "problem", "project", "q", "query", "question", "record", "recording", "repo", "repository",
    "sample", "scene", "sent", "sentence", "session", "speaker", "story", "template", "thread",
    "title", "uid", "unit", "url", "user", "utterance", "uuid", "video", "writer",
})
"""Normalised headers of columns that group items into units; "" is that of "id"."""

CONTENTS = frozenset({
    "article", "context", "doc", "document", "frage", "goldanswer", "goldlabel", "goldstandard",
    "groundtruth", "input", "inputs", "inputtext", "instruction", "instructions", "passage",
    "premise", "problem", "problemstatement", "prompt", "prompts", "prompttext", "query",
    "question", "questions", "questiontext", "reference", "references", "sentence", "sentence1",
    "sentence2", "source", "sourcetext", "src", "story", "target", "targets", "text", "title",
    "truelabel", "truth", "utterance", "ytrue",
})
"""Normalised headers of the content of items, which is the same for all systems."""

OF_RUNS = frozenset({"attempt", "randomseed", "rerun", "run", "seed", "trial"})
"""Normalised headers of columns that number training runs."""

REPEATS = OF_RUNS | {
    "bootstrap", "checkpoint", "epoch", "fold", "iteration", "rep", "repeat", "repetition",
    "replica", "replicate", "replication", "resample", "step",
}
"""Normalised headers of columns that number repeats of one result."""

RATERS = frozenset({
    "annotator", "assessor", "coder", "evaluator", "grader", "judge", "judgemodel", "labeler",
    "labeller", "rater",
})
"""Normalised headers of columns that name raters."""

NOT_SYSTEMS = frozenset({
    "acc", "accuracy", "annotation", "answer", "auc", "auroc", "bertscore", "bleu", "bleurt",
    "chrf", "comet", "confidence", "correct", "cost", "count", "date", "difficulty", "duration",
    "em", "exactmatch", "f1", "gold", "goldlabel", "index", "instance", "iscorrect", "label",
    "latency", "length", "line", "logit", "loglikelihood", "logprob", "metric", "n", "ncorrect",
    "ntokens", "order", "pass", "passed", "precision", "pred", "predicted", "prediction", "price",
    "prob", "probability", "rank", "recall", "reference", "reward", "right", "rouge", "rouge1",
    "rouge2", "rougel", "row", "score", "seconds", "size", "success", "target", "temperature",
    "time", "timestamp", "tokens", "total", "truth", "value", "weight", "words", "year", "ypred",
    "ytrue",
})
"""Normalised headers of numeric columns that are not the scores of one system."""

OF_SYSTEMS = frozenset({
    "architecture", "ci", "created", "developer", "elo", "family", "flops", "level0", "license",
    "lower", "model", "modelsize", "nparams", "organisation", "organization", "parameters",
    "params", "provider", "released", "std", "stderr", "type", "unnamed0", "upper", "vendor",
    "version", "votes",
})
"""Headers of columns that describe systems, and of the index that pandas writes."""

GOLD = frozenset({
    "answer", "class", "gold", "goldlabel", "goldanswer", "goldstandard", "groundtruth", "label",
    "reference", "target", "truelabel", "truth", "ytrue",
})
"""Headers of gold labels."""

BENCHMARKS = frozenset({
    "agieval", "aime", "alpacaeval", "arc", "arcc", "arcchallenge", "arce", "arceasy", "bbh",
    "bigbenchhard", "boolq", "ceval", "cmmlu", "cnli", "cola", "commonsenseqa", "copa", "csqa",
    "drop", "gpqa", "gpqadiamond", "gsm8k", "hellaswag", "humaneval", "ifeval", "lambada",
    "livebench", "livecodebench", "logiqa", "math", "math500", "mathqa", "mbpp", "mgsm", "mmlu",
    "mmlupro", "mmmu", "mnli", "mrpc", "mtbench", "multirc", "musr", "naturalquestions", "nq",
    "obqa", "openbookqa", "piqa", "pubmedqa", "qnli", "qqp", "race", "record", "rte", "sciq",
    "simpleqa", "siqa", "socialiqa", "squad", "sst2", "stsb", "swebench", "theoremqa", "toxigen",
    "triviaqa", "truthfulqa", "webqs", "wic", "winogrande", "wnli", "wsc", "xcopa", "xnli",
})
"""Normalised names of benchmarks, without versions."""
# fmt: on

BESIDE = ("code", "id", "key", "name", "pair")
"""Words of a header that do not change the meaning of its noun."""

BESIDE_UNITS = (*BESIDE, "idx", "index", "no", "nr", "num", "number")
"""Words that do not change the meaning of a header of units or repeats."""


@functools.lru_cache(maxsize=10_000)
def noun(header, beside=()):
    """Return a header in lower case, without blanks and words other than the noun."""
    words = re.findall(r"[^\W_]+", header.casefold())
    return "".join(word for word in words if word not in beside)


def telling(headers):
    """List the headers that identify datasets, those in `TELLING`."""
    return [header for header in headers if noun(header, BESIDE) in TELLING]


def of_units(headers):
    """List the headers that name what items belong to, those in `UNITS`."""
    nouns = {header: noun(header, BESIDE_UNITS) for header in headers}
    return [header for header, of in nouns.items() if {of, of.removesuffix("id")} & UNITS]


def of_repeats(headers):
    """List the headers that number repeats of one result, those in `REPEATS`."""
    return [header for header in headers if noun(header, BESIDE_UNITS) in REPEATS]


def of_runs(headers):
    """List the headers that number training runs, those in `OF_RUNS`."""
    return [header for header in headers if noun(header, BESIDE_UNITS) in OF_RUNS]


def of_folds(headers):
    """List the headers that number the folds of a cross-validation."""
    return [header for header in headers if noun(header, BESIDE_UNITS) == "fold"]


def of_raters(headers):
    """List the headers that name raters, those in `RATERS`."""
    return [header for header in headers if noun(header, BESIDE_UNITS) in RATERS]


def of_contents(headers):
    """List the headers of what items hold, those in `CONTENTS`, such as their question."""
    return [header for header in headers if noun(header) in CONTENTS]


def of_gold(header):
    """Tell whether a header is that of gold labels."""
    return noun(header, BESIDE) in GOLD


def named(columns):
    """List the headers of columns by their roles; a role may have several."""
    of_roles = ([of] if isinstance(of, str) else of for of in columns.values())
    return [header for headers in of_roles for header in headers]


def refuse_ignored(place, ignored, used):
    """Refuse a column that is ignored and has a role."""
    for header in ignored:
        if header in used:
            raise checks.InputError(
                f"{place}: {checks.named('ignore')} leaves out the column {header!r}, which also "
                "has a role; give it no role, or do not ignore it."
            )


@dataclass(frozen=True)
class Beside:
    """What a table has in addition to a column of repeats.

    Attributes
    ----------
    values : int, default 0
        Number of different repeats; 0 if it is not known.
    items : sequence of str, default ()
        Headers of columns that may name items.
    datasets : sequence of str, default ()
        Headers of columns that may name datasets, while none is named.
    alone : bool, default False
        Whether each repeat has one row in a dataset, or one for each system.
    """

    values: int = 0
    items: Sequence[str] = ()
    datasets: Sequence[str] = ()
    alone: bool = False


def refuse_repeats(file, header, role="instance", beside=None):
    """Refuse a column of items, or of datasets, that is called as a column of repeats.

    `file`: file, for the message. `header`: header of the column. `role`: what it is said to be.
    `beside`: takes no argument and returns `Beside`.

    Raises `InputError`: if its header is in `REPEATS`; for items also if it is "split" or in
    `RATERS`.
    """
    of = noun(header, BESIDE_UNITS)
    if role == "instance" and of_raters([header]):
        seen = beside() if beside else Beside()
        repeats = {"column": header, "kind": "raters"}
        error = checks.InputError(
            f"{file}: the column {header!r} names raters. Raters are not separate items, because "
            "all of them score the same items. Specify the items with "
            f"{checks.ways('instance', seen.items)} and the raters with "
            f"{checks.given('repeats', repeats)}. If the values of this column are separate "
            "items, rename the column."
        )
        if len(seen.items) == 1:
            error.instead = _instead(seen, {"instance": seen.items[0], "repeats": repeats})
        raise error
    if of in REPEATS or (role == "instance" and of == "split"):
        seen = beside() if beside else Beside()
        items = f"separate {'item' if role == 'instance' else role}s"
        error = checks.InputError(
            f"{file}: the column {header!r} identifies repeats, such as seeds or folds. Repeats "
            f"are not {items}, because they hold scores of the same items. {_remedy(header, seen)} "
            f"If the values of this column are {items}, rename the column."
        )
        error.instead = _right(header, seen) if role == "instance" else {}
        raise error


def refuse_repeated(file, table, repeats, beside):
    """Refuse a table without identifiers whose rows are repeats.

    `file`: file, for the message. `table` (pyarrow.Table): its columns, at least those of
    `repeats`. `repeats` (list of str): headers, as `of_repeats` lists them. `beside`: takes one of
    them and returns `Beside`.

    Raises `InputError`: if one of the columns has several values.
    """
    for header in repeats:
        if len(table[header].unique()) > 1:
            seen = beside(header)
            error = checks.InputError(
                f"{file} has no column of items, and its column {header!r} identifies repeats, "
                f"such as seeds or folds. {_remedy(header, seen)} If each row is a separate item, "
                f"leave the column out with {checks.given('ignore', [header])}."
            )
            error.instead = _right(header, seen)
            raise error


def _splits(header, seen):
    """Say what splits are; k folds have 1/k of the data each."""
    folds = of_folds([header]) and seen.values > 1
    share = round(1 / seen.values, 4) if folds else 0.1
    return {"column": header, "kind": "splits", "test_share": share}


def _remedy(header, seen):
    """Say how splits and runs are read; runs first if the header names them."""
    what = "the share of the data in each test set"
    place = f", where test_share is {what}"
    if not of_folds([header]):
        place = f", and replace 0.1 by {what}"
    average = "" if seen.alone or not seen.values else "average the rows of each split and "
    splits = (
        f"For splits of the same data, {average}declare "
        f"{checks.given('repeats', _splits(header, seen))}{place}."
    )
    runs = (
        f"specify the items with {checks.ways('instance', seen.items)} and the runs with "
        f"{checks.given('run', repr(header))}"
    )
    if seen.alone and not seen.items:
        repeats = checks.given("repeats", {"column": header, "kind": "runs"})
        runs = f"declare {repeats} and {checks.given('claim_covers', repr('runs'))}"
    if of_runs([header]):
        return f"For training runs, {runs}. {splits}"
    return f"{splits} For training runs, {runs}."


def _right(header, seen):
    """Return what is right instead, if header and rows leave no doubt; else {}."""
    if of_folds([header]) and seen.alone:
        return _instead(seen, {"repeats": _splits(header, seen)})
    if of_runs([header]) and seen.alone and not seen.items:
        runs = {"column": header, "kind": "runs"}
        return _instead(seen, {"repeats": runs, "claim_covers": "runs"})
    if of_runs([header]) and len(seen.items) == 1:
        return _instead(seen, {"instance": seen.items[0], "run": header})
    return {}


def _instead(seen, keywords):
    """Return keywords instead of those of the items, with the column of datasets if it is plain."""
    return {"instance": None, **keywords} | (
        {"dataset": seen.datasets[0]} if len(seen.datasets) == 1 else {}
    )


def no_scores(headers):
    """List the headers of columns that hold no scores: of units, repeats or datasets."""
    return [*of_units(headers), *of_repeats(headers), *telling(headers)]


def no_systems(headers):
    """List the headers of columns that are no system's scores, whatever numbers they hold."""
    of = {*no_scores(headers)}
    return [header for header in headers if header in of or noun(header) in NOT_SYSTEMS]


def no_items(headers):
    """List the headers of columns that are no items of a table with a row for each system."""
    others = {*no_systems(headers), *(h for h in headers if noun(h) in {"", *OF_SYSTEMS})}
    return [header for header in headers if header in others]


def benchmarks(names):
    """List the names that are those of benchmarks, `BENCHMARKS`."""
    return [name for name in names if noun(re.sub(r"\(.*?\)|\d+-?shot", "", name)) in BENCHMARKS]
