"""Taggers of NLTK: a greedy perceptron and a hidden Markov model."""

from taggers.seeds import seeded


def train_perceptron(sentences, seed, passes=5):
    """Train NLTK's greedy averaged perceptron (Collins 2002).

    `sentences` (list of list of (str, str)): words and tags. `seed`: seed of the order of the
    sentences in all passes but the first. `passes`: passes over the sentences.

    Returns nltk.tag.perceptron.PerceptronTagger. The model.
    """
    from nltk.tag.perceptron import PerceptronTagger  # nltk takes seconds to import

    tagger = PerceptronTagger(load=False)
    with seeded(seed):
        tagger.train(sentences, nr_iter=passes)  # shuffles with the generator of `random`
    return tagger


def train_tnt(sentences, seed=None):
    """Train NLTK's second-order hidden Markov model with a suffix model (Brants 2000).

    `sentences` (list of list of (str, str)): words and tags. `seed`: not used: the model is a table
    of counts.

    Returns nltk.tag.tnt.TnT. The model.
    """
    from nltk.tag.tnt import TnT

    tagger = TnT()
    tagger.train(sentences)
    return tagger


def tag(model, sentences):
    """Tag sentences with a trained tagger of NLTK.

    `model` (nltk.tag.api.TaggerI): from `train_perceptron` or `train_tnt`. `sentences` (iterable of
    sequences of str): words.

    Returns list of list of str. One tag per word.
    """
    return [[tag for _, tag in model.tag(list(words))] for words in sentences]
