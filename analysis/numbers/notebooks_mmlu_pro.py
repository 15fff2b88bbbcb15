"""Numbers of notebooks/mmlu_pro.ipynb."""

from analysis.numbers.committed import outcomes, printed, result, settings, table
from replicability.stats import partial_conjunction


def numbers():
    """Return what the fields of the document may name."""
    answers = outcomes("mmlu_pro_answers.parquet")
    compared = outcomes("mmlu_pro.parquet")
    disciplines = compared["dataset"].nunique()
    questions = table("leaderboards/mmlu_pro_questions").set_index("discipline").loc["all"]
    letters = table("leaderboards/mmlu_pro_letters").set_index("discipline")
    outputs = outcomes("mmlu_pro_letters.parquet")
    pairs = (
        table("leaderboards/mmlu_pro_all_pairs")
        .query("alpha == .05 and claims == 'jointly'")
        .iloc[0]
    )
    ranked = table("leaderboards/mmlu_pro_ranking")
    summary = table("leaderboards/leaderboards_pairs").set_index("benchmark").loc["MMLU-Pro"]
    apart = table("leaderboards/mmlu_pro_disagreeing")
    board = table("leaderboards/mmlu_pro_board").set_index("shown")
    models = table("leaderboards/mmlu_pro_accuracies").set_index("model")
    otherwise = table("leaderboards/mmlu_pro_otherwise").set_index("model")
    labels = settings("leaderboards")["labels"]
    ranking = printed("wang2024", "leaderboard").set_index("model")["accuracy"].rename(labels)
    first = result("leaderboards", "llama3_qwen15")
    release = result("leaderboards", "llama31_llama3").rows.set_index("dataset")
    gemini = result("leaderboards", "gemini_pro_flash").rows.set_index("dataset")
    tuned = result("leaderboards", "llama31_instruct")
    both = apart["higher"] + " " + apart["lower"]
    k_hat = partial_conjunction.k_hat
    most_options = -answers.iloc[:, 4:].min().min()
    ahead_in_chemistry = bool(release.loc["chemistry", "p_value"] < 1e-5)
    disciplines_of_mmlu_alone = (
        disciplines - answers.loc[answers["source"] != "ori_mmlu", "dataset"].nunique()
    )
    outputs_with_six_answers = outputs.query(
        "system == 'gemini-1.5-pro-002' and dataset == 'math' and answers == 6"
    )["outputs"].sum()
    topics = table("leaderboards/mmlu_pro_questions").set_index("discipline")
    sources = table("leaderboards/mmlu_pro_sources").pivot(
        index="pair", columns="questions", values="A minus B"
    )
    either_subject = (apart["named"].fillna("") + apart["named for it"].fillna("")).str.contains(
        "math|chemistry"
    )
    guesses = models["guessed"] - models["wrong"]
    return locals()
