"""Files of translations: which belong together, and scores that are sacrebleu's."""

import numpy as np
import pytest
from comparisons import declare
from sacrebleu.metrics import BLEU, CHRF

from replicability.cli.new import EXAMPLES
from replicability.core import evaluation, units
from replicability.io import formats
from replicability.stats import metrics, paired

SAMPLE = EXAMPLES / "translations"
SETS = ("letters", "news", "recipes")


def comparison(files=None, **changes):
    """Declare a comparison of the sample, or of other files."""
    files = files or {"gold": SAMPLE / "gold", "a": SAMPLE / "ours", "b": SAMPLE / "baseline"}
    files = {side: str(path) for side, path in files.items()}
    usual = {"name": "x", "section": "", "title": "x", "format": "translations", "metric": "chrf"}
    return declare(files=files, **(usual | changes))


def text(path):
    return path.read_text(encoding="utf-8").splitlines()


def references(name):
    return [text(path) for path in sorted((SAMPLE / "gold").glob(f"{name}.*"))]


@pytest.fixture
def copied(tmp_path):
    """Return a function that copies a test set of the sample under other names."""

    def copy(**names):
        for place, source in names.items():
            path = tmp_path / place.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes((SAMPLE / source).read_bytes())
        return tmp_path

    return copy


@pytest.mark.parametrize(
    ("metric", "scorer"),
    [("bleu", BLEU()), ("chrf", CHRF()), ("chrf++", CHRF(word_order=2))],
    ids=["bleu", "chrf", "chrf++"],
)
def test_scores_of_the_sample_are_sacrebleus_to_the_last_digit(metric, scorer):
    asked = comparison(metric=metric, options={"n_resamples": 99})
    table = evaluation.evaluate(asked).rows.set_index("dataset")
    assert table.index.tolist() == list(SETS)
    for name in SETS:
        for side, system in (("score_a", "ours"), ("score_b", "baseline")):
            output = text(SAMPLE / system / f"{name}.txt")
            expected = scorer.corpus_score(output, references(name))
            assert table.loc[name, side] == expected.score
            assert table.loc[name, "metric"].endswith(f"|{scorer.get_signature()}")
    assert ["nrefs:2" in said for said in table["metric"]] == [True, False, False]


def test_the_mean_of_sentences_is_a_score_of_each_segment():
    asked = comparison(metric="sentence_chrf", test="sign_flip")
    table = evaluation.evaluate(asked).rows.set_index("dataset")
    scores = [
        CHRF().sentence_score(output, [gold]).score
        for output, gold in zip(
            text(SAMPLE / "ours" / "news.txt"), references("news")[0], strict=True
        )
    ]
    assert table.loc["news", "score_a"] == pytest.approx(np.mean(scores), rel=1e-14)
    assert table["how"].str.startswith("exact").all()


def test_documents_are_summed_before_the_test(tmp_path):
    rows = [f"d{i % 5}" for i in range(12)]
    for name in SETS:
        (tmp_path / f"{name}.txt").write_text("\n".join(rows), encoding="utf-8")
    whole = comparison().files | {"documents": tmp_path}
    asked = comparison(whole, unit="document", options={"n_resamples": 999}, test="sign_flip")
    (row,) = evaluation.evaluate(asked).rows.query("dataset == 'news'").to_dict("records")
    dataset = next(d for d in formats.read(asked) if d.name == "news")
    by_hand = [
        np.array([side[[r == f"d{i}" for r in rows]].sum(axis=0) for i in range(5)])
        for side in (dataset.a, dataset.b)
    ]
    rng = evaluation.seed_of(asked, "news")
    result = paired.sign_flip(*by_hand, metric="chrf", n_resamples=999, rng=rng)
    assert (row["p_value"], row["units"], row["n"]) == (result.pvalue, 5, 12)
    assert row["score_a"] == float(metrics.METRICS["chrf"](dataset.a.sum(axis=0)))
    assert units.by_unit(dataset).a.tolist() == by_hand[0].tolist()


def test_test_sets_with_the_same_sources_share_segments():
    asked = comparison(metric="sentence_chrf", test="sign_flip", shared=True, n_flips=200)
    table = evaluation.evaluate(asked)
    assert (table.flips.shared == 12).all()
    documents = comparison(metric="neg_ter", test="sign_flip", shared={"sources": list(SETS[:2])})
    assert evaluation.evaluate(documents).flips.shared[0].tolist() == [12, 12, 0]


def test_single_files_take_the_name_of_the_test_set(copied):
    folder = copied(
        ours_txt="ours/news.txt", base_txt="baseline/news.txt", gold_txt="gold/news.txt"
    )
    files = {"gold": folder / "gold.txt", "a": folder / "ours.txt", "b": folder / "base.txt"}
    (found,) = formats.read(comparison(files))
    assert found.name == "gold"
    (folder / "gold.txt").rename(folder / "en-de.refA.txt")
    (found,) = formats.read(comparison(files | {"gold": folder / "en-de.refA.txt"}))
    assert found.name == "en-de"


def test_references_are_files_or_a_folder(copied):
    named = copied(
        gold__letters_ref_0="gold/letters.ref.0.txt", gold__letters_ref_1="gold/letters.ref.1.txt"
    )
    inside = copied(
        other__letters__one_txt="gold/letters.ref.0.txt",
        other__letters__two_txt="gold/letters.ref.1.txt",
    )
    alone = copied(refs__ref_0="gold/letters.ref.0.txt", refs__ref_1="gold/letters.ref.1.txt")
    expected = formats.read(comparison(datasets=("letters",)))[0]
    systems = {"a": SAMPLE / "ours", "b": SAMPLE / "baseline"}
    single = {side: folder / "letters.txt" for side, folder in systems.items()}
    for gold, files in (
        (named / "gold", systems),
        (inside / "other", systems),
        (alone / "refs", single),
    ):
        (found,) = formats.read(comparison({"gold": gold} | files, datasets=("letters",)))
        assert (found.name, found.measure) == ("letters", expected.measure)
        np.testing.assert_array_equal(found.a, expected.a)


OTHERS = {
    "ids.txt": "q1\nq2\nq17\nq20\n",
    "scores.txt": "instance score\na 1\nb 0\nc 1\n",
    "table.csv": "what is said here,score\nthe cat sat on the mat,1\nit was a dog,0\nno,1\n",
    "iob.txt": "EU NNP B-NP B-ORG\nrejects VBZ B-VP O\nGerman JJ B-NP B-MISC\ncall NN I-NP O\n",
    "labels.txt": "the film was good\tpositive\nI have seen worse films\tnegative\nno\tnegative\n",
    "log.txt": "# a header of what follows here\n1 2 3\n4 5\n6\n",
    "two.txt": "The cat sat on the mat.\nIt was a dog.\n",
}
"""Name -> content of files that are no translations, or may not be."""


@pytest.mark.parametrize("name", OTHERS)
def test_what_may_be_something_else_is_not_taken_for_translations(name, tmp_path):
    (tmp_path / name).write_text(OTHERS[name], encoding="utf-8")
    assert formats.guess(tmp_path / name) != "translations"
    assert formats.guess(tmp_path) != "translations"


@pytest.mark.parametrize("system", ["ours", "baseline", "gold"])
def test_sentences_are_taken_for_translations(system):
    assert formats.guess(SAMPLE / system) == "translations"
    assert formats.guess(min((SAMPLE / system).iterdir())) == "translations"
