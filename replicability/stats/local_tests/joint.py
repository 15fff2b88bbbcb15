"""The sum and the maximum under joint sign flips of the shared units (`joint`)."""

from replicability.stats.local_tests import DEPENDENCE, FLIPS, LocalTest, joint_sum

LOCAL_TEST = LocalTest(
    name="joint",
    title="joint sign flips",
    cited=joint_sum.LOCAL_TEST.cited,
    takes=FLIPS,
    planned_by="sum_or_max",
    valid_under=DEPENDENCE,
    assumes="dependent in any way, if shared units are declared and their differences are "
    "symmetric wherever A is not better",
    strong="some advantages are large, or A leads on many datasets",
    weak="all datasets show similar, weak evidence",
    colour="#882255",
    marker="P",
    place=1,
)
