"""Numbers of data/README.md."""

import pandas as pd

from analysis import paths
from analysis.numbers.committed import printed, settings


def numbers():
    """Return what the fields of the document may name."""
    listed = pd.read_csv(paths.ROOT / "data" / "sources.csv")
    counts = listed.groupby("source")["path"].size()
    of = {
        kind: listed[listed["source"].str.startswith(kind)]
        for kind in ("conll2018", "conll2017", "ud14")
    }
    used = printed("dror2017", "section6_2").set_index("quantity")["printed"]
    sizes = printed("dror2017", "dataset_sizes").set_index(["table", "dataset"])["n"]
    tagging = printed("sogaard2014", "table2").set_index("domain").astype(str)
    cited = printed("cited", "numbers")["quantity"]
    suites = (
        pd.read_csv(paths.ROOT / "data" / "suite_sizes.csv").groupby("suite")["items"].agg(["sum"])
    )
    translated = [
        path for path in listed.query('source == "wmt24"')["path"] if "/system-outputs/" in path
    ]
    translators = {path.split("/")[-1] for path in translated}
    files_of_outputs = len(
        [path for path in listed.query('source == "mmlu_pro"')["path"] if path.endswith(".zip")]
    )
    models_of_calls = settings("leaderboards")["families"][1]["columns"]["scores"].__len__()
    translated_pairs = len({path.split("/")[-2] for path in translated})
    gorman_confidence = float(
        printed("gorman2019", "text").set_index(["section", "quantity"])["printed"][
            "2.3", "confidence"
        ]
    )
    gorman_random_splits = float(
        printed("gorman2019", "text").set_index(["section", "quantity"])["printed"][
            "3.3", "random splits"
        ]
    )
    systems_of_2018 = (
        of["conll2018"]["path"].str.split("/").str[4].drop_duplicates().ne("00-gold-standard").sum()
    )
    systems_of_2017 = of["conll2017"]["path"].str.extract(r"2017-05-09/([^/]+)/")[0].nunique()
    domains_of_reviews = (
        listed.query("source == 'blitzer'")["path"].str.extract(r"data/(\w+)/")[0].nunique()
    )
    domains_of_counts = (
        listed.query("source == 'amazon5000'")["path"].str.extract(r"data/([a-z]+)_")[0].nunique()
    )
    domains_of_fdu = (
        listed.query("source == 'fdu_mtl'")["path"].str.extract(r"fdu-mtl/(\w+)\.")[0].nunique()
    )
    return locals()
