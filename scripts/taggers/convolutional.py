"""The tagger of spaCy: a small convolutional network, trained from nothing, in two sizes."""

import numpy as np
from threadpoolctl import threadpool_limits

from taggers.seeds import seeded

BATCH = (100, 1000, 1.001)
"""Words of the first batch, of the largest, and by what factor each is larger than the last."""

DROPOUT = 0.1
"""Share of the inputs of a layer that are set to zero in training."""

TRAINING = {"optimizer": {"@optimizers": "Adam.v1", "use_averages": True}}
"""What is set of the optimiser: the weights are averaged over all updates, as a perceptron's."""


def train(sentences, seed, passes=20, width=96, depth=4):
    """Train the tagger of spaCy with the size that it has by default.

    `sentences` (list of list of (str, str)): words and tags. `seed`: seed of the first weights, of
    the dropout and of the order of the sentences in each pass. `passes`: passes over the sentences.
    `width`: numbers that stand for a word. `depth`: layers; each sees one word more on either side.

    Returns spacy.language.Language. The model. It knows no language: words are taken as they are
    given.

    Notes
    -----
    A word is embedded by its form in lower case, its first character, its last three and its
    shape, each hashed, and convolutional layers add its neighbours (Honnibal, Montani, Van
    Landeghem and Boyd 2020). No vectors are read, so that nothing is known but `sentences`. spaCy
    itself stops when a development part has not gained for 1,600 batches; here the number of
    passes is fixed, so that no other text is needed.
    """
    import spacy  # seconds to import, with the next two
    from spacy.training import Example
    from spacy.training.batchers import minibatch_by_words
    from spacy.util import compounding

    model = spacy.blank("xx", config={"training": TRAINING})
    model.add_pipe("tagger", config=_settings(width, depth))
    examples = [Example(_doc(model, *pairs), _doc(model, *pairs)) for pairs in _columns(sentences)]
    order, sizes = np.random.default_rng(seed), compounding(*BATCH)
    with seeded(seed), threadpool_limits(1):
        optimizer = model.initialize(lambda: examples)
        for _ in range(passes):
            shuffled = [examples[place] for place in order.permutation(len(examples))]
            for batch in minibatch_by_words(shuffled, sizes):
                model.update(batch, sgd=optimizer, drop=DROPOUT)
    with model.use_params(optimizer.averages):
        averaged = model.to_bytes()
    return model.from_bytes(averaged)


def train_small(sentences, seed, passes=20):
    """Train the tagger of spaCy with half the layers and two thirds of the width.

    `sentences` (list of list of (str, str)): words and tags. `seed`, `passes`: as of `train`.

    Returns spacy.language.Language. The model.
    """
    return train(sentences, seed, passes, width=64, depth=2)


def _columns(sentences):
    """Yield the words and the tags of each sentence."""
    return (tuple(map(list, zip(*sentence, strict=True))) for sentence in sentences)


def _settings(width, depth):
    """Return the settings of the component, all but the size those that it has by default."""
    return {
        "model": {
            "@architectures": "spacy.Tagger.v2",
            "tok2vec": {
                "@architectures": "spacy.HashEmbedCNN.v2",
                "pretrained_vectors": None,
                "width": width,
                "depth": depth,
                "embed_size": 2000,
                "window_size": 1,
                "maxout_pieces": 3,
                "subword_features": True,
            },
        },
        "neg_prefix": "\t",  # begins no tag; a tag that begins so would count as a wrong one
    }


def _doc(model, words, tags=None):
    """Return a document of one sentence, in which no word is split or joined."""
    from spacy.tokens import Doc

    return Doc(model.vocab, words=words, tags=tags)


def tag(model, sentences):
    """Tag sentences.

    `model` (spacy.language.Language): from `train` or `train_small`. `sentences` (iterable of
    sequences of str): words.

    Returns list of list of str. One tag per word.
    """
    with threadpool_limits(1):
        docs = model.pipe(_doc(model, list(words)) for words in sentences)
        return [[token.tag_ for token in doc] for doc in docs]
