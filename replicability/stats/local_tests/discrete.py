"""The sum and the maximum under draws of right-or-wrong datasets (`stats.discrete`)."""

from replicability.stats.local_tests import DRAWS, LocalTest, joint_sum

LOCAL_TEST = LocalTest(
    name="discrete",
    title="binomial draws",
    cited=joint_sum.LOCAL_TEST.cited,
    takes=DRAWS,
    planned_by="sum_or_max",
    valid_under=("independent",),
    assumes="independent, with scores of 0 and 1",
    strong="the systems differ on only a few items",
    weak="all datasets show similar, weak evidence",
    colour="#661100",
    marker="<",
    place=1,
)
