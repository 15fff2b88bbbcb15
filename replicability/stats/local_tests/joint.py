"""The sum and the maximum under joint sign flips of the shared units (`joint`)."""

from replicability.stats.local_tests import DEPENDENCE, FLIPS, LocalTest, joint_sum

LOCAL_TEST = LocalTest(
    name="joint",
    title="joint sign flips",
    cited=joint_sum.LOCAL_TEST.cited,
    takes=FLIPS,
    planned_by="sum_or_max",
    valid_under=DEPENDENCE,
    assumes="anything, if the shared units are known and their differences "
    "symmetric where A is no better",
    strong="some effects are large, or many point the same way",
    weak="evidence is weak and even",
    colour="#882255",
    marker="P",
    place=1,
)
