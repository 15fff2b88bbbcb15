import pandas as pd

from replicability import forensics


def test_quoted_counts_and_what_remains():
    printed = pd.DataFrame(
        [
            ("6", "A-B: k_count", "", "2", "estimate"),
            ("6", "A-B: k_count - k_bonferroni", "", "1", "difference"),
            ("6", "A-B: (k_count - k_bonferroni) / datasets", "", "1/3", "difference"),
            ("6", "A-B: datasets", "", "3", "count"),
            ("6", "level", "", "0.05", "setting"),
            ("6", "reviews", "~", "2e3", "count"),
        ],
        columns=["section", "quantity", "relation", "printed", "kind"],
    )
    found = forensics.quoted_counts("p", printed, {"A-B": ["0.001", "0.04", "0.3"]}, 0.05)
    assert [v.grade for v in found] == [
        forensics.TRIVIAL,
        forensics.REPRODUCED,
        forensics.REPRODUCED,
        forensics.TRIVIAL,
    ]
    (left,) = forensics.remaining("p", printed, found, "why")
    assert (left.item, left.claim, left.published) == ("Section 6", "reviews", "~2k")
    assert (left.grade, left.sentence) == (forensics.UNCHECKED, "why")
