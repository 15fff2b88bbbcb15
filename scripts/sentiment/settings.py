"""Hyperparameters of all systems, and where they come from."""

from dataclasses import dataclass


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
        Most features of the adaptation, the most frequent among the unlabelled texts: more than
        `min_input` and `min_pivot` let through, because Ziser and Reichart's implementation cuts
        off none besides.
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
    msda_features : int
        Features that enter mSDA, the most frequent among the unlabelled texts (Chen et al.).
    msda_outputs : int
        Features that the first layer of mSDA reconstructs (see above).
    msda_layers, msda_noise
        Layers and probability of corruption (Ganin et al. 2016).
    """

    C: tuple = (0.001, 0.01, 0.1)
    folds: int = 5
    min_texts: int = 5
    shared_features: int = 20000
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
    msda_features: int = 5000
    msda_outputs: int = 2000
    msda_layers: int = 5
    msda_noise: float = 0.5
