"""What share of the significant findings is true (Section 4)?"""

import pandas as pd

from analysis.methods.predictive_value import (
    cut_off,
    positive_predictive_value,
    share_of_positives,
)


def section4(ratio, beta, alpha, alphas, target, biases):
    """Recompute the numbers of Section 4 for several degrees of bias.

    `ratio`, `beta`: as for `positive_predictive_value`. `alpha`: cut-off in use, in (0, 1), for the
    share of positive results. `alphas` (dict of str to float): quantity -> level at which the
    positive predictive value is wanted. `target`: as for `cut_off`. `biases` (sequence of float):
    biases, each in [0, 1).

    Returns DataFrame. One row per quantity, named as in
    ``data/published/sogaard2014/section4.csv``; one column per bias. NaN where no cut-off reaches
    the target.

    Raises `InputError`: if an argument is out of its range.
    """
    return pd.DataFrame(
        {
            bias: {
                "positive results": share_of_positives(ratio, alpha, beta, bias),
                **{
                    quantity: float(positive_predictive_value(ratio, level, beta, bias))
                    for quantity, level in alphas.items()
                },
                "proposed cut-off": cut_off(ratio, beta, target, bias),
            }
            for bias in biases
        }
    )
