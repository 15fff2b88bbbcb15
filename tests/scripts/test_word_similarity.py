"""Word vectors and the similarity of word pairs, on small data and on upstream files."""

import io
import lzma
import os
import subprocess
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.spatial import distance

from analysis import paths, published
from replicability.checks import InputError
from replicability.stats import paired

pytest.importorskip("gensim", reason="training needs gensim")
sys.path.insert(0, str(paths.ROOT / "scripts"))

import glove_vectors
import train_word2vec
import word_similarity

PAIRS = (
    "Cat\tdog\t7.5\r\ncat\tcar\t2\r\ncar\tbus\t8\r\ndog\tbus\t2\r\ncat\tunicorn\t5\r\nbus\tbus\t10"
)
"""The rating 2 is there twice, the word unicorn has no vector, and the last line has no end."""

VECTORS = "bus 0.1 -0.5 0.25\ncar 0.3 -0.4 0.125\ncat -0.9 0.2 1.5\ndog -0.8 0.35 0.7\n"


@pytest.fixture
def pairs(write):
    return write("EN-RG-65.txt", PAIRS)


@pytest.fixture
def vectors(write):
    return write("vectors.txt", VECTORS)


@pytest.fixture
def wheel(tmp_path):
    """Return a function that makes a wheel of words and numbers."""

    def make(words, numbers, members=(glove_vectors.INDEX, glove_vectors.EMBEDDINGS)):
        index, array = io.BytesIO(), io.BytesIO()
        pd.DataFrame({"index": words}).to_parquet(index)
        np.save(array, np.asarray(numbers, dtype=np.float32))
        path = tmp_path / "package.whl"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in zip(members, (index, array), strict=False):
                archive.writestr(name, content.getvalue())
        return path

    return make


def compressed(tmp_path, text):
    path = tmp_path / "extract.txt.xz"
    path.write_bytes(lzma.compress(text.encode()))
    return path


# Similarity


def test_names_and_order_are_those_of_table_5():
    assert list(word_similarity.DATASETS.values()) == list(
        published.read_published("dror2017", "table5")["dataset"]
    )


def test_covered_pairs(pairs, vectors, write, tmp_path):
    other = write("other.txt", VECTORS.replace("0.35", "9") + "unicorn 1 2 3\n")
    output, coverage = tmp_path / "out" / "pairs.parquet", tmp_path / "out" / "coverage.csv"
    arguments = ["--pairs", pairs, "--w2v", vectors, "--glove", other]
    arguments += ["--output", output, "--coverage", coverage]
    assert word_similarity.main(list(map(str, arguments))) == 0
    table = pd.read_parquet(output)
    assert table.dtypes.astype(str).to_dict() == {
        "dataset": "str",
        "instance": "str",
        "gold": "float64",
        "W2V": "float64",
        "GloVe": "float64",
    }
    assert table["dataset"].unique().tolist() == ["RG-65"]
    assert table["instance"].tolist() == ["1", "2", "3", "4", "6"]
    assert table["gold"].tolist() == [3, 1.5, 4, 1.5, 5]
    assert coverage.read_text() == "dataset,pairs,covered\nRG-65,6,5\n"
    assert sorted(path.name for path in output.parent.iterdir()) == [
        "coverage.csv",
        "pairs.parquet",
    ]


def test_cosine_is_scipys(pairs, vectors):
    table = word_similarity.cosines(
        word_similarity.read_pairs(pairs), {"A": word_similarity.read_vectors(vectors)}
    )
    bus, car, cat, dog = np.loadtxt(io.StringIO(VECTORS), usecols=(1, 2, 3))
    expected = [1 - distance.cosine(u, v) for u, v in [(cat, dog), (cat, car), (car, bus)]]
    np.testing.assert_allclose(table["A"][:3], expected, atol=5e-7)
    np.testing.assert_allclose(table["A"][3], 1 - distance.cosine(dog, bus), atol=5e-7)
    assert table["A"][4] == 1
    assert (table["A"] == table["A"].round(6)).all()


def test_ranks_keep_spearman_and_steiger():
    rng = np.random.default_rng(20170914)
    words = [f"w{i}" for i in range(60)]
    vectors = {
        name: pd.DataFrame(rng.normal(size=(60, 5)), index=words) for name in ("W2V", "GloVe")
    }
    first, second = rng.choice([*words, "absent"], size=(2, 200))
    ratings = rng.integers(0, 11, size=200) / 2
    pairs = pd.DataFrame({"first": first, "second": second, "rating": ratings})
    table = word_similarity.cosines(pairs, vectors)
    rows = table["instance"].astype(int) - 1
    assert len(table) < 200
    for system in vectors:
        by_rating = stats.spearmanr(ratings[rows], table[system]).statistic
        assert stats.spearmanr(table["gold"], table[system]).statistic == pytest.approx(by_rating)
    a, b = table["GloVe"], table["W2V"]
    by_rank, by_rating = (
        paired.run("steiger", a, b, gold=gold).pvalue for gold in (table["gold"], ratings[rows])
    )
    assert by_rank == pytest.approx(by_rating, rel=1e-12)


def test_sets_come_in_the_papers_order_and_small_ones_are_left_out(pairs, vectors, write, capsys):
    small = write("EN-MC-30.txt", "cat\tdog\t1\ncar\tunicorn\t2\n")
    none = write("EN-YP-130.txt", "pegasus\tunicorn\t2\n")
    large = write("EN-WS-353-ALL.txt", PAIRS)
    read = word_similarity.read_vectors(vectors)
    table, coverage = word_similarity.score([none, pairs, small, large], {"W2V": read})
    assert table["dataset"].unique().tolist() == ["WS353", "RG-65"]
    assert coverage.to_numpy().tolist() == [
        ["WS353", 6, 5],
        ["MC-30", 2, 1],
        ["RG-65", 6, 5],
        ["YP-130", 1, 0],
    ]
    said = capsys.readouterr().err
    assert "EN-MC-30.txt: MC-30 is left out, because 1 of its 2 pairs are covered" in said
    assert "EN-YP-130.txt: YP-130 is left out, because 0 of its 1 pairs are covered" in said
    with pytest.raises(InputError, match="No word-pair set has 4 pairs whose words have vectors"):
        word_similarity.score([none, small], {"W2V": read})


def test_wrong_sets(pairs, vectors, write, tmp_path):
    read = {"W2V": word_similarity.read_vectors(vectors)}
    with pytest.raises(InputError, match=r"'EN-RG-66' is not one of .* mean 'EN-RG-65'\?"):
        word_similarity.score([write("EN-RG-66.txt", PAIRS)], read)
    with pytest.raises(InputError, match="are both files of RG-65; pass only one"):
        word_similarity.score([pairs, pairs], read)
    with pytest.raises(InputError, match=r"absent\.txt is not a file"):
        word_similarity.read_pairs(tmp_path / "absent.txt")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "cat\tdog\t1\ncat\t2\n",
            r"pairs\.txt, line 2: 'cat\\t2' does not have the three tab-separated columns",
        ),
        ("cat\t\t2\n", r"line 1: .* does not have the three tab-separated columns"),
        (
            "cat\tdog\t1\n\ncat\tcar\t2\n",
            r"line 2: '' does not have the three tab-separated columns",
        ),
        ("cat\tdog\thigh\n", r"line 1: the rating 'high' is not a finite number"),
        ("cat\tdog\tnan\n", r"line 1: the rating 'nan' is not a finite number"),
        ("", r"pairs\.txt is empty"),
    ],
)
def test_wrong_pairs(write, text, message):
    with pytest.raises(InputError, match=message):
        word_similarity.read_pairs(write("pairs.txt", text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "cat 1 2\ndog 1\n",
            r"line 2: the vector of 'dog' has 1 numbers, but that of line 1 has 2",
        ),
        ("cat 1 2\ndog 1 two\n", r"line 2: 'dog 1 two' is not a word and the finite numbers"),
        ("cat 1 2\ndog 1 inf\n", r"line 2: 'dog 1 inf' is not a word and the finite numbers"),
        ("cat 1 2\n\n", r"line 2: '' is not a word"),
        ("cat 1 2\ncat 3 4\n", r"row 2: the word 'cat' occurs twice"),
        ("cat 1 2\ndog 0 0\n", r"row 2: the word 'dog' has a vector of zeros"),
        ("", r"vectors\.txt is empty"),
    ],
)
def test_wrong_vectors(write, text, message):
    with pytest.raises(InputError, match=message):
        word_similarity.read_vectors(write("vectors.txt", text))


def test_wrong_files_of_vectors(write, tmp_path):
    with pytest.raises(InputError, match=r"not\.parquet is not a Parquet file"):
        word_similarity.read_vectors(write("not.parquet", VECTORS))
    path = tmp_path / "columns.parquet"
    pd.DataFrame({"token": ["cat"], "v1": [0.5]}).to_parquet(path)
    with pytest.raises(InputError, match=r"needs a column 'word'.* of token, v1"):
        word_similarity.read_vectors(path)
    path = tmp_path / "latin.txt"
    path.write_bytes(b"caf\xe9 1 2\n")
    with pytest.raises(InputError, match=r"latin\.txt is not UTF-8 \(byte 3\)"):
        word_similarity.read_vectors(path)


def test_mistake_is_a_sentence_and_leaves_no_file(pairs, write, tmp_path, capsys):
    vectors = write("vectors.txt", "cat 1 2\ndog 1\n")
    output = tmp_path / "pairs.parquet"
    arguments = ["--pairs", pairs, "--w2v", vectors, "--glove", vectors]
    arguments += ["--output", output, "--coverage", tmp_path / "coverage.csv"]
    assert word_similarity.main(list(map(str, arguments))) == 1
    assert "line 2: the vector of 'dog'" in capsys.readouterr().err
    assert not output.exists()


# Training

TEXT = (
    "1\tThe cat chased a dog .\n0\tNo dog; the Bus and the car!\nA car is a bus, a cat is no dog.\n"
    * 9
)


def test_words_and_reviews(write, tmp_path):
    path = tmp_path / "reviews.txt"
    path.write_bytes(b"1\tThe caf\xe9's UP-TO-DATE -- menu.\n\nno label\n")
    assert list(train_word2vec.read_reviews([path])) == [
        ["the", "caf", "s", "up-to-date", "menu"],
        ["no", "label"],
    ]
    long = write("long.txt", "word " * 25_000)
    assert [len(part) for part in train_word2vec.read_reviews([long])] == [10_000, 10_000, 5_000]
    with pytest.raises(InputError, match=r"numbers\.txt has no words"):
        list(train_word2vec.read_reviews([write("numbers.txt", "1\t2 3\n")]))


def test_training_keeps_the_frequent_words_of_the_vocabulary(write):
    reviews = list(train_word2vec.read_reviews([write("a.txt", TEXT + "unicorn\n" * 4)]))
    vectors = train_word2vec.train(reviews, ["dog", "bus", "unicorn", "pegasus"], 3, 1)
    assert vectors["word"].tolist() == ["bus", "dog"]
    assert vectors.columns.tolist() == ["word", "v1", "v2", "v3"]
    assert np.isfinite(vectors[["v1", "v2", "v3"]]).all(axis=None)
    with pytest.raises(InputError, match="No word of the vocabulary occurs 5 times"):
        train_word2vec.train(reviews, ["unicorn"], 3, 1)


@pytest.mark.long
def test_training_depends_on_text_and_seed_alone(pairs, write, tmp_path):
    text = write("reviews.txt", TEXT)

    def trained(seed, hashseed, threads):
        output = tmp_path / f"{seed}-{hashseed}.parquet"
        script = paths.ROOT / "scripts" / "train_word2vec.py"
        command = [sys.executable, script, "--text", text, "--vocabulary", pairs]
        command += ["--size", "4", "--seed", seed, "--output", output]
        environment = {
            **os.environ,
            "PYTHONHASHSEED": hashseed,
            "OMP_NUM_THREADS": threads,
            "OPENBLAS_NUM_THREADS": threads,
        }
        done = subprocess.run(
            list(map(str, command)), env=environment, check=True, capture_output=True, text=True
        )
        assert done.stdout == "4 of 5 words have a vector.\n"
        return output.read_bytes()

    first = trained(seed=7, hashseed="0", threads="1")
    assert first == trained(seed=7, hashseed="4242", threads="2")
    assert first != trained(seed=8, hashseed="0", threads="1")


# GloVe


def test_extract_and_wheel_give_the_same_file(pairs, wheel, tmp_path):
    words = ["the", "dog", "cat", "car"]
    numbers = [[1, 2], [0.45643, -1], [7.2964e-05, 0.082902], [-2.209e-05, 2]]
    text = "car -2.209e-05 2\ncat 7.2964e-05 0.082902\ndog 0.45643 -1\n"
    sources = {
        "--wheel": wheel(words, numbers),
        "--extract": compressed(tmp_path, text + "the 1 2\n"),
    }
    for option, source in sources.items():
        output = tmp_path / f"{option}.txt"
        arguments = ["--words", pairs, option, source, "--output", output]
        assert glove_vectors.main(list(map(str, arguments))) == 0
        assert output.read_text() == text


def test_wrong_extracts(tmp_path, write, vectors):
    rng = np.random.default_rng(1)
    text = "".join(f"w{i} {x}\n" for i, x in enumerate(rng.normal(size=5000)))
    path = compressed(tmp_path, text)
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(
        InputError, match=r"extract\.txt\.xz cannot be read after line \d+: .*trunc"
    ):
        glove_vectors.read_extract(path)
    with pytest.raises(InputError, match=r"vectors\.txt cannot be read after line 0"):
        glove_vectors.read_extract(vectors)
    with pytest.raises(InputError, match="has no lines"):
        glove_vectors.read_extract(compressed(tmp_path, ""))
    with pytest.raises(InputError, match=r"line 2: .*'dog'"):
        glove_vectors.read_extract(compressed(tmp_path, "cat 1 2\ndog 1\n"))
    with pytest.raises(InputError, match="has no vector for any of the 1 words"):
        extract = glove_vectors.read_extract(compressed(tmp_path, "cat 1 2\n"))
        glove_vectors.select("extract", extract, ["dog"])


def test_wrong_wheels(wheel, vectors):
    with pytest.raises(
        InputError, match=r"does not contain .*glove_6B_50d_emb\.npy; pass the wheel"
    ):
        glove_vectors.read_wheel(wheel(["cat"], [[1, 2]], members=[glove_vectors.INDEX]))
    with pytest.raises(InputError, match=r"has 2 rows of index and .* has shape \(1, 2\)"):
        glove_vectors.read_wheel(wheel(["cat", "dog"], [[1, 2]]))
    swapped = [glove_vectors.EMBEDDINGS, glove_vectors.INDEX]
    with pytest.raises(InputError, match=r"package\.whl cannot be read"):
        glove_vectors.read_wheel(wheel(["cat"], [[1, 2]], members=swapped))
    with pytest.raises(InputError, match=r"vectors\.txt cannot be read: File is not a zip file"):
        glove_vectors.read_wheel(vectors)


# Upstream files

# From the upstream files without a line of the compendium, VECTORS and SETS being their folders:
#
#     import lzma, math
#     from scipy.stats import spearmanr
#     vectors = {}
#     for line in lzma.open(f"{VECTORS}/glove6B_50d_wordsim_vocab.txt.xz", "rt"):
#         word, *numbers = line.split()
#         vectors[word] = [float(number) for number in numbers]
#     for name in ("EN-RG-65", "EN-WS-353-ALL", "EN-SIMLEX-999", "EN-VERB-143"):
#         ratings, cosines = [], []
#         for line in open(f"{SETS}/{name}.txt"):
#             first, second, rating = line.lower().split()
#             if first in vectors and second in vectors:
#                 u, v = vectors[first], vectors[second]
#                 ratings.append(float(rating))
#                 cosines.append(sum(x * y for x, y in zip(u, v)) / math.hypot(*u) / math.hypot(*v))
#         print(name, len(ratings), round(spearmanr(ratings, cosines).statistic, 6))
SPEARMAN = {
    "EN-RG-65": (65, 0.60207),
    "EN-WS-353-ALL": (353, 0.50332),
    "EN-SIMLEX-999": (999, 0.264579),
    "EN-VERB-143": (144, 0.250317),
}


def test_upstream_sets_and_vectors(mirror):
    folder = mirror("word-sim", "glove6B_50d")
    (extract,) = folder.rglob("glove6B_50d_wordsim_vocab.txt.xz")
    vectors = glove_vectors.read_extract(extract)
    sets = {path.stem: path for path in folder.rglob("EN-*.txt")}
    assert set(sets) == set(word_similarity.DATASETS)
    for name, (n, rho) in SPEARMAN.items():
        table, _ = word_similarity.score([sets[name]], {"GloVe": vectors})
        assert len(table) == n
        assert stats.spearmanr(table["gold"], table["GloVe"]).statistic == pytest.approx(
            rho, abs=2e-5
        )
