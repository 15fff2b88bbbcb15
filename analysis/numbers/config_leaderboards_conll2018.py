"""Numbers of config/leaderboards/conll2018.md."""

from analysis.numbers.committed import table


def numbers():
    """Return what the fields of the document may name."""
    ranking = table("leaderboards/conll18_ranking")
    found = table("leaderboards/conll18_pairs").iloc[0]
    pairs = int(found["pairs"])
    differ = pairs - int(found["neither"])
    return locals()
