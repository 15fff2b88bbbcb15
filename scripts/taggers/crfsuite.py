"""Models of CRFsuite: a conditional random field and a structured perceptron."""

import ctypes
import tempfile
from pathlib import Path

import pycrfsuite

from taggers.features import word_features
from taggers.seeds import word32


def train_crf(sentences, seed=0, passes=None):
    """Train a linear-chain conditional random field with CRFsuite.

    `sentences` (list of list of (str, str)): words and tags. `seed`: seed of the order of the
    sentences in each pass; of no use without `passes`: the objective is convex and nothing is
    drawn. `passes`: passes of stochastic gradient descent over the sentences. If it is left out,
    L-BFGS runs until CRFsuite's own test of convergence holds, which takes ten times as long.

    Returns bytes. The model, as CRFsuite writes it.

    Notes
    -----
    The model is that of Lafferty, McCallum and Pereira (2001). What is maximised is the conditional
    likelihood, less an L2 penalty with CRFsuite's own weight (c2 = 1).
    """
    if passes is None:
        return _crfsuite("lbfgs", {}, sentences, seed)
    return _crfsuite("l2sgd", {"max_iterations": passes}, sentences, seed)


def _crfsuite(algorithm, params, sentences, seed):
    """Train a model of CRFsuite on the features of words."""
    ctypes.CDLL(None).srand(word32(seed))  # CRFsuite shuffles with the generator of the C library
    trainer = pycrfsuite.Trainer(algorithm=algorithm, params=params, verbose=False)
    for sentence in sentences:
        words, tags = zip(*sentence, strict=True)
        trainer.append(word_features(words), tags)
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.crfsuite"
        trainer.train(str(model))
        return model.read_bytes()


def tag(model, sentences):
    """Find the most probable tags of each sentence.

    `model`: from `train_crf`. `sentences` (iterable of sequences of str): words.

    Returns list of list of str. One tag per word.
    """
    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model)
    return [tagger.tag(word_features(words)) for words in sentences]


def train_collins(sentences, seed, passes=10):
    """Train the averaged structured perceptron of Collins (2002) with CRFsuite.

    `sentences` (list of list of (str, str)): words and tags. `seed`: seed of the order of the
    sentences in each pass. `passes`: passes over the sentences.

    Returns bytes. The model, which `tag` applies.

    Notes
    -----
    Each sentence is tagged by the Viterbi algorithm and the weights are averaged over all updates
    (Collins 2002, Sections 2.3 and 2.5).
    """
    return _crfsuite("ap", {"max_iterations": passes}, sentences, seed)
