"""Autoencoder SCL with similarity regularisation (AE-SCL-SR)."""

import zlib

import numpy as np
from gensim.models import Word2Vec
from gensim.utils import RULE_DEFAULT, RULE_KEEP
from scipy.special import expit
from tqdm import tqdm

from sentiment.features import appended
from sentiment.pivots import select_pivots


def pivot_embeddings(texts, pivots, n_dimensions, min_count, seed):
    """Learn embeddings of pivots: word2vec, where a pivot of two words is a word of its own.

    `texts` (list of list of str): words of the unlabelled texts. `pivots` (list of str): the
    pivots, one word or two parted by a blank. `n_dimensions`: length of a vector. `min_count`:
    rarer words are left out, but for pivots. `seed`: of the vectors to start from and of the
    sampling.

    Returns ndarray of float32, shape (len(pivots), n_dimensions). The embeddings: continuous bag of
    words, gensim's defaults, one thread.
    """
    kept = set(pivots)
    pairs = {pivot for pivot in kept if " " in pivot}

    def tokens(words):
        for first, second in zip(words, [*words[1:], ""], strict=True):
            yield first
            if f"{first} {second}" in pairs:
                yield f"{first} {second}"

    def keep(word, count, min_count):
        return RULE_KEEP if word in kept else RULE_DEFAULT

    model = Word2Vec(
        [list(tokens(words)) for words in texts],
        vector_size=n_dimensions,
        min_count=min_count,
        seed=seed,
        trim_rule=keep,
        workers=1,
        hashfxn=_hash,
    )
    return np.stack([model.wv[pivot] for pivot in pivots])


def _hash(word):
    """Hash a word, the same in every process."""
    return zlib.crc32(word.encode())


def decoder_loss(hidden_input, decoder, pivots):
    r"""Cross-entropy of the pivots and its gradient.

    `hidden_input` (ndarray, shape (..., k)): :math:`a = W^\top x + b`. `decoder` (ndarray, shape
    (m, k)): embeddings D of the pivots. `pivots` (ndarray of bool, shape (..., m)): which pivots
    occur.

    Returns `loss` (ndarray, shape (...)): mean over the pivots of the cross-entropy of
    :math:`\sigma(D \sigma(a))`. `gradient` (ndarray, shape (..., k)): of the loss with respect to
    `hidden_input`.
    """
    hidden = expit(hidden_input)
    output = hidden @ decoder.T
    loss = np.logaddexp(0, output) - pivots * output
    error = (expit(output) - pivots) / len(decoder)
    return loss.mean(axis=-1), error @ decoder * hidden * (1 - hidden)


def glorot(shape, seed):
    """Draw weights to start from, of Glorot's normal distribution, in single precision."""
    weights = np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
    return weights * np.float32(np.sqrt(2 / sum(shape)))


class Encoder:
    """Encoder of AE-SCL-SR, trained by stochastic gradient descent with momentum.

    `n_inputs`: features that are no pivots. `decoder` (ndarray of float32, shape (m, k)):
    embeddings of the pivots; they stay as they are. `settings` (Settings): learning rate, decay,
    momentum. `rng` (numpy.random.Generator): of the weights to start from: Glorot's normal
    distribution. `learns_decoder`: whether the decoder makes its steps, too, as in AE-SCL without
    similarity regularisation.

    Attributes
    ----------
    decoder : ndarray of float32, shape (m, k)
        As it is now.

    Notes
    -----
    A step is v ← μv − ηg, W ← W + v for one text; rows of features that the text lacks have g = 0,
    but v moves them. Kept are U = W + vμ/(1 − μ), where W would come to rest, and z = v/μ^s after s
    steps. A step is then U ← U − ηg/(1 − μ), z ← z − ηg/μ^(s+1), which leaves those rows alone;
    W = U − zμ^(s+1)/(1 − μ).
    """

    PERIOD = 400
    """Steps after which v is written for z and s is 0 again, so that z stays finite."""

    def __init__(self, n_inputs, decoder, settings, rng, learns_decoder=False):
        k = decoder.shape[1]
        self.decoder = decoder.copy() if learns_decoder else decoder
        self._state = np.zeros((n_inputs + 1, 2 * k), dtype=np.float32)
        self._state[:-1, :k] = glorot((n_inputs, k), rng)
        self._of_decoder = np.zeros_like(decoder) if learns_decoder else None
        self._steps = 0
        self._settings = settings

    @property
    def weights(self):
        """W, with the bias b as its last row: ndarray of float32, shape (n_inputs + 1, k)."""
        rest, velocity = np.hsplit(self._state, 2)
        return rest - np.float32(self._lag()) * velocity

    def step(self, features, pivots):
        """Make the step of one text.

        `features` (ndarray of int): features that the text has. `pivots` (ndarray of bool, shape
        (m,)): pivots that it has.
        """
        rows = np.append(features, len(self._state) - 1)
        block = self._state[rows]
        rest, velocity = np.split(block.sum(axis=0), 2)
        hidden_input = rest - np.float32(self._lag()) * velocity
        _, gradient = decoder_loss(hidden_input, self.decoder, pivots)
        momentum = self._settings.ae_momentum
        rate = self._settings.ae_rate / (1 + self._settings.ae_decay * self._steps)
        if self._of_decoder is not None:
            self._step_decoder(hidden_input, pivots, rate)
        block -= np.concatenate(
            [
                np.float32(rate / (1 - momentum)) * gradient,
                np.float32(rate / momentum ** (self._steps % self.PERIOD + 1)) * gradient,
            ]
        )
        self._state[rows] = block
        self._steps += 1
        if self._steps % self.PERIOD == 0:
            self._state[:, len(gradient) :] *= np.float32(momentum**self.PERIOD)

    def _step_decoder(self, hidden_input, pivots, rate):
        hidden = expit(hidden_input)
        error = (expit(self.decoder @ hidden) - pivots) / len(self.decoder)
        self._of_decoder *= np.float32(self._settings.ae_momentum)
        self._of_decoder -= np.outer(np.float32(rate) * error, hidden)
        self.decoder += self._of_decoder

    def _lag(self):
        momentum = self._settings.ae_momentum
        return momentum ** (self._steps % self.PERIOD + 1) / (1 - momentum)


def train_encoder(X, pivots, validation, decoder, settings, rng, learns_decoder=False):
    """Train the encoder of AE-SCL-SR until the loss of held-out texts no longer falls.

    `X` (csr_array, shape (n, d)): features that are no pivots. `pivots` (ndarray of bool, shape (n,
    m)): pivots of the same texts. `validation` (ndarray of bool, shape (n,)): texts that are held
    out. `decoder` (ndarray, shape (m, k)): embeddings of the pivots. `settings` (Settings):
    hyperparameters. `rng` (numpy.random.Generator): of the initial weights and the orders of the
    texts. `learns_decoder`: as for `Encoder`.

    Returns ndarray of float32, shape (d + 1, k). Weights with the least loss, the bias last.
    """
    encoder = Encoder(X.shape[1], decoder, settings, rng, learns_decoder)
    training = np.flatnonzero(~validation)
    left_out, best = (X[validation], pivots[validation]), (np.inf, None)
    for _ in tqdm(range(settings.ae_epochs), "AE-SCL-SR passes", leave=False, disable=None):
        for i in rng.permutation(training):
            encoder.step(X.indices[X.indptr[i] : X.indptr[i + 1]], pivots[i])
        weights = encoder.weights
        hidden_input = left_out[0] @ weights[:-1] + weights[-1]
        loss = decoder_loss(hidden_input, encoder.decoder, left_out[1])[0].mean()
        if loss >= best[0]:
            break
        best = (loss, weights)
    return best[1]


def held_out(n):
    """Return which of n texts validate: every fifth."""
    return np.arange(n) % 5 == 0


def ae_scl_sr(pair, settings, seed):
    """Represent the labelled reviews of a pair by AE-SCL-SR.

    `pair` (Pair): texts of both domains, with names and words. `settings` (Settings):
    hyperparameters. `seed`: of embeddings, initial weights and orders of the texts.

    Returns source, target : csr_array. Features of LR with the inputs of the hidden units appended,
    without bias.
    """
    pivots, inputs = select_pivots(pair, settings.ae_pivots, settings)
    names = [pair.names[pivot] for pivot in pivots]
    decoder = pivot_embeddings(
        pair.texts, names, settings.ae_dimensions, settings.min_embedded, seed
    )
    X, present = pair.unlabelled[:, inputs], pair.unlabelled[:, pivots].toarray() > 0
    rng = np.random.default_rng(seed)
    weights = train_encoder(X, present, held_out(X.shape[0]), decoder, settings, rng)[:-1]
    return appended(pair, lambda shared: shared[:, inputs] @ weights)
