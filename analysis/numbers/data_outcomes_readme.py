"""Numbers of data/outcomes/README.md."""

from analysis.numbers.committed import amount, outcomes, table


def numbers():
    """Return what the fields of the document may name."""
    parsers_of_dependable = (
        outcomes("dependable.parquet").query("dataset.str.contains('LAS')")["system"].nunique() + 1
    )
    entities = table("open/sogaard_table1_data").set_index("dataset").loc["eng.testb"]
    sentences_of_testb, words_of_testb = amount(entities["sentences"]), amount(entities["words"])
    return locals()
