"""Numbers of docs/scale.md."""

from analysis.methods import simulation
from analysis.numbers.committed import measured, printed, settings


def numbers():
    """Return what the fields of the document may name."""
    asked = settings("simulations")
    start = measured(r"and ([\d.]+) s for the start of each job")
    chunk_families = simulation.CHUNK_FAMILIES
    families_of_the_paper = float(
        printed("dror2017", "section5").set_index("quantity")["printed"]["repetitions"]
    )
    millions_of_pvalues = measured(r"^\| ([\d,]+) p-values") / 1e6
    millions_of_families = measured(r"^What ([\d,]+) families") / 1e6
    independent = measured(r"^\| 20 \| (\d+) s")
    dependent = measured(r"^\| 20 \| \d+ s \| (\d+) s")
    start_is_a_quarter = round(start / dependent, 1) <= 0.3
    start_is_a_half = round(start / independent, 1) == 0.5
    bytes_per_pvalue = (
        (
            measured(r"^\| 10,000,000 p-values.*\| (\d+) MiB")
            - measured(r"^\| start of the program.*\| (\d+) MiB")
        )
        * 2**20
        / 1e7
    )
    return locals()
