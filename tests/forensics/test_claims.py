import pandas as pd

from replicability import forensics


def test_equal_neighbours_are_said_to_be():
    printed = pd.DataFrame({"d": ["x", "y", "z"], "p": ["0.1234", "0.1234", "<0.001"]})
    found = forensics.unchecked_table("p", "t", printed, "d", ["p"], "Why.")
    assert [v.sentence for v in found] == [
        "Why. Another reading: it was copied from y, which has the same digits.",
        "Why. Another reading: it was copied from x, which has the same digits.",
        "Why.",
    ]
