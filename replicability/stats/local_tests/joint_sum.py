"""Fisher's sum under joint sign flips of the shared units (`joint`)."""

from replicability.stats.local_tests import DEPENDENCE, FLIPS, LocalTest

LOCAL_TEST = LocalTest(
    name="joint_sum",
    title="joint sign flips, sums",
    cited=(
        "Vesely et al. 2023",
        "Vesely, Finos and Goeman (2023), Journal of the Royal Statistical Society B 85(3), "
        "664-683.",
    ),
    takes=FLIPS,
    planned_by="fisher",
    valid_under=DEPENDENCE,
    assumes="as for `joint`",
    strong="A has a small advantage on many datasets",
    weak="A leads on some datasets and B on others",
    colour="#AA4499",
    marker="p",
    place=2,
)
