"""Numbers of notebooks/adaptation.ipynb."""

import numpy as np

from analysis.numbers.committed import table


def numbers():
    """Return what the fields of the document may name."""
    here = table("open/adaptation_published").set_index("dataset")
    mean = here.loc["mean"]
    sizes = table("open/adaptation_sizes").set_index("texts")
    seeds = table("open/adaptation_seeds").set_index("dataset").drop("mean")
    parts = table("open/adaptation_parts").set_index("system")
    msda_gains_as_much = (sizes["mSDA"] > sizes["AE-SCL-SR"]).all() and abs(
        np.diff((sizes["mSDA"] - sizes["AE-SCL-SR"]).iloc[[0, -1]])[0]
    ) < 2
    pairs = here.drop("mean")
    matters_seed = (seeds["mSDA"] <= seeds.filter(like="seed").max(axis=1)).any()
    matters_part = parts.loc["decoder learnt, no word vectors", "change"] <= -0.25
    return locals()
