r"""Sentiment classification across domains: LR, SCL, mSDA and AE-SCL-SR, trained from raw data.

A classifier of reviews of one product domain (the source) meets reviews of another (the target),
of which there are no labels but unlabelled texts. Notation: n texts, d features, m pivots, k
dimensions; a row of a matrix is a text and its features are 0 or 1.

LR
    Logistic regression on the features of the source; nothing is adapted.
SCL
    Structural correspondence learning (Blitzer, McDonald and Pereira, 2006; Blitzer, Dredze and
    Pereira, 2007). Pivots are features frequent in both domains that tell most about the label.
    The other features predict each pivot, :math:`\hat y_l = \mathrm{sign}(w_l \cdot x)`; the left
    singular vectors of :math:`[w_1 \dots w_m]` are a projection :math:`\theta`, and LR learns from
    :math:`[x, \theta^\top x]`.
mSDA
    Marginalised stacked denoising autoencoders (Chen, Xu, Weinberger and Sha, 2012). A layer
    reconstructs its inputs, each set to zero with probability p, by
    :math:`W = E[P]\,E[Q]^{-1}` and returns :math:`\tanh(Wx)`; LR learns from all layers together.
AE-SCL-SR
    Autoencoder SCL with similarity regularisation (Ziser and Reichart, 2017). The other features
    are encoded, :math:`h = \sigma(W^\top x + b)`, and decoded into the pivots,
    :math:`o = \sigma(Dh)`, where row l of D is the word embedding of pivot l and stays fixed; LR
    learns from :math:`[x, W^\top x]`.

What differs from the originals
-------------------------------
Unlabelled texts
    2,000 a domain (FDU-MTL; Liu, Qiu and Huang, 2017) less those that are test reviews, and the
    source reviews that train; Ziser and Reichart have 6,000 to 34,741 a domain. The texts have no
    titles, the labelled reviews have. The adaptation sees the 5,000 features most frequent among
    them, as many as the published features are.
Settings
    Fixed, the same for all pairs, where the papers tune more of them on held-out source reviews;
    only the penalty of a classifier is chosen, by cross-validation on the source. All 2,000 source
    reviews train. `Settings` lists the values and where they come from.
SCL
    Predictors see features that are no pivots, as in the implementation of Ziser and Reichart;
    Blitzer et al. keep pivots among the inputs and mask the one predicted. Their scale of the
    projected features is tuned; here each has mean 0 and variance 1 on the unlabelled texts. The
    weights of the predictors are averages over all steps, without which they are mostly noise.
mSDA
    At most 5,000 features enter, as in the paper. The first layer reconstructs the 2,000 most
    frequent, the paper's device for high dimensions, but from all 5,000 at once, without its
    average over random blocks, and later layers have 2,000 inputs and outputs; single precision.
    The probability p and the number of layers are those of Ganin et al. (2016), where Chen et al.
    tune p; LR classifies where Chen et al. have a linear SVM.
AE-SCL-SR
    Stochastic gradient descent, one text a step, with the settings of the authors' implementation.
    The word2vec vectors are learnt from the same few texts; numbers keep words of their own. Early
    stopping validates on every fifth text of both domains.
Features setting
    The published 5,000 features have no names, so that there are no embeddings and no AE-SCL-SR;
    unlabelled texts are the training reviews of both domains, labels dropped.

References
----------
Blitzer, McDonald and Pereira (2006), EMNLP. Blitzer, Dredze and Pereira (2007), ACL. Chen, Xu,
Weinberger and Sha (2012), ICML. Ganin et al. (2016), JMLR 17(59). Glorot, Bordes and Bengio
(2011), ICML. Liu, Qiu and Huang (2017), ACL. Ziser and Reichart (2017), CoNLL.
"""

import html
import re
import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
from gensim.models import Word2Vec
from scipy import linalg, sparse
from scipy.special import expit
from sklearn.datasets import load_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import cross_val_score
from tqdm import tqdm

from replicability import checks

DOMAINS = ("books", "dvd", "electronics", "kitchen")
"""The four product domains of Blitzer, Dredze and Pereira (2007)."""

CLASSES = ("positive", "negative")
"""Files of a domain of labelled reviews, in the order of the instances."""

UNLABELLED = {domain: f"{domain}.task.unlabel" for domain in DOMAINS} | {
    "kitchen": "kitchen_housewares.task.unlabel"
}
"""Domain -> file of unlabelled reviews, one a line."""

FEATURES = 5000
"""Features of the svmlight files, numbered from 0."""

WORD = r"\b\w+\b"
"""A word of a review, after lower-casing."""


@dataclass(frozen=True)
class Settings:
    """Hyperparameters, the same for all pairs of domains.

    Attributes
    ----------
    C : tuple of float
        Inverse strengths of the L2 penalty from which every logistic regression chooses; Ziser
        and Reichart's published example has 0.1.
    folds : int
        Of the cross-validation on the source reviews that chooses.
    min_texts : int
        Fewest source reviews that a feature of LR occurs in (their choice of pivots; their
        classifiers ask for 20).
    shared_features : int
        Features of the adaptation, the most frequent among the unlabelled texts (Chen et al.).
    min_input : int
        Fewest unlabelled texts that a feature that predicts pivots occurs in (Ziser and
        Reichart's implementation).
    min_pivot : int
        Fewest unlabelled texts of each domain that a pivot occurs in (their implementation).
    scl_pivots, scl_dimensions : int
        Pivots and singular vectors of SCL (their example for SCL; Blitzer et al. 2007 also take
        50 vectors).
    scl_epochs : int
        Passes of averaged stochastic gradient descent for a pivot predictor; its loss is modified
        Huber (Blitzer et al. 2006).
    ae_pivots, ae_dimensions : int
        Pivots and hidden units of AE-SCL-SR (their example).
    min_embedded : int
        Rarer words have no embedding (their implementation).
    ae_rate, ae_decay, ae_momentum, ae_epochs
        Learning rate, its decay with each step, momentum, most passes (their implementation).
    msda_outputs : int
        Features that the first layer of mSDA reconstructs (see above).
    msda_layers, msda_noise
        Layers and probability of corruption (Ganin et al. 2016).
    """

    C: tuple = (0.001, 0.01, 0.1)
    folds: int = 5
    min_texts: int = 5
    shared_features: int = 5000
    min_input: int = 40
    min_pivot: int = 20
    scl_pivots: int = 500
    scl_dimensions: int = 50
    scl_epochs: int = 10
    ae_pivots: int = 100
    ae_dimensions: int = 500
    min_embedded: int = 10
    ae_rate: float = 0.1
    ae_decay: float = 1e-5
    ae_momentum: float = 0.9
    ae_epochs: int = 10
    msda_outputs: int = 2000
    msda_layers: int = 5
    msda_noise: float = 0.5


@dataclass(frozen=True)
class Pair:
    """Texts of a source and a target domain as binary features.

    Attributes
    ----------
    labels : ndarray of bool, shape (n_source,)
        True for a positive review of the source.
    source, target : csr_array
        Features of LR: source reviews that train, target reviews that test.
    shared_source, shared_target : csr_array
        The same reviews in the features of the adaptation.
    unlabelled_source, unlabelled_target : csr_array
        Texts without labels in the features of the adaptation; no test review is among them. The
        source reviews that train are, in the reviews setting.
    names : list of str or None
        Names of the features of the adaptation, words parted by blanks.
    texts : list of list of str or None
        Words of the unlabelled texts, from which embeddings are learnt.
    removed : int
        Unlabelled texts left out because they are test reviews.
    """

    labels: np.ndarray
    source: sparse.csr_array
    target: sparse.csr_array
    shared_source: sparse.csr_array
    shared_target: sparse.csr_array
    unlabelled_source: sparse.csr_array
    unlabelled_target: sparse.csr_array
    names: list | None = None
    texts: list | None = None
    removed: int = 0

    @property
    def unlabelled(self):
        """csr_array: Unlabelled texts of both domains, the source first."""
        return sparse.vstack([self.unlabelled_source, self.unlabelled_target], format="csr")


# --- files ---------------------------------------------------------------------------------------


def read_reviews(path):
    """Read a file of reviews in the form of Ziser and Reichart.

    Parameters
    ----------
    path : Path
        A ``<reviews>`` element of ``<review>`` elements without attributes; the text is not
        escaped as XML asks, and is taken as it is.

    Returns
    -------
    list of str
        The texts, blanks at both ends removed.

    Raises
    ------
    InputError
        If the file is missing, not UTF-8, has no review, one that is empty or does not end, or
        text outside of the reviews.
    """
    content = _read(path)
    texts, opened = [], None
    position = 0
    for tag in re.finditer(r"<(/?)review>", content):
        line = content.count("\n", 0, tag.start()) + 1
        between = content[position : tag.start()].strip()
        if bool(tag[1]) == (opened is None):
            what = "begins before the last one ended" if opened else "ends that did not begin"
            raise checks.InputError(
                f"{path}, line {opened or line}: a review {what}; every <review> needs its "
                "</review>, fetch the file again."
            )
        if opened is not None:
            if not between:
                raise checks.InputError(
                    f"{path}, line {line}: review {len(texts) + 1} is empty; fetch the file again."
                )
            texts.append(between)
        elif between not in ("", "<reviews>"):
            raise checks.InputError(
                f"{path}, line {line}: {between[:40]!r} stands outside of the reviews; pass a file "
                "of <review> elements."
            )
        opened = None if tag[1] else line
        position = tag.end()
    if opened is not None:
        raise checks.InputError(
            f"{path}, line {opened}: the review that begins here does not end; every <review> "
            "needs its </review>, fetch the file again."
        )
    if not texts or content[position:].strip() != "</reviews>":
        raise checks.InputError(
            f"{path} is not a <reviews> element of <review> elements; pass a positive.parsed or "
            "negative.parsed file."
        )
    return texts


def read_labelled(folder, domain):
    """Read the labelled reviews of a domain.

    Parameters
    ----------
    folder : Path
        Where ``<domain>/positive.parsed`` and ``<domain>/negative.parsed`` are.
    domain : str
        One of `DOMAINS`.

    Returns
    -------
    instances : list of str
        Such as ``positive/0017``, file and number in the file, from 1.
    texts : list of str
        The reviews.
    labels : ndarray of bool, shape (n,)
        True for the positive ones.

    Raises
    ------
    InputError
        If there is no such domain, or a file is faulty.
    """
    checks.choice("domain", domain, DOMAINS)
    reviews = {name: read_reviews(folder / domain / f"{name}.parsed") for name in CLASSES}
    instances = [f"{name}/{i:04d}" for name in CLASSES for i in range(1, len(reviews[name]) + 1)]
    labels = np.repeat([True, False], [len(reviews[name]) for name in CLASSES])
    return instances, [text for name in CLASSES for text in reviews[name]], labels


def read_unlabelled(folder, domain):
    """Read the unlabelled reviews of a domain.

    Parameters
    ----------
    folder : Path
        Where the files of `UNLABELLED` are, one review a line.
    domain : str
        One of `DOMAINS`.

    Returns
    -------
    list of str
        The reviews, without empty lines.

    Raises
    ------
    InputError
        If there is no such domain, or the file is missing, not UTF-8 or empty.
    """
    path = folder / UNLABELLED[checks.choice("domain", domain, DOMAINS)]
    texts = [line.strip() for line in _read(path).split("\n") if line.strip()]
    if not texts:
        raise checks.InputError(f"{path} is empty; it has one review a line, fetch it again.")
    return texts


def read_features(folder, domain, part):
    """Read labelled reviews as vectors of counts.

    Parameters
    ----------
    folder : Path
        Where ``<domain>_<part>.svmlight`` is: label 1 or -1, then ``feature:count`` with features
        from 0.
    domain : str
        One of `DOMAINS`.
    part : {"train", "test"}
        Which file.

    Returns
    -------
    X : csr_array of float32, shape (n, 5000)
        1 where a feature occurs, as in Glorot et al. (2011).
    labels : ndarray of bool, shape (n,)
        True for the positive ones.

    Raises
    ------
    InputError
        If there is no such domain, or the file is missing or malformed.
    """
    path = folder / f"{checks.choice('domain', domain, DOMAINS)}_{part}.svmlight"
    try:
        X, y = load_svmlight_file(str(path), n_features=FEATURES, zero_based=True)
    except FileNotFoundError:
        raise checks.InputError(f"{path} does not exist; fetch it, or name its folder.") from None
    except ValueError as error:
        raise checks.InputError(
            f"{path} is no svmlight file of {FEATURES:,} features ({error}); fetch it again."
        ) from None
    wrong = np.flatnonzero(~np.isin(y, (1, -1)))
    if wrong.size or not y.size:
        found = f", line {wrong[0] + 1}: label {y[wrong[0]]:g}" if wrong.size else ": no line"
        raise checks.InputError(f"{path}{found}; a line begins with the label 1 or -1.")
    return sparse.csr_array((X > 0).astype(np.float32)), y > 0


def _read(path):
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise checks.InputError(f"{path} does not exist; fetch it, or name its folder.") from None
    except UnicodeDecodeError as error:
        raise checks.InputError(
            f"{path}, byte {error.start}: the text is not UTF-8; fetch the file again."
        ) from None


# --- from texts to features ----------------------------------------------------------------------


def shingles(text, size=5):
    """Return the sequences of words of a text.

    Parameters
    ----------
    text : str
        The text; entities are resolved, case and all but Latin letters and digits are ignored.
    size : int, default 5
        Words in a sequence.

    Returns
    -------
    set of tuple of str
        The sequences; a shorter text is one sequence.
    """
    words = re.findall(r"[a-z0-9]+", html.unescape(text).lower())
    return {tuple(words[i : i + size]) for i in range(max(1, len(words) - size + 1))}


def occurs_in(texts, others, share=0.5):
    """Tell which texts are also, but for tokenisation, a title or a cut, among others.

    Parameters
    ----------
    texts, others : list of str
        The texts.
    share : float, default 0.5
        Least share of the shingles of the shorter of two texts that both have.

    Returns
    -------
    ndarray of bool, shape (len(texts),)
        True where some of `others` is the same text.
    """
    where, sizes = defaultdict(list), []
    for number, other in enumerate(others):
        found = shingles(other)
        sizes.append(len(found))
        for shingle in found:
            where[shingle].append(number)

    def occurs(text):
        found = shingles(text)
        common = Counter(number for shingle in found for number in where.get(shingle, ()))
        return any(n >= share * min(len(found), sizes[number]) for number, n in common.items())

    return np.array([occurs(text) for text in texts], dtype=bool)


def reviews_pair(source, labels, target, unlabelled_source, unlabelled_target, settings):
    """Make the features of the reviews setting: words and pairs of adjacent words.

    Parameters
    ----------
    source, target : list of str
        Labelled reviews: of the source, to train; of the target, to test.
    labels : ndarray of bool, shape (len(source),)
        True for the positive reviews of the source.
    unlabelled_source, unlabelled_target : list of str
        Unlabelled reviews; those that `occurs_in` the target reviews are left out.
    settings : Settings
        The thresholds of frequency.

    Returns
    -------
    Pair
        The features.
    """
    given = unlabelled_source + unlabelled_target
    test = occurs_in(given, target)
    kept = [text for text, is_test in zip(given, test, strict=True) if not is_test]
    n_source = len(source) + int((~test[: len(unlabelled_source)]).sum())
    corpus = source + kept
    own = _vectorizer(settings.min_texts).fit(source)
    shared = _vectorizer(min_df=1).fit(corpus)
    X = _transform(shared, corpus)
    frequent = np.sort(most_frequent(X, settings.shared_features))
    X = X[:, frequent]
    words = re.compile(WORD)
    return Pair(
        labels=labels,
        source=_transform(own, source),
        target=_transform(own, target),
        shared_source=X[: len(source)],
        shared_target=_transform(shared, target)[:, frequent],
        unlabelled_source=X[:n_source],
        unlabelled_target=X[n_source:],
        names=list(shared.get_feature_names_out()[frequent]),
        texts=[words.findall(text.lower()) for text in corpus],
        removed=int(test.sum()),
    )


def most_frequent(X, n_features):
    """Return the features that most texts have.

    Parameters
    ----------
    X : csr_array, shape (n, d)
        Binary features.
    n_features : int
        Most features to return.

    Returns
    -------
    ndarray of int
        Features that occur, the most frequent first, the first of equally frequent ones first.
    """
    counts = X.sum(axis=0)
    return np.argsort(-counts, kind="stable")[: min(n_features, np.count_nonzero(counts))]


def _vectorizer(min_df):
    return CountVectorizer(
        ngram_range=(1, 2), token_pattern=WORD, min_df=min_df, binary=True, dtype=np.float32
    )


def _transform(vectorizer, texts):
    return sparse.csr_array(vectorizer.transform(texts))


# --- pivots --------------------------------------------------------------------------------------


def mutual_information(X, labels):
    """Mutual information of the presence of features and a binary label.

    Parameters
    ----------
    X : csr_array, shape (n, d)
        Binary features.
    labels : ndarray of bool, shape (n,)
        The labels.

    Returns
    -------
    ndarray of float64, shape (d,)
        Information in nats.
    """
    n = len(labels)
    present = np.stack([X[labels].sum(axis=0), X[~labels].sum(axis=0)]).astype(float)
    of_label = np.array([[labels.sum()], [n - labels.sum()]], dtype=float)
    information = np.zeros(X.shape[1])
    for joint in (present, of_label - present):
        expected = joint.sum(axis=0) * of_label / n
        ratio = np.divide(joint, expected, out=np.ones_like(joint), where=joint > 0)
        information += (joint / n * np.log(ratio)).sum(axis=0)
    return information


def select_pivots(pair, n_pivots, settings):
    """Choose pivots, frequent in both domains and informative about the source label, and inputs.

    Parameters
    ----------
    pair : Pair
        Texts of both domains.
    n_pivots : int
        How many, or as many as are frequent enough.
    settings : Settings
        min_pivot and min_input.

    Returns
    -------
    pivots : ndarray of int, shape (m,)
        Features of the adaptation, the most informative first.
    inputs : ndarray of int, shape (k,)
        Features that are no pivots and frequent enough to predict them.

    Raises
    ------
    InputError
        If no feature is frequent enough.
    """
    counts = [X.sum(axis=0) for X in (pair.unlabelled_source, pair.unlabelled_target)]
    frequent = np.flatnonzero(np.minimum(*counts) >= settings.min_pivot)
    information = mutual_information(pair.shared_source, pair.labels)[frequent]
    pivots = frequent[np.argsort(-information, kind="stable")[:n_pivots]]
    inputs = np.setdiff1d(np.flatnonzero(sum(counts) >= settings.min_input), pivots)
    if not (pivots.size and inputs.size):
        raise checks.InputError(
            f"There are {pivots.size} pivots, which occur in {settings.min_pivot} unlabelled texts "
            f"of each domain, and {inputs.size} other features in {settings.min_input} of both; "
            "pass more unlabelled texts."
        )
    return pivots, inputs


# --- SCL -----------------------------------------------------------------------------------------


def scl_projection(X, pivots, n_dimensions, epochs, seed):
    """Learn the projection of structural correspondence learning.

    Parameters
    ----------
    X : csr_array, shape (n, d)
        Features that are no pivots, of the unlabelled texts.
    pivots : ndarray of bool, shape (n, m)
        Pivots of the same texts; one that occurs in all or in none is left out.
    n_dimensions : int
        Most columns of the projection.
    epochs : int
        Passes over the texts for each predictor.
    seed : int
        Of the orders in which texts are visited.

    Returns
    -------
    ndarray of float64, shape (d, k)
        Orthonormal columns: leading left singular vectors of the weights of the linear pivot
        predictors (Blitzer et al. 2006, Figure 2), of the sign that makes the largest entry
        positive.
    """
    vary = pivots.any(axis=0) & ~pivots.all(axis=0)
    predictor = SGDClassifier(
        loss="modified_huber", max_iter=epochs, tol=None, average=True, random_state=seed
    )
    weights = [
        predictor.fit(X, pivot).coef_[0]
        for pivot in tqdm(pivots[:, vary].T, "pivot predictors", leave=False, disable=None)
    ]
    left, _, _ = linalg.svd(np.transpose(weights), full_matrices=False)
    theta = left[:, :n_dimensions]
    largest = np.abs(theta).argmax(axis=0)
    return theta * np.sign(theta[largest, np.arange(theta.shape[1])])


def scl(pair, settings, seed):
    """Represent the labelled reviews of a pair by SCL.

    Parameters
    ----------
    pair : Pair
        Texts of both domains.
    settings : Settings
        Hyperparameters.
    seed : int
        Of the pivot predictors.

    Returns
    -------
    source, target : csr_array
        Features of LR with the projected features appended, these of mean 0 and variance 1 on the
        unlabelled texts.
    """
    pivots, inputs = select_pivots(pair, settings.scl_pivots, settings)
    X, present = pair.unlabelled[:, inputs], pair.unlabelled[:, pivots].toarray() > 0
    theta = scl_projection(X, present, settings.scl_dimensions, settings.scl_epochs, seed)
    projected = X @ theta
    mean, scale = projected.mean(axis=0), projected.std(axis=0)
    return _append(pair, lambda shared: (shared[:, inputs] @ theta - mean) / scale)


def _append(pair, represent):
    """Append a representation of the shared features to the features of LR."""
    return tuple(
        sparse.hstack([own, sparse.csr_array(represent(shared))], format="csr")
        for own, shared in (
            (pair.source, pair.shared_source),
            (pair.target, pair.shared_target),
        )
    )


# --- mSDA ----------------------------------------------------------------------------------------


def corrupted_moments(scatter, keep):
    r"""Expected moments of inputs that are set to zero at random.

    Parameters
    ----------
    scatter : ndarray, shape (d, d)
        :math:`S = X^\top X` of the inputs.
    keep : ndarray, shape (d,)
        Probability q that an input is kept.

    Returns
    -------
    P, Q : ndarray, shape (d, d)
        :math:`E[x \tilde x^\top]` and :math:`E[\tilde x \tilde x^\top]`, summed over the texts:
        :math:`P_{ij} = S_{ij} q_j`, :math:`Q_{ij} = S_{ij} q_i q_j` for :math:`i \ne j` and
        :math:`Q_{ii} = S_{ii} q_i` (Chen et al. 2012).
    """
    P = scatter * keep
    Q = P * keep[:, None]
    np.fill_diagonal(Q, np.diagonal(P))
    return P, Q


def denoiser(X, noise, n_outputs, ridge=1e-5):
    r"""Solve a marginalised denoising autoencoder.

    Parameters
    ----------
    X : csr_array or ndarray, shape (n, d)
        Inputs; a constant that is never corrupted joins them.
    noise : float
        Probability p that an input is set to zero.
    n_outputs : int
        The first so many inputs are reconstructed.
    ridge : float, default 1e-5
        Added to the diagonal of :math:`E[Q]`, as in the authors' implementation.

    Returns
    -------
    ndarray, shape (d + 1, n_outputs)
        :math:`W^\top` of :math:`W = E[P] E[Q]^{-1}`; the last row belongs to the constant.
    """
    X = _with_constant(X)
    scatter = X.T @ X
    scatter = scatter.toarray() if sparse.issparse(scatter) else scatter
    keep = np.full(len(scatter), 1 - noise, dtype=scatter.dtype)
    keep[-1] = 1
    P, Q = corrupted_moments(scatter, keep)
    Q[np.diag_indices_from(Q)] += np.asarray(ridge, dtype=Q.dtype)
    return linalg.solve(Q, P[:n_outputs].T, assume_a="pos", overwrite_a=True, overwrite_b=True)


def reconstruct(X, weights):
    """Return the hidden representation of a layer.

    Parameters
    ----------
    X : csr_array or ndarray, shape (n, d)
        Inputs.
    weights : ndarray, shape (d + 1, k)
        From `denoiser`.

    Returns
    -------
    ndarray, shape (n, k)
        tanh of the reconstruction.
    """
    hidden = X @ weights[:-1]
    hidden += weights[-1]
    return np.tanh(hidden, out=hidden)


def _with_constant(X):
    ones = np.ones((X.shape[0], 1), dtype=X.dtype)
    return sparse.hstack([X, ones], format="csr") if sparse.issparse(X) else np.hstack([X, ones])


def msda(pair, settings):
    """Represent the labelled reviews of a pair by mSDA.

    Parameters
    ----------
    pair : Pair
        Texts of both domains.
    settings : Settings
        Hyperparameters.

    Returns
    -------
    source, target : ndarray of float32
        The inputs, the features most frequent among the unlabelled texts, and all layers.
    """
    frequent = most_frequent(pair.unlabelled, settings.shared_features)
    inputs = [X[:, frequent] for X in (pair.unlabelled, pair.shared_source, pair.shared_target)]
    layers = [[X.toarray()] for X in inputs[1:]]
    for _ in tqdm(range(settings.msda_layers), "mSDA layers", leave=False, disable=None):
        n_outputs = min(settings.msda_outputs, inputs[0].shape[1])
        weights = denoiser(inputs[0], settings.msda_noise, n_outputs)
        inputs = [reconstruct(X, weights) for X in inputs]
        for stack, hidden in zip(layers, inputs[1:], strict=True):
            stack.append(hidden)
    return tuple(np.hstack(stack) for stack in layers)


# --- AE-SCL-SR -----------------------------------------------------------------------------------


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
    return _append(pair, lambda shared: shared[:, inputs] @ weights)


# --- classification ------------------------------------------------------------------------------


def classify(source, labels, target, settings):
    """Train logistic regression on the source and label the target.

    Parameters
    ----------
    source, target : csr_array or ndarray, shapes (n, d) and (n_target, d)
        Features.
    labels : ndarray of bool, shape (n,)
        Labels of the source.
    settings : Settings
        C and folds: the strength of the penalty has the best accuracy in cross-validation on the
        source, the strongest of equally good ones.

    Returns
    -------
    ndarray of bool, shape (n_target,)
        Labels of the target.
    """
    X, back = (source, None) if sparse.issparse(source) else _rotate(source)
    model = LogisticRegression(max_iter=1000)
    accuracies = [
        cross_val_score(model.set_params(C=C), X, labels, cv=settings.folds).mean()
        for C in settings.C
    ]
    model.set_params(C=settings.C[int(np.argmax(accuracies))]).fit(X, labels)
    coefficients = model.coef_[0] if back is None else back(model.coef_[0])
    return target @ coefficients + model.intercept_ > 0


def _rotate(X):
    """Return n coordinates of n texts with the same inner products, and the way back.

    A penalty on the norm leaves the coefficients in the span of the texts, so that a regression on
    the coordinates is the one on all d features.
    """
    values, vectors = linalg.eigh((X @ X.T).astype(float))
    kept = values > values[-1] * np.finfo(X.dtype).eps
    vectors, scale = vectors[:, kept], np.sqrt(values[kept])
    return vectors * scale, lambda beta: X.T @ (vectors @ (beta / scale))


def predict(pair, settings, seed):
    """Label the target reviews of a pair by all systems.

    Parameters
    ----------
    pair : Pair
        Texts of both domains.
    settings : Settings
        Hyperparameters.
    seed : int
        Every system derives its own from it.

    Yields
    ------
    system : str
        LR, SCL, mSDA and, if the features have names, AE-SCL-SR.
    labels : ndarray of bool, shape (n_target,)
        Labels of the target.
    """
    seeds = [int(state) for state in np.random.SeedSequence(seed).generate_state(2) >> 1]
    yield "LR", classify(pair.source, pair.labels, pair.target, settings)
    systems = {"SCL": lambda: scl(pair, settings, seeds[0]), "mSDA": lambda: msda(pair, settings)}
    if pair.names is not None:
        systems["AE-SCL-SR"] = lambda: ae_scl_sr(pair, settings, seeds[1])
    for system, represent in systems.items():
        source, target = represent()
        yield system, classify(source, pair.labels, target, settings)
