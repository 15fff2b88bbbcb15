import json
import re
import textwrap
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from comparisons import declare
from sacrebleu.metrics import BLEU

from analysis import paths
from replicability import checks
from replicability.cli import new
from replicability.core import cautions, evaluation, findings
from replicability.io import conllu, datasets, formats, lm_eval_results, study
from replicability.io.formats import lm_eval
from replicability.stats import metrics, paired


def comparison(kind, files, **changes):
    usual = {
        "name": "mine",
        "section": study.SECTION,
        "dependence": "independent",
        "format": kind,
        "files": {side: str(path) for side, path in files.items()},
        "metric": next(iter(formats.get(kind).metrics), ""),
    }
    return declare(**(usual | changes))


@pytest.fixture
def three(write):
    """Return a function that stores gold, a and b, and names them."""

    def three(**texts):
        return {side: write(f"{side}.txt", text) for side, text in texts.items()}

    return three


# --- CoNLL-U -------------------------------------------------------------------------------------


def treebank(*sentences):
    """Write sentences of (form, upos, head, relation)."""
    return "".join(
        "".join(
            f"{i}\t{form}\t_\t{upos}\t_\t_\t{head}\t{relation}\t_\t_\n"
            for i, (form, upos, head, relation) in enumerate(words, 1)
        )
        + "\n"
        for words in sentences
    )


FIRST = [("She", "PRON", 2, "nsubj"), ("reads", "VERB", 0, "root"), ("now", "ADV", 2, "advmod")]
SECOND = [("Go", "VERB", 0, "root"), ("home", "ADV", 1, "advmod")]
TAGGED = [("She", "PRON", 2, "nsubj"), ("reads", "NOUN", 0, "root"), ("now", "ADV", 2, "obl")]
HEADED = [("Go", "VERB", 2, "dep"), ("home", "ADV", 0, "root")]


@pytest.mark.parametrize(
    ("metric", "a", "b"),
    [("las", [2, 2], [3, 0]), ("uas", [3, 2], [3, 0]), ("upos", [2, 2], [3, 2])],
)
def test_words_of_each_sentence_that_are_right(three, metric, a, b):
    files = three(
        gold=treebank(FIRST, SECOND), a=treebank(TAGGED, SECOND), b=treebank(FIRST, HEADED)
    )
    (found,) = formats.read(comparison("conllu", files, metric=metric))
    assert (found.name, found.identifiers.to_pylist()) == ("gold", ["s1", "s2"])
    np.testing.assert_array_equal(found.a, np.column_stack([a, [3, 2]]))
    np.testing.assert_array_equal(found.b, np.column_stack([b, [3, 2]]))
    table = evaluation.evaluate(comparison("conllu", files, metric=metric, score=f"{metric} (%)"))
    assert table["test"].tolist() == ["mean_difference"]
    np.testing.assert_allclose(table[["score_a", "score_b"]].iloc[0], [20 * sum(a), 20 * sum(b)])


def test_a_word_that_is_not_aligned_is_wrong(three):
    joined = [("She", "PRON", 2, "nsubj"), ("readsnow", "VERB", 0, "root")]
    files = three(gold=treebank(FIRST), a=treebank(FIRST), b=treebank(joined))
    (found,) = formats.read(comparison("conllu", files, metric="upos"))
    np.testing.assert_array_equal([found.a, found.b], [[[3, 3]], [[1, 3]]])


def test_outputs_of_the_shared_task(mirror):
    folder = mirror("conll2018_en_gum")
    (gold, *_), systems = (
        sorted(folder.rglob("00-gold-standard/*gum*.conllu")),
        [sorted(folder.rglob(f"{team}/*gum*.conllu")) for team in ("HIT-SCIR-18", "HUJI")],
    )
    if not all(systems):
        pytest.skip("outputs of HIT-SCIR-18 and HUJI are not among the upstream files")
    files = dict(zip(("gold", "a", "b"), (gold, systems[0][0], systems[1][0]), strict=True))
    (found,) = formats.read(comparison("conllu", files))
    reference = conllu.read(gold)
    for side in "ab":
        right = conllu.agreement(reference, conllu.read(files[side])).las
        assert getattr(found, side).sum(axis=0).tolist() == [right.sum(), len(reference)]


# --- labels and spans ----------------------------------------------------------------------------


def test_items_are_matched_by_identifier(three):
    labels = {f"d{i}": "xyz"[i % 3] for i in range(20)}
    rng = np.random.default_rng(3)

    def lines(labels):
        return "".join(f"{key}\t{labels[key]}\n" for key in rng.permutation(list(labels)))

    a = labels | {"d3": "z", "d5": "unheard of"}
    b = labels | dict.fromkeys(["d1", "d3", "d7", "d9"], "w")
    files = three(gold=lines(labels), a=lines(a), b=lines(b))
    (found,) = formats.read(comparison("labels", files))
    wrong = {
        side: {
            key
            for key, right in zip(found.identifiers.to_pylist(), scores, strict=True)
            if not right
        }
        for side, scores in (("a", found.a), ("b", found.b))
    }
    assert wrong == {"a": {"d3", "d5"}, "b": {"d1", "d3", "d7", "d9"}}
    table = evaluation.evaluate(comparison("labels", files))
    assert table["test"][0] == "mcnemar"
    assert table["p_value"][0] == paired.mcnemar_counts(3, 1, 20).pvalue


def test_labels_of_words_are_counted_by_sentence(three):
    gold = "I\tP\nrun\tV\n\nyou\tP\n\n\nwe\tP\nall\tD\nsit\tV\n"
    files = three(gold=gold, a=gold.replace("sit\tV", "sit\tN"), b=gold.replace("\tP", "\tX"))
    (found,) = formats.read(comparison("labels", files))
    np.testing.assert_array_equal(found.a, [[2, 2], [1, 1], [2, 3]])
    np.testing.assert_array_equal(found.b, [[1, 2], [0, 1], [2, 3]])
    assert found.metric == "accuracy"
    assert evaluation.evaluate(comparison("labels", files))["test"][0] == "mean_difference"


def test_spans_of_each_sentence(three):
    gold = "Ann B-PER\nLee I-PER\nof O\nYork B-LOC\n\n-DOCSTART- -X- O\n\nBonn B-LOC\n"
    a = gold.replace("Bonn B-LOC", "Bonn S-LOC")  # another scheme, the same span
    b = gold.replace("Lee I-PER", "Lee O").replace("Bonn B-LOC", "Bonn B-ORG")
    files = three(gold=gold, a=a, b=b)
    (found,) = formats.read(comparison("spans", files))
    np.testing.assert_array_equal(found.a, [[2, 2, 2], [0, 0, 0], [1, 1, 1]])
    np.testing.assert_array_equal(found.b, [[1, 2, 2], [0, 0, 0], [0, 1, 1]])
    assert set(evaluation.evaluate(comparison("spans", files))["test"]) == {"mean_difference"}
    table = evaluation.evaluate(comparison("spans", files, seed=2, test="paired_bootstrap"))
    assert (table["score_a"][0], table["score_b"][0]) == (1, pytest.approx(2 / 6))
    seed = np.random.SeedSequence(2, spawn_key=tuple(b"gold"))
    result = paired.paired_bootstrap(found.a, found.b, metric="f1", rng=seed)
    assert (table["p_value"][0], table["test"][0]) == (result.pvalue, "paired_bootstrap")
    assert table["difference"][0] == result.effect
    by_sentence = evaluation.evaluate(comparison("spans", files, test="wilcoxon"))
    expected = paired.wilcoxon(metrics.f1(found.a), metrics.f1(found.b))
    assert by_sentence["p_value"][0] == expected.pvalue
    assert by_sentence["difference"][0] == result.effect


# --- logs of lm-evaluation-harness ---------------------------------------------------------------


def log(values, order=None, **more):
    """Write lines with keys as lm-evaluation-harness has them."""
    order = range(len(values)) if order is None else order
    return "".join(
        json.dumps(
            {
                "doc_id": int(i),
                "doc": {"question": "?", "choices": {"text": ["a", "b"]}},
                "target": "1",
                "resps": [[["-1.5", "False"]]],
                "filtered_resps": [["-1.5", "False"]],
                **{
                    key: value.format(i) if isinstance(value, str) else value
                    for key, value in more.items()
                },
                **(values[i] if isinstance(values[i], dict) else {"acc": values[i]}),
            }
        )
        + "\n"
        for i in order
    )


TIME = "2024-05-01T10-00-00.123456"


def test_documents_are_matched_by_doc_id(store):
    rng = np.random.default_rng(1)
    scores = {side: (rng.random(50) < 0.5).astype(float).tolist() for side in "ab"}
    more = {"filter": "none", "metrics": ["acc"], "doc_hash": "{}"}
    folder = store(
        {
            f"a/org__model/samples_mmlu_law_{TIME}.jsonl": log(scores["a"], **more),
            "a/org__model/results_2024.json": "{}",
            f"b/samples_mmlu_law_{TIME}.jsonl": log(scores["b"], rng.permutation(50), **more),
        }
    )
    files = {side: folder / side for side in "ab"}
    (found,) = formats.read(comparison("lm_eval", files))
    assert found.name == "mmlu_law"
    assert found.identifiers.to_pylist() == [str(i) for i in range(50)]
    np.testing.assert_array_equal([found.a, found.b], [scores["a"], scores["b"]])
    table = evaluation.evaluate(comparison("lm_eval", files))
    assert table["test"][0] == "mcnemar"


def test_both_ways_to_parse_a_log_agree(store):
    values = [0.5, 1, 0, 0.25]
    folder = store({"log.jsonl": log(values, filter="none", doc_hash="{}")})
    for first, second in zip(
        lm_eval._fast(folder / "log.jsonl", "acc"),
        lm_eval._slow(folder / "log.jsonl", "acc"),
        strict=True,
    ):
        assert first.equals(second)


@pytest.mark.parametrize(
    ("values", "metric", "expected"),
    [
        ([{"acc": 1, "acc_norm": 0}, {"acc": 0, "acc_norm": 1}], "", [1, 0]),
        ([{"acc": 1, "acc_norm": 0}, {"acc": 0, "acc_norm": 1}], "acc_norm", [0, 1]),
        ([{"exact_match": 1}, {"exact_match": 0}], "", [1, 0]),
        ([{"em": True, "note": "x"}, {"em": False, "note": "y"}], "", [1, 0]),
        ([{"f1": 0.5, "metrics": ["f1"], "n": 3}, {"f1": 1, "n": 2}], "", [0.5, 1]),
    ],
)
def test_the_metric_of_a_log(store, values, metric, expected):
    text = log(values)
    files = store({"a.jsonl": text, "b.jsonl": text})
    files = {side: files / f"{side}.jsonl" for side in "ab"}
    # a single file whose name is no log's is one task of that name, so that both must agree
    with pytest.raises(checks.InputError, match="lacks"):
        formats.read(comparison("lm_eval", files))
    files = {
        "a": store({"a/t.jsonl": text}) / "a/t.jsonl",
        "b": store({"b/t.jsonl": text}) / "b/t.jsonl",
    }
    (found,) = formats.read(comparison("lm_eval", files, metric=metric))
    assert (found.name, found.a.tolist()) == ("t", expected)


def test_a_filter_is_chosen(store):
    def both(strict, loose):
        return log(strict, filter="strict-match") + log(loose, filter="flexible-extract")

    name = f"samples_gsm8k_{TIME}.jsonl"
    folder = store({f"a/{name}": both([1, 0], [1, 1]), f"b/{name}": both([0, 0], [0, 1])})
    files = {side: folder / side for side in "ab"}
    for wanted, expected in (("strict-match", [1, 0]), ("flexible-extract", [1, 1])):
        (found,) = formats.read(comparison("lm_eval", files, filter=wanted))
        assert found.a.tolist() == expected
    with pytest.raises(checks.InputError, match=r"filter 'strict' .*did you mean 'strict-match'\?"):
        formats.read(comparison("lm_eval", files, filter="strict"))
    store({f"b/{name}": log([0, 1], filter="flexible-extract")})
    with pytest.raises(checks.InputError, match="so they extract answers in different ways"):
        formats.read(comparison("lm_eval", files, filter="strict-match"))


def harness(side, tasks, seed=0, n=30, **results):
    """Return files as the harness writes them for one model, in the folder of its name."""
    rng = np.random.default_rng(seed)
    files = {}
    for task, drawn in tasks.items():
        lines = [
            {
                "doc_id": i, "doc": {"q": "?"}, "target": "x", "filter": name,
                "metrics": list(drawn), "doc_hash": f"{task}{i}",
                **{m: draw(rng) for m, draw in drawn.items()},
            }
            for name in (("strict-match", "flexible-extract") if task == "gsm8k" else ("none",))
            for i in range(n)
        ]  # fmt: skip
        files[f"{side}/org__model-v0.{seed}/samples_{task}_{TIME}.jsonl"] = "".join(
            json.dumps(line) + "\n" for line in lines
        )
    content = {"model_name": f"org/model-v0.{seed}", **results}
    files[f"{side}/org__model-v0.{seed}/results_{TIME}.json"] = json.dumps(content)
    return files


def right(rng):
    return float(rng.random() < 0.5)


FOUR = {
    "arc_easy": {"acc": right, "acc_norm": right},
    "gsm8k": {"exact_match": right},
    "ifeval": {
        "prompt_level_strict_acc": lambda rng: bool(right(rng)),
        "inst_level_strict_acc": lambda rng: [bool(right(rng)) for _ in range(rng.integers(1, 4))],
    },
    "winogrande": {"acc": right},
}


def records(folder, side, task):
    (log,) = (folder / side).rglob(f"samples_{task}_*")
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def test_a_run_of_four_kinds_of_tasks_is_read_in_one_go(store):
    folder = store(harness("a", FOUR, 1) | harness("b", FOUR, 2))
    files = {side: folder / side for side in "ab"}
    with pytest.raises(checks.InputError, match="has the filters strict-match, flexible-extract"):
        formats.read(comparison("lm_eval", files))
    metric, filter_ = {"arc_easy": "acc_norm"}, {"gsm8k": "flexible-extract"}
    block = comparison("lm_eval", files, metric=metric, filter=filter_)
    read = {dataset.name: dataset for dataset in formats.read(block)}
    assert {name: dataset.measure for name, dataset in read.items()} == {
        "arc_easy": "acc_norm",
        "gsm8k": "exact_match (flexible-extract)",
        "ifeval": "prompt_level_strict_acc",
        "winogrande": "acc",
    }
    for side in "ab":
        assert getattr(read["arc_easy"], side).tolist() == [
            r["acc_norm"] for r in records(folder, side, "arc_easy")
        ]
        assert getattr(read["gsm8k"], side).tolist() == [
            r["exact_match"]
            for r in records(folder, side, "gsm8k")
            if r["filter"] == "flexible-extract"
        ]
    table = evaluation.evaluate(block)
    assert table["metric"].tolist() == [read[name].measure for name in sorted(read)]
    read_from, *_ = cautions.cautions(table)
    assert read_from == (
        "The metrics read from the files are acc_norm on 'arc_easy'; exact_match "
        "(flexible-extract) on 'gsm8k'; prompt_level_strict_acc on 'ifeval'; acc on 'winogrande'."
    )


def test_lists_of_true_and_false_are_counts_of_a_size(store):
    folder = store(harness("a", FOUR, 1) | harness("b", FOUR, 1))
    files = {side: folder / side for side in "ab"}
    metric = {"ifeval": "inst_level_strict_acc"}
    block = comparison("lm_eval", files, metric=metric, datasets=("ifeval", "winogrande"))
    ifeval, winogrande = formats.read(block)
    lists = [r["inst_level_strict_acc"] for r in records(folder, "a", "ifeval")]
    assert ifeval.a.tolist() == [[sum(x), len(x)] for x in lists]
    assert (winogrande.a[:, 1] == 1).all()
    flat = np.concatenate(lists)  # as the harness aggregates them
    table = evaluation.evaluate(block)
    assert table["score_a"][0] == pytest.approx(flat.mean())
    assert table["score_a"][1] == winogrande.a[:, 0].mean()


def test_groups_of_tasks_are_groups_of_datasets(store):
    names = ("mmlu_law", "mmlu_logic", "mmlu_physics", "arc_easy")
    tasks = {name: {"acc": right} for name in names}
    subtasks = {
        "mmlu": ["mmlu_humanities", "mmlu_stem"],
        "mmlu_humanities": ["mmlu_law", "mmlu_logic"],
        "mmlu_stem": ["mmlu_physics"],
        "arc_easy": [],
    }
    folder = store(harness("a", tasks, 1, group_subtasks=subtasks) | harness("b", tasks, 2))
    files = {side: folder / side for side in "ab"}
    block = comparison("lm_eval", files, metric={"mmlu": "acc"})
    table = evaluation.evaluate(block)
    expected = {
        "mmlu": ["mmlu_law", "mmlu_logic", "mmlu_physics"],
        "mmlu_humanities": ["mmlu_law", "mmlu_logic"],
    }
    assert table.groups == expected
    assert findings.find(block, table, 0.05).groups == expected
    own = replace(block, groups={"mmlu": ["mmlu_law"]})
    assert findings.find(own, table, 0.05).groups == expected | own.groups
    assert findings.find(replace(block, procedure="paper"), table, 0.05).groups == expected
    only = replace(block, datasets=("mmlu_law", "mmlu_logic"))
    assert evaluation.evaluate(only).groups == {}


def test_groups_that_hold_themselves_end():
    results = lm_eval_results.Results(
        {name: lm_eval_results._leaves(name, {"x": {"y"}, "y": {"x", "z"}}, set()) for name in "xy"}
    )
    assert results.of("z") == ("x", "y")


def test_files_are_runs_where_that_is_said(store):
    once = {"arc_easy": {"acc": right}}
    stored = {}
    for side, seeds in (("a", (1, 2, 3)), ("b", (4, 5))):
        for seed in seeds:
            stored |= harness(f"{side}/seed{seed}", once, seed)
    folder = store(stored)
    files = {side: folder / side for side in "ab"}
    with pytest.raises(checks.InputError, match="set the key 'run' to file"):
        formats.read(comparison("lm_eval", files))
    block = comparison("lm_eval", files, columns={"run": "file"})
    (found,) = formats.read(block)

    def of(place):
        return [record["acc"] for record in records(folder, place, "arc_easy")]

    a = np.array([of(f"a/seed{seed}") for seed in (1, 2, 3)])
    b = np.array([of(f"b/seed{seed}") for seed in (4, 5)])
    np.testing.assert_array_equal(found.a, a.sum(axis=0) / 3)
    np.testing.assert_array_equal(found.b, b.sum(axis=0) / 2)
    np.testing.assert_allclose(found.runs.a, a.mean(axis=1))
    row = evaluation.evaluate(block).rows.iloc[0]
    assert (row["runs_a"], row["runs_b"], row["test"]) == (3, 2, "mean_difference")
    assert row["spread_b"] == pytest.approx(b.mean(axis=1).std(ddof=1))


def test_the_model_is_named_by_the_results(store):
    folder = store(harness("a", {"t": {"acc": right}}, 1) | harness("b", {"t": {"acc": right}}, 2))
    named = formats.get("lm_eval").system
    assert [named(folder / side) for side in "ab"] == ["org/model-v0.1", "org/model-v0.2"]
    (log,) = (folder / "a").rglob("samples_*")
    assert named(log) == "org/model-v0.1"
    assert named(folder) == ""  # two models


# --- segments and folders ------------------------------------------------------------------------

OUTPUT = ["the cat sat on a mat", "hello there my friend", "it rains in the old town today"]
REFERENCE = ["the cat sat on the mat", "hello there my dear friend", "it rains in the old town"]


@pytest.mark.parametrize("score_only", [False, True])
def test_segments_as_sacrebleu_prints_them(three, score_only):
    # as `sacrebleu --sentence-level --width 4 [--score-only]`
    metric = BLEU(effective_order=True)
    scores = [metric.sentence_score(o, [r]) for o, r in zip(OUTPUT, REFERENCE, strict=True)]
    signature = metric.get_signature().format()
    text = "".join(score.format(4, score_only, signature) + "\n" for score in scores)
    files = three(a=text, b="".join(f"{score.score:.4f}\n" for score in scores[::-1]))
    (found,) = formats.read(comparison("segments", files))
    assert found.name == "mine"
    np.testing.assert_allclose(found.a, [score.score for score in scores], atol=5e-5)
    np.testing.assert_array_equal(found.b, found.a[::-1])


def test_scores_of_segments_in_json(three):
    entry = {"name": "chrF2", "score": 4.5, "signature": "nrefs:1"}
    files = three(a=json.dumps([entry] * 2), b="".join(json.dumps(entry) + "\n" for _ in range(2)))
    (found,) = formats.read(comparison("segments", files))
    np.testing.assert_array_equal([found.a, found.b], np.full((2, 2), 4.5))


COLUMNS = {"instance": "id", "score": "right"}


@pytest.mark.parametrize("columns", [COLUMNS, COLUMNS | {"size": "n"}])
def test_folders_of_tables_give_what_one_table_gives(tmp_path, columns):
    rng = np.random.default_rng(8)
    blocks = []
    for dataset in ("blogs", "news"):
        size = rng.integers(1, 9, 30) if "size" in columns else np.ones(30, int)
        for side in "ab":
            block = pd.DataFrame({"id": range(30), "right": rng.binomial(size, 0.6), "n": size})
            blocks.append(block.assign(dataset=dataset, system=side.upper()))
            shuffled = block.sample(frac=1, random_state=4)
            folder = tmp_path / side
            folder.mkdir(exist_ok=True)
            if side == "a":
                shuffled.to_csv(folder / f"{dataset}.tsv", sep="\t", index=False)
            else:
                shuffled.astype({"id": float}).to_parquet(folder / f"{dataset}.parquet")
    pd.concat(blocks).to_csv(tmp_path / "all.csv", index=False)
    files = {side: tmp_path / side for side in "ab"}
    found = evaluation.evaluate(comparison("folders", files, columns=columns))
    table = comparison(
        "folders", {}, metric="", columns=columns | {"dataset": "dataset", "system": "system"}
    )
    table = study.Comparison(
        **{**vars(table), "format": "table", "file": str(tmp_path / "all.csv"), "files": {}}
    )
    pd.testing.assert_frame_equal(found.rows, evaluation.evaluate(table).rows)
    assert found["test"][0] == ("mean_difference" if "size" in columns else "mcnemar")


def test_sizes_of_one_instance_that_differ(store):
    folder = store({"a/t.csv": "id,right,n\nx,1,2\n", "b/t.csv": "id,right,n\nx,1,3\n"})
    files = {side: folder / side for side in "ab"}
    with pytest.raises(checks.InputError, match="item 'x' of 't' has the size 2 for A and 3"):
        formats.read(comparison("folders", files, columns=COLUMNS | {"size": "n"}))


# --- which files are a dataset -------------------------------------------------------------------


def test_files_of_one_name_are_a_dataset(store):
    lines = "d\tx\n"
    sides, names = ("gold", "a", "b"), ("c.tsv", "b.x.txt", ".hidden")
    folder = store({f"{side}/{name}": lines for side in sides for name in names})
    files = {side: folder / side for side in sides}
    found = datasets.find(comparison("labels", files))
    assert list(found) == ["b.x", "c"]
    assert found["c"] == {side: folder / side / "c.tsv" for side in sides}
    store({"a/only.txt": lines})
    with pytest.raises(checks.InputError, match=r"gold lacks 'only'; .*b lacks 'only'\. Every"):
        datasets.find(comparison("labels", files))
    assert list(datasets.find(comparison("labels", files, datasets=("c",)))) == ["c"]
    with pytest.raises(checks.InputError, match=r"dataset 'onli' .*did you mean 'only'\?"):
        datasets.find(comparison("labels", files, datasets=("onli",)))


def test_the_name_of_single_files(store):
    folder = store({"x/news.txt": "1\n", "y/news.txt": "1\n", "z.txt": "1\n", "g/gold.txt": ""})
    named = {
        "news": {"a": folder / "x/news.txt", "b": folder / "y/news.txt"},
        "mine": {"a": folder / "x/news.txt", "b": folder / "z.txt"},
        "gold": {"gold": folder / "g/gold.txt", "a": folder / "z.txt", "b": folder / "x/news.txt"},
    }
    for name, files in named.items():
        kind = "labels" if "gold" in files else "segments"
        assert list(datasets.find(comparison(kind, files))) == [name]


# --- the registry --------------------------------------------------------------------------------

EXAMPLES = [name for name in formats.NAMES if name != "table"]
"""Formats of several files, which have a folder of examples of their name."""


@pytest.mark.parametrize("name", formats.NAMES)
def test_the_entry_of_a_format(name):
    found = formats.get(name)
    assert found.name == name
    assert found.title and found.instance
    assert not found.metrics or {"metric"} <= set(found.options)
    assert found.needs_gold == bool(found.metrics)  # scores need none, and outputs nothing else
    assert found.keys in (("file", "columns"), ("files", "columns"), ("files",))
    assert bool(found.columns) == (found.keys == ("files", "columns"))


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("system", ["ours", "baseline"])
def test_an_example_is_taken_for_no_other_format(name, system):
    folder = new.EXAMPLES / name / system
    for path, otherwise in ((folder, "folders"), (min(folder.iterdir()), "table")):
        assert formats.guess(path) in (name, otherwise)
        others = [formats.get(other) for other in formats.NAMES if other != name]
        assert not any(other.recognises(path) for other in others if other.recognises)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_study_of_an_example_reads_it(name, write):
    text = (new.EXAMPLES / name / "study.yaml").read_text(encoding="utf-8")
    text = text.replace("data/$study", str(new.EXAMPLES / name)).replace("$study", "mine")
    (declared,) = study.read_study(write("study.yaml", text)).comparisons
    assert declared.format == name
    found = formats.read(declared)
    assert len(found) > 1
    assert all(len(dataset) > 1 for dataset in found)


def test_an_unknown_format_names_the_nearest():
    with pytest.raises(checks.InputError, match=r"format 'conll' is not .*did you mean 'conllu'\?"):
        formats.get("conll")


def test_a_study_can_have_every_format_and_no_other(write):
    head = "study: mine\nalphas: [0.05]\ncomparisons:\n- {name: x, systems: [a, b], "
    for name in formats.NAMES:
        with pytest.raises(
            checks.InputError, match=rf"the format '{name}' needs .*, which is missing; add it"
        ):
            study.read_study(write("study.yaml", f"{head}dependence: positive, format: {name}}}"))
    message = f"format 'xml' is not one of {', '.join(formats.NAMES)}"
    with pytest.raises(checks.InputError, match=message):
        study.read_study(write("study.yaml", f"{head}dependence: positive, format: xml}}"))


def test_the_samples_of_the_readme_are_blocks_of_a_study(write):
    text = (paths.CONFIG / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    families = "".join(block for block in blocks if block.startswith("families:"))
    blocks = "".join(block for block in blocks if not block.startswith("families:"))
    head = f"study: samples\nalphas: [0.05]\n{families}comparisons:\n"
    found = study.read_study(write("study.yaml", head + textwrap.indent(blocks, "  ")))
    assert found.families
    assert "table" in {comparison.format for comparison in found.comparisons}
    assert "../docs/formats.md" in text  # which has a sample of every format


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_lists_every_format(name):
    page = (paths.ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| \[(.+)\]\(#\S+\) \| `{name}` \| (.+?) \|", page, re.MULTILINE)
    assert row == (formats.get(name).title, formats.get(name).instance)
