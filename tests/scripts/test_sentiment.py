import dataclasses
import os
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, sparse
from scipy.special import expit

pytest.importorskip("sklearn", reason="the extra 'outcomes' is not installed")
pytest.importorskip("gensim", reason="the extra 'outcomes' is not installed")

from sklearn.metrics import mutual_info_score

from replicability.checks import InputError
from replicability.io import paths

sys.path.insert(0, str(paths.ROOT / "scripts"))
import sentiment_pair
from sentiment import features, msda, reviews, scl
from sentiment.ae_scl_sr import Encoder, decoder_loss, pivot_embeddings, train_encoder
from sentiment.classification import classify, predict
from sentiment.pivots import mutual_information, select_pivots
from sentiment.settings import Settings

SMALL = Settings(
    min_texts=1,
    min_input=5,
    min_pivot=5,
    scl_pivots=20,
    scl_dimensions=5,
    ae_pivots=20,
    ae_dimensions=20,
    min_embedded=1,
    msda_layers=2,
    shared_features=150,
    msda_outputs=150,
)
SYSTEMS = ["LR", "SCL", "mSDA", "AE-SCL-SR"]
GOOD, BAD, OTHER = "abcdefghij", "klmnopqrst", [f"n{i}" for i in range(30)]


def review(rng, domain, positive, shuffled):
    """Some words of judgement that all domains share, more of the domain's own, and others."""
    words = [word for word in GOOD if rng.random() < (0.16 if positive else 0.04)]
    words += [word for word in BAD if rng.random() < (0.04 if positive else 0.16)]
    words += [f"{domain}{word}" for word in GOOD if rng.random() < (0.4 if positive else 0.1)]
    words += [f"{domain}{word}" for word in BAD if rng.random() < (0.1 if positive else 0.4)]
    words += [word for word in OTHER if rng.random() < 0.2]
    return " ".join(rng.permutation(words) if shuffled else words)


def written(rng, domain, n, shuffled=True):
    labels = np.arange(n) % 2 == 0
    return [review(rng, domain, positive, shuffled) for positive in labels], labels


@pytest.fixture(scope="module")
def synthetic():
    """A pair of domains whose own words are learnt only through those they share."""
    rng = np.random.default_rng(20170)
    source, labels = written(rng, "x", 300)
    target, gold = written(rng, "y", 600)
    unlabelled = [written(rng, domain, 1000)[0] for domain in "xy"]
    return features.reviews_pair(source, labels, target, *unlabelled, SMALL), gold


# --- files ---------------------------------------------------------------------------------------


def test_reviews_are_read_as_they_stand(write):
    text = "<reviews><review>\tA title\r\n\tR & D < 3\r\n\r\nworks</review>\n <review>b</review>\n"
    path = write("positive.parsed", text + "</reviews>")
    assert reviews.read_reviews(path) == ["A title\n\tR & D < 3\n\nworks", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<reviews>\n<review>a\n<review>b</review></reviews>", "line 2: .* before the last one"),
        ("<reviews>\n<review>a</review>\n<review>b", "line 3: the review that begins here does no"),
        ("<reviews>\n</review></reviews>", "line 2: a review ends that did not begin"),
        ("<reviews><review>a</review>\n<review> </review></reviews>", "line 2: review 2 is empty"),
        (
            "<reviews><review>a</review>\nb\n<review>c</review></reviews>",
            "line 3: 'b' stands outsi",
        ),
        ("0\tthis is another file\n", "is not a <reviews> element"),
        ("<reviews></reviews>", "is not a <reviews> element"),
        ("<reviews><review>a</review>\n", "is not a <reviews> element"),
    ],
)
def test_a_fault_in_a_file_of_reviews_is_named(write, text, message):
    with pytest.raises(InputError, match=message):
        reviews.read_reviews(write("positive.parsed", text))


def test_a_file_that_is_missing_or_no_text_is_named(tmp_path):
    with pytest.raises(InputError, match=r"positive\.parsed does not exist; fetch it"):
        reviews.read_labelled(tmp_path, "books")
    (tmp_path / "books.task.unlabel").write_bytes(b"ab\xff\n")
    with pytest.raises(InputError, match=r"books\.task\.unlabel, byte 2: the text is not UTF-8"):
        reviews.read_unlabelled(tmp_path, "books")
    (tmp_path / "dvd.task.unlabel").write_bytes(b" \n\n")
    with pytest.raises(InputError, match=r"dvd\.task\.unlabel is empty"):
        reviews.read_unlabelled(tmp_path, "dvd")


def test_an_unknown_domain_is_named(tmp_path):
    with pytest.raises(
        InputError, match=r"domain 'kitchn' is not one of .*; did you mean 'kitchen"
    ):
        reviews.read_labelled(tmp_path, "kitchn")


def test_labelled_reviews_are_numbered_by_file(tmp_path):
    (tmp_path / "dvd").mkdir()
    for name, words in {"positive": "ab", "negative": "c"}.items():
        elements = "\n".join(f"<review>{word}</review>" for word in words)
        (tmp_path / "dvd" / f"{name}.parsed").write_text(f"<reviews>{elements}</reviews>")
    instances, texts, labels = reviews.read_labelled(tmp_path, "dvd")
    assert instances == ["positive/0001", "positive/0002", "negative/0001"]
    assert texts == ["a", "b", "c"]
    assert labels.tolist() == [True, True, False]


def test_counts_become_presence(write):
    path = write("dvd_train.svmlight", "1 0:3 4999:1\n-1 7:2\n")
    X, labels = reviews.read_features(path.parent, "dvd", "train")
    assert X.shape == (2, 5000)
    assert labels.tolist() == [True, False]
    assert [(*map(int, place), float(X[place])) for place in zip(*X.nonzero(), strict=True)] == [
        (0, 0, 1.0), (0, 4999, 1.0), (1, 7, 1.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 0:3\n0 4:1\n", r"dvd_train\.svmlight, line 2: label 0; a line begins with"),
        ("1 5000:3\n", "is no svmlight file of 5,000 features"),
        ("good 1:3\n", "is no svmlight file of 5,000 features"),
        ("", "no line; a line begins with the label"),
    ],
)
def test_a_fault_in_a_file_of_features_is_named(write, text, message):
    with pytest.raises(InputError, match=message):
        reviews.read_features(write("dvd_train.svmlight", text).parent, "dvd", "train")


# --- test reviews among the unlabelled ones ------------------------------------------------------

TEXT = "I didn't like this blender at all; it broke after <two> days & leaks, so avoid it please."


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (TEXT, True),
        ("i did n't like this blender at all ; it broke after two days leaks , so avoid it", True),
        (TEXT.replace("<", "&lt;").replace(">", "&gt;").replace("&", "&amp;").upper(), True),
        ("A title in front\n\n\t" + TEXT, True),
        (TEXT[:60], True),
        ("I didn't like this toaster at all; it burnt after two weeks, so avoid it please.", False),
        ("Avoid it please", False),
    ],
)
def test_a_text_is_found_again(text, same):
    others = ["Nothing of the kind, a review of something else altogether here.", TEXT]
    assert features.occurs_in([text], others).tolist() == [same]


def test_no_test_review_is_unlabelled(synthetic):
    rng = np.random.default_rng(1)
    source, labels = written(rng, "x", 60)
    target, _ = written(rng, "y", 60)
    unlabelled = [written(rng, domain, 60)[0] for domain in "xy"]
    clean = features.reviews_pair(source, labels, target, *unlabelled, SMALL)
    leaking = [unlabelled[0] + target[:7], target[7:20] + unlabelled[1]]
    found = features.reviews_pair(source, labels, target, *leaking, SMALL)
    assert (clean.removed, found.removed) == (0, 20)
    assert found.texts == clean.texts
    assert found.unlabelled_source.shape[0] == 120
    assert (found.unlabelled_target != clean.unlabelled_target).nnz == 0
    assert synthetic[0].removed == 0


# --- pivots --------------------------------------------------------------------------------------


def test_mutual_information_is_sklearns():
    rng = np.random.default_rng(0)
    X, labels = rng.random((50, 6)) < [0.1, 0.3, 0.5, 0.9, 0, 1], rng.random(50) < 0.4
    found = mutual_information(sparse.csr_array(X.astype(np.float32)), labels)
    np.testing.assert_allclose(found, [mutual_info_score(x, labels) for x in X.T], atol=1e-12)


def test_pivots_are_frequent_in_both_domains_and_informative(synthetic):
    pair, _ = synthetic
    pivots, inputs = select_pivots(pair, 20, SMALL)
    names = [pair.names[pivot] for pivot in pivots]
    assert len({*GOOD, *BAD} & {*names}) >= 18
    assert not any(name.startswith(("x", "y")) for name in names)
    assert not {*pivots} & {*inputs}
    with pytest.raises(InputError, match="There are 0 pivots, which occur in 5000 unlabelled text"):
        select_pivots(pair, 20, dataclasses.replace(SMALL, min_pivot=5000))


# --- SCL -----------------------------------------------------------------------------------------


def test_the_projection_is_orthonormal_and_spans_the_predictors(synthetic):
    pair, _ = synthetic
    pivots, inputs = select_pivots(pair, 20, SMALL)
    X, present = pair.unlabelled[:, inputs], pair.unlabelled[:, pivots].toarray() > 0
    theta = scl.scl_projection(X, present, 5, 5, seed=1)
    assert theta.shape == (len(inputs), 5)
    np.testing.assert_allclose(theta.T @ theta, np.eye(5), atol=1e-6)
    assert (theta.max(axis=0) == np.abs(theta).max(axis=0)).all()
    constant = np.column_stack([present, np.ones(len(present)), np.zeros(len(present))]) > 0
    np.testing.assert_array_equal(scl.scl_projection(X, constant, 5, 5, seed=1), theta)


# --- mSDA ----------------------------------------------------------------------------------------


def test_the_closed_form_is_the_limit_of_sampled_corruptions():
    rng = np.random.default_rng(0)
    X = (rng.random((60, 5)) < [0.2, 0.4, 0.5, 0.6, 0.3]).astype(float)
    X[:, 4] = np.where(rng.random(60) < 0.8, X[:, 0], X[:, 4])
    # Regression of the clean inputs on 5,000 corrupted copies of each text.
    corrupted = np.tile(X, (5000, 1)) * (rng.random((300000, 5)) > 0.3)
    corrupted = np.column_stack([corrupted, np.ones(len(corrupted))])
    expected = np.linalg.lstsq(corrupted, np.tile(X, (5000, 1)), rcond=None)[0]
    np.testing.assert_allclose(msda.denoiser(X, 0.3, 5), expected, atol=0.01)
    np.testing.assert_allclose(msda.denoiser(X, 0.3, 2), expected[:, :2], atol=0.01)
    np.testing.assert_allclose(
        msda.denoiser(sparse.csr_array(X), 0.3, 5), msda.denoiser(X, 0.3, 5), atol=1e-12
    )


def test_without_corruption_the_inputs_come_back():
    X = np.random.default_rng(0).random((30, 4))
    hidden = msda.reconstruct(X, msda.denoiser(X, 0.0, 4, ridge=0.0))
    np.testing.assert_allclose(hidden, np.tanh(X), atol=1e-9)


def test_all_layers_are_returned(synthetic):
    pair, gold = synthetic
    source, target = msda.msda(pair, SMALL)
    width = pair.unlabelled.shape[1] + 2 * 150
    assert (source.shape, target.shape) == ((300, width), (len(gold), width))
    assert (np.abs(target) <= 1).all()


# --- AE-SCL-SR -----------------------------------------------------------------------------------


def test_the_gradient_is_that_of_the_loss():
    rng = np.random.default_rng(0)
    decoder, pivots = rng.normal(size=(7, 4)), rng.random(7) < 0.4
    a = rng.normal(size=4)
    expected = optimize.approx_fprime(a, lambda a: decoder_loss(a, decoder, pivots)[0], 1e-7)
    np.testing.assert_allclose(decoder_loss(a, decoder, pivots)[1], expected, atol=1e-6)
    output = expit(decoder @ expit(a))
    loss = -np.log(np.where(pivots, output, 1 - output)).mean()
    np.testing.assert_allclose(decoder_loss(a, decoder, pivots)[0], loss)


def test_steps_that_are_made_up_for_are_those_of_dense_momentum():
    rng = np.random.default_rng(0)
    X, pivots = rng.random((40, 6)) < 0.3, rng.random((40, 3)) < 0.5
    decoder = rng.normal(size=(3, 4)).astype(np.float32)
    settings = dataclasses.replace(SMALL, ae_decay=0.01)
    encoder = Encoder(6, decoder, settings, np.random.default_rng(1))
    weights, velocity = encoder.weights.astype(float), np.zeros((7, 4))
    for step, (x, pivot) in enumerate(zip(X, pivots, strict=True)):
        encoder.step(np.flatnonzero(x), pivot)
        inputs = np.append(x, 1.0)
        gradient = np.outer(inputs, decoder_loss(inputs @ weights, decoder, pivot)[1])
        velocity = 0.9 * velocity - 0.1 / (1 + 0.01 * step) * gradient
        weights += velocity
    encoder.finish()
    np.testing.assert_allclose(encoder.weights, weights, atol=1e-5)


def test_training_keeps_the_weights_with_the_least_loss():
    rng = np.random.default_rng(0)
    X = sparse.csr_array((rng.random((200, 12)) < 0.3).astype(np.float32))
    pivots = X.toarray()[:, :3] > 0
    decoder = rng.normal(size=(3, 4)).astype(np.float32)
    validation = np.arange(200) % 5 == 0

    def loss(epochs):
        settings = dataclasses.replace(SMALL, ae_epochs=epochs)
        rng = np.random.default_rng(1)
        weights = train_encoder(X, pivots, validation, decoder, settings, rng)
        hidden_input = X[validation] @ weights[:-1] + weights[-1]
        return decoder_loss(hidden_input, decoder, pivots[validation])[0].mean()

    losses = [loss(epochs) for epochs in (1, 5, 30)]
    assert losses[0] > losses[1] >= losses[2]


def test_pivots_of_two_words_have_embeddings():
    texts = [["a", "great", "book"], ["a", "bad", "book"]] * 20
    found = pivot_embeddings(texts, ["great", "a great"], 8, 5, seed=3)
    assert found.shape == (2, 8)
    assert not np.array_equal(*found)
    np.testing.assert_array_equal(found, pivot_embeddings(texts, ["great", "a great"], 8, 5, 3))


# --- classification ------------------------------------------------------------------------------


def test_dense_features_are_classified_as_sparse_ones():
    rng = np.random.default_rng(0)
    X, target = (rng.normal(size=(n, 90)) * ([5] * 3 + [1] * 87) for n in (60, 500))
    labels = X[:, :3].sum(axis=1) > 0
    sparsely = classify(sparse.csr_array(X), labels, sparse.csr_array(target), SMALL)
    densely = classify(X, labels, target, SMALL)
    assert (sparsely != densely).sum() <= 1
    assert (densely == (target[:, :3].sum(axis=1) > 0)).mean() > 0.8


def test_adaptation_helps_where_it_must(synthetic):
    pair, gold = synthetic
    found = {name: (labels == gold).mean() for name, labels in predict(pair, SMALL, 1)}
    assert list(found) == SYSTEMS
    # The shared words alone decide about LR; the target's own words tell far more.
    assert found["LR"] < 0.8
    for name in SYSTEMS[1:]:
        assert found[name] > found["LR"] + 0.03, found


def test_features_without_names_have_no_embeddings(synthetic):
    pair, _ = synthetic
    nameless = dataclasses.replace(pair, names=None, texts=None)
    assert [name for name, _ in predict(nameless, SMALL, 1)] == SYSTEMS[:-1]


@pytest.fixture
def folder(tmp_path):
    """Labelled, unlabelled and svmlight files of two small domains."""
    rng = np.random.default_rng(3)
    for domain in ("books", "kitchen"):
        (tmp_path / domain).mkdir()
        texts, labels = written(rng, domain[0], 120, shuffled=False)
        for name, which in (("positive", labels), ("negative", ~labels)):
            elements = [f"<review>{t}</review>\n" for t, w in zip(texts, which, strict=True) if w]
            text = f"<reviews>{''.join(elements)}</reviews>"
            (tmp_path / domain / f"{name}.parsed").write_text(text)
        (tmp_path / reviews.UNLABELLED[domain]).write_text(
            "\n".join(written(rng, domain[0], 150, shuffled=False)[0] + texts[:4])
        )
        X = rng.random((120, 600)) < 0.5 + 0.1 * (labels[:, None] == (np.arange(600) % 2 == 0))
        lines = [
            f"{1 if label else -1} " + " ".join(f"{j}:1" for j in np.flatnonzero(x))
            for label, x in zip(labels, X, strict=True)
        ]
        for part, which in (("train", slice(0, 80)), ("test", slice(80, None))):
            (tmp_path / f"{domain}_{part}.svmlight").write_text("\n".join(lines[which]) + "\n")
    return tmp_path


def options(folder, setting, output, seed=5, **changes):
    folders = {
        "reviews": {"labelled": folder, "unlabelled": folder},
        "features": {"features": folder},
    }
    found = {
        "setting": setting, "source": "books", "target": "kitchen", "seed": seed,
        "output": output, **folders.get(setting, {}), **changes,
    }  # fmt: skip
    return [word for key, value in found.items() for word in (f"--{key}", str(value))]


@pytest.mark.parametrize(
    ("setting", "systems", "last", "n"),
    [("reviews", SYSTEMS, "negative/0060", 120), ("features", SYSTEMS[:-1], "s000040", 40)],
)
def test_another_process_gives_the_same_bytes(folder, capsys, setting, systems, last, n):
    assert sentiment_pair.main(options(folder, setting, folder / "here.parquet")) == 0
    table = pd.read_parquet(folder / "here.parquet")
    assert list(table.columns) == ["instance", "system", "correct"]
    assert list(table["system"]) == [system for system in systems for _ in range(n)]
    assert table["correct"].dtype == np.uint8
    assert table["instance"].iloc[-1] == last
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    for system, correct in table.groupby("system")["correct"]:
        assert f"{system} {correct.mean():.4f}" in said
    assert ("(4 unlabelled texts left out as test reviews)" in said) == (setting == "reviews")
    script = paths.ROOT / "scripts" / "sentiment_pair.py"
    done = subprocess.run(
        [sys.executable, script, *options(folder, setting, folder / "there.parquet")],
        env={**os.environ, "PYTHONHASHSEED": "2017", "OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stderr, done.stdout) == ("", said)  # no progress where there is no terminal
    assert (folder / "here.parquet").read_bytes() == (folder / "there.parquet").read_bytes()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"setting": "review"}, "--setting 'review' is not one of .* did you mean 'reviews'"),
        ({"target": "dvds"}, "--target 'dvds' is not one of .*; did you mean 'dvd'"),
        ({"target": "books"}, "--source and --target are both 'books'; pass two different"),
        ({"seed": -1}, "--seed is -1"),
        ({"features": "."}, "--setting reviews does not use --features DIR"),
        ({"setting": "features"}, "--setting features does not use --labelled DIR"),
        ({"source": "dvd"}, r"positive\.parsed does not exist"),
    ],
)
def test_a_mistake_is_a_sentence_and_nothing_is_written(folder, capsys, changes, message):
    given = {"labelled": folder, "unlabelled": folder, **changes}
    output, setting = folder / "out.parquet", given.pop("setting", "reviews")
    assert sentiment_pair.main(options(folder, setting, output, **given)) == 1
    found = capsys.readouterr()
    assert re.search(message, found.err)
    assert "Traceback" not in found.err
    assert not found.out
    assert not output.exists()


# --- raw upstream files --------------------------------------------------------------------------


def one(root, pattern):
    (found,) = root.glob(pattern)
    return found


def test_reviews_of_two_domains(mirror):
    root = mirror("blitzer-labelled-8000", "data/fdu-mtl/books.task", "data/fdu-mtl/dvd.task")
    labelled = one(root, "yftah89/*/*/data")
    unlabelled = one(root, "ccsasuke/man/*/data/fdu-mtl")
    for domain in reviews.DOMAINS:
        instances, texts, labels = reviews.read_labelled(labelled, domain)
        assert len(instances) == len({*instances}) == len(texts) == 2000
        assert labels.sum() == 1000
    _, source, labels = reviews.read_labelled(labelled, "books")
    _, target, gold = reviews.read_labelled(labelled, "dvd")
    without = [reviews.read_unlabelled(unlabelled, domain) for domain in ("books", "dvd")]
    assert [len(texts) for texts in without] == [2000, 2000]
    assert features.occurs_in(without[1], target).sum() == 166
    settings = Settings(
        C=(0.01,), scl_pivots=100, ae_dimensions=50, ae_epochs=1, msda_outputs=500, msda_layers=2
    )
    pair = features.reviews_pair(source, labels, target, *without, settings)
    assert pair.unlabelled.shape == (6000 - pair.removed, 5000)
    found = {name: (labels == gold).mean() for name, labels in predict(pair, settings, 1)}
    assert all(0.72 < accuracy < 0.86 for accuracy in found.values()), found


def test_published_features_of_two_domains(mirror, tmp_path):
    root = mirror("amazon-5000features")
    folder = one(root, "GRAAL-Research/*/*/data")
    given = options(folder, "features", tmp_path / "out.parquet", source="electronics")
    assert sentiment_pair.main(given) == 0
    found = pd.read_parquet(tmp_path / "out.parquet").groupby("system")["correct"]
    assert (found.size() == 5945).all()
    # Dror et al. (2017), Table 4, from electronics to kitchen: 0.8455 and 0.845.
    assert found.mean().between(0.82, 0.90).all()
