"""The maximum under joint sign flips of the shared units: step-down max-T (`joint`)."""

from replicability.stats.local_tests import DEPENDENCE, FLIPS, LocalTest

LOCAL_TEST = LocalTest(
    name="max_t",
    title="max-T",
    cited=(
        "Westfall and Young 1993",
        "Westfall and Young (1993), Resampling-Based Multiple Testing, Wiley.",
    ),
    takes=FLIPS,
    planned_by="bonferroni",
    valid_under=DEPENDENCE,
    assumes="as for `joint`",
    strong="A is better on only a few datasets",
    weak="all advantages are moderate",
    colour="#CC6677",
    marker="*",
    place=3,
)
