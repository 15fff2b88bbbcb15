"""Ordered p-values with thresholds calibrated on joint sign flips (`joint`)."""

from replicability.stats.local_tests import DEPENDENCE, FLIPS, LocalTest

LOCAL_TEST = LocalTest(
    name="calibrated_simes",
    title="calibrated Simes",
    cited=(
        "Andreella et al. 2023",
        "Andreella, Hemerik, Finos, Weeda and Goeman (2023), Statistics in Medicine 42(14), "
        "2311-2340.",
    ),
    takes=FLIPS,
    planned_by="simes",
    valid_under=DEPENDENCE,
    assumes="as for `joint`",
    strong="several advantages are moderately large",
    weak="no p-value is below α",
    colour="#999933",
    marker="H",
    place=4,
)
