"""Numbers of docs/reproducibility.md."""

import pandas as pd

from analysis import paths
from analysis.numbers import readme
from analysis.numbers.committed import outcomes, settings


def numbers():
    """Return what the fields of the document may name."""
    domains = outcomes("parsing.parquet")
    shared = outcomes("tagging.parquet")
    low = settings("outcomes")["low_resource"]
    sources = pd.read_csv(paths.ROOT / "data" / "sources.csv")
    without_a_licence = (
        sources.query(
            'source in ["big_bench_hard", "mmlu_pro", "function_calling", "swe_bench", "wmt24"]'
        )
        .drop_duplicates("source")["licence"]
        .str.contains("none stated|NC")
        .sum()
    )
    return readme.numbers() | locals()
