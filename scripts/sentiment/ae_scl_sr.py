"""Autoencoder SCL with similarity regularisation (AE-SCL-SR)."""

import zlib

import numpy as np
from gensim.models import Word2Vec
from scipy.special import expit
from tqdm import tqdm

from sentiment.features import appended
from sentiment.pivots import select_pivots


def pivot_embeddings(texts, pivots, n_dimensions, min_count, seed):
    """Learn embeddings of pivots: word2vec, where a pivot of two words is a word of its own.

    Parameters
    ----------
    texts : list of list of str
        Words of the unlabelled texts.
    pivots : list of str
        The pivots, one word or two parted by a blank.
    n_dimensions : int
        Length of a vector.
    min_count : int
        Rarer words are left out; every pivot occurs as often.
    seed : int
        Of the vectors to start from and of the sampling.

    Returns
    -------
    ndarray of float32, shape (len(pivots), n_dimensions)
        The embeddings: continuous bag of words, gensim's defaults, one thread.
    """
    pairs = {pivot for pivot in pivots if " " in pivot}

    def tokens(words):
        for first, second in zip(words, [*words[1:], ""], strict=True):
            yield first
            if f"{first} {second}" in pairs:
                yield f"{first} {second}"

    model = Word2Vec(
        [list(tokens(words)) for words in texts],
        vector_size=n_dimensions,
        min_count=min_count,
        seed=seed,
        workers=1,
        hashfxn=_hash,
    )
    return np.stack([model.wv[pivot] for pivot in pivots])


def _hash(word):
    """Hash a word, the same in every process."""
    return zlib.crc32(word.encode())


def decoder_loss(hidden_input, decoder, pivots):
    r"""Cross-entropy of the pivots and its gradient.

    Parameters
    ----------
    hidden_input : ndarray, shape (..., k)
        :math:`a = W^\top x + b`.
    decoder : ndarray, shape (m, k)
        Embeddings D of the pivots.
    pivots : ndarray of bool, shape (..., m)
        Which pivots occur.

    Returns
    -------
    loss : ndarray, shape (...)
        Mean over the pivots of the cross-entropy of :math:`\sigma(D \sigma(a))`.
    gradient : ndarray, shape (..., k)
        Of the loss with respect to `hidden_input`.
    """
    hidden = expit(hidden_input)
    output = hidden @ decoder.T
    loss = np.logaddexp(0, output) - pivots * output
    error = (expit(output) - pivots) / len(decoder)
    return loss.mean(axis=-1), error @ decoder * hidden * (1 - hidden)


class Encoder:
    """Encoder of AE-SCL-SR, trained by stochastic gradient descent with momentum.

    Parameters
    ----------
    n_inputs : int
        Features that are no pivots.
    decoder : ndarray of float32, shape (m, k)
        Embeddings of the pivots; they stay as they are.
    settings : Settings
        Learning rate, decay, momentum.
    rng : numpy.random.Generator
        Of the weights to start from: Glorot's normal distribution.

    Attributes
    ----------
    weights : ndarray of float32, shape (n_inputs + 1, k)
        W, with the bias b as its last row.

    Notes
    -----
    A step is v ← μv − ηg, W ← W + v for one text. Rows of features that the text lacks have g = 0;
    their steps are made up for together when the row is next needed: s of them add
    vμ(1 − μ^s)/(1 − μ) to W and multiply v by μ^s.
    """

    def __init__(self, n_inputs, decoder, settings, rng):
        shape = (n_inputs + 1, decoder.shape[1])
        self.decoder = decoder
        self.weights = rng.standard_normal(shape, dtype=np.float32)
        self.weights *= np.float32(np.sqrt(2 / (n_inputs + decoder.shape[1])))
        self.weights[-1] = 0
        self._velocity = np.zeros(shape, dtype=np.float32)
        self._updated = np.zeros(shape[0], dtype=int)
        self._steps = 0
        self._settings = settings

    def step(self, features, pivots):
        """Make the step of one text.

        Parameters
        ----------
        features : ndarray of int
            Features that the text has.
        pivots : ndarray of bool, shape (m,)
            Pivots that it has.
        """
        rows = np.append(features, len(self.weights) - 1)
        weights, velocity = self._made_up(rows)
        _, gradient = decoder_loss(weights.sum(axis=0), self.decoder, pivots)
        rate = self._settings.ae_rate / (1 + self._settings.ae_decay * self._steps)
        velocity *= np.float32(self._settings.ae_momentum)
        velocity -= np.float32(rate) * gradient
        self._steps += 1
        self._store(rows, weights + velocity, velocity)

    def finish(self):
        """Make up for all steps that rows lack."""
        rows = np.arange(len(self.weights))
        self._store(rows, *self._made_up(rows))

    def _made_up(self, rows):
        momentum = self._settings.ae_momentum
        decay = (momentum ** (self._steps - self._updated[rows])).astype(np.float32)[:, None]
        velocity = self._velocity[rows]
        weights = self.weights[rows] + velocity * ((1 - decay) * (momentum / (1 - momentum)))
        return weights, velocity * decay

    def _store(self, rows, weights, velocity):
        self.weights[rows] = weights
        self._velocity[rows] = velocity
        self._updated[rows] = self._steps


def train_encoder(X, pivots, validation, decoder, settings, rng):
    """Train the encoder of AE-SCL-SR until the loss of held-out texts no longer falls.

    Parameters
    ----------
    X : csr_array, shape (n, d)
        Features that are no pivots.
    pivots : ndarray of bool, shape (n, m)
        Pivots of the same texts.
    validation : ndarray of bool, shape (n,)
        Texts that are held out.
    decoder : ndarray, shape (m, k)
        Embeddings of the pivots.
    settings : Settings
        Hyperparameters.
    rng : numpy.random.Generator
        Of the initial weights and the orders of the texts.

    Returns
    -------
    ndarray of float32, shape (d + 1, k)
        Weights with the least loss, the bias last.
    """
    encoder = Encoder(X.shape[1], decoder, settings, rng)
    training = np.flatnonzero(~validation)
    held_out, best = (X[validation], pivots[validation]), (np.inf, None)
    for _ in tqdm(range(settings.ae_epochs), "AE-SCL-SR passes", leave=False, disable=None):
        for i in rng.permutation(training):
            encoder.step(X.indices[X.indptr[i] : X.indptr[i + 1]], pivots[i])
        encoder.finish()
        hidden_input = held_out[0] @ encoder.weights[:-1] + encoder.weights[-1]
        loss = decoder_loss(hidden_input, decoder, held_out[1])[0].mean()
        if loss >= best[0]:
            break
        best = (loss, encoder.weights.copy())
    return best[1]


def ae_scl_sr(pair, settings, seed):
    """Represent the labelled reviews of a pair by AE-SCL-SR.

    Parameters
    ----------
    pair : Pair
        Texts of both domains, with names and words.
    settings : Settings
        Hyperparameters.
    seed : int
        Of embeddings, initial weights and orders of the texts.

    Returns
    -------
    source, target : csr_array
        Features of LR with the inputs of the hidden units appended, without bias.
    """
    pivots, inputs = select_pivots(pair, settings.ae_pivots, settings)
    names = [pair.names[pivot] for pivot in pivots]
    decoder = pivot_embeddings(
        pair.texts, names, settings.ae_dimensions, settings.min_embedded, seed
    )
    X, present = pair.unlabelled[:, inputs], pair.unlabelled[:, pivots].toarray() > 0
    validation = np.arange(X.shape[0]) % 5 == 0
    rng = np.random.default_rng(seed)
    weights = train_encoder(X, present, validation, decoder, settings, rng)[:-1]
    return appended(pair, lambda shared: shared[:, inputs] @ weights)
