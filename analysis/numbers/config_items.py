"""Numbers of config/items.yaml."""

import numpy as np

from analysis.audited import AGAINST
from analysis.dror2017 import claims
from analysis.numbers import (
    notebooks_adaptation,
    notebooks_big_bench_hard,
    notebooks_embeddings,
    notebooks_gorman_error_analysis,
    notebooks_gorman_standard_splits,
    notebooks_mmlu_pro,
    notebooks_toy_simulations,
    notebooks_wmt25,
)
from analysis.numbers.committed import (
    ahead,
    amount,
    bounds_of,
    family,
    leads,
    names,
    outcomes,
    result,
    settings,
    table,
    unclear,
)
from replicability.core import design

CLAIMED = ("Mate-SpaCy", "Mate-Redshift", "AE-SCL-SR-MSDA")
"""Comparisons whose printed counts hold by every reading."""


def numbers():
    """Return what the fields of the document may name."""
    easier = (
        table("open/gorman_section4_unknown_words")
        .set_index(["dataset", "tagger"])["random minus standard"]
        .map(amount)
    )
    all_pairs = (
        table("open/all_pairs").query("alpha == 0.05 and claims == 'jointly'").set_index("family")
    )
    parsers = all_pairs.loc["Parsers on English domains"]
    taggers = all_pairs.loc["Taggers on languages"]
    low = all_pairs.loc["Taggers trained on 5,000 words"]
    classifiers = all_pairs.loc["Classifiers on pairs of domains"]
    own = family("own_parsers")
    heads = own.joint_counts(0.05)
    behind = ["SpaCy", "GN13", "LTDP"]
    front = set(own.systems) - set(behind)
    labelled = family("own_parsers_labelled")
    relations = labelled.joint_counts(0.05).loc[list(front)]
    kept = family("taggers")
    right = (
        outcomes("tagging.parquet")
        .query("dataset in @of", local_dict={"of": kept.datasets})
        .pivot(index=["dataset", "instance"], columns="system", values="upos")[list(kept.systems)]
    )
    power = design.POWER
    one_or_two_at_most = (
        lambda t: (
            t.loc[(t["gain"] == "1 point") & ~t["suite"].str.contains("datasets of"), "k̂"]
            .between(0, 2)
            .all()
            and t["suite"].nunique() > 4
        )
    )(table("open/suites_expected"))
    front_beats_behind = len(front) if (heads.loc[list(front), behind] > 0).all(axis=None) else None
    tied_front = len(front) if not heads.loc[list(front), list(front)].any(axis=None) else None
    last = relations[["SpaCy", "GN13"]]
    front_beats_last = len(front) if (last > 0).all(axis=None) else None
    turbo_and_mate_on_all = (last.loc[["Turbo", "Mate"]] == len(labelled.datasets)).all(axis=None)
    largest_excess = (
        table("leaderboards/wmt24_methods")
        .set_index("method")
        .filter(like="Fisher", axis=0)["largest excess"]
        .iloc[0]
    )
    range_below_two_points = (
        table("open/gorman_figure1_ranges")
        .query("metric == 'token' and tagger != 'oracle ensemble'")
        .groupby("dataset")["standard split"]
        .agg(np.ptp)
        < 0.02
    ).all()
    random_is_easier = (
        easier.min() > 0 and easier.groupby(level="dataset").mean().idxmax() == "MASC"
    )
    toy = notebooks_toy_simulations.numbers()
    splits = notebooks_gorman_standard_splits.numbers()
    taggers_on = notebooks_gorman_error_analysis.numbers()
    adapted = notebooks_adaptation.numbers()
    embedded, bbh = notebooks_embeddings.numbers(), notebooks_big_bench_hard.numbers()
    classified = table("leaderboards/time_series_pairs").iloc[0]
    unnamed_datasets = (
        table("leaderboards/time_series_by_dataset")[["higher", "lower"]].eq(0).all(axis=1)
    )
    bounds = table("leaderboards/time_series_plane_classifiers").iloc[:, 1:].stack().dropna()
    largest_share = bounds.map(lambda cell: amount(cell, 1)).max() / classified["datasets"]
    pro = notebooks_mmlu_pro.numbers()
    jointly = all_pairs.loc[["Parsers on English domains", "Taggers on languages"]]
    everywhere_jointly = jointly["everywhere"].sum() / jointly["pairs"].sum()
    text = table("open/adaptation_text")
    remain = (text["reviews"] / (text["FDU-MTL"] + text["HATN"])).min()
    left_out = pro["questions"][["copies", "another key"]].sum() / (
        pro["questions"]["questions"] - pro["questions"]["compared"]
    )
    fields = table("leaderboards/mmlu_pro_groups").set_index(["comparison", "group"])
    stem = fields.loc[("Llama 3 70B vs Qwen1.5 72B Chat", "STEM")]
    shown_in_stem = stem["at least, α = 0.05"] / stem["datasets"]
    gemini = fields.loc["Gemini 1.5 Pro vs Gemini 1.5 Flash"].loc[
        ["humanities", "social sciences", "business, health and other"]
    ]
    shown_outside = gemini["at least, α = 0.05"] == gemini["datasets"]
    worse = table("leaderboards/mmlu_pro_both_directions").set_index("claim")["estimate"]
    worse_models_shown = sum(amount(cell) > 0 for cell in worse.iloc[1::2])

    def share_in_brackets(cell):
        return amount(cell, 1)

    found = locals() | {f.__name__: f for f in (largest_loss, forwards, backwards)}
    parts = (
        *(of_the_papers, of_the_open_study, of_leaderboards, of_function_calling, of_swe_bench),
        *(of_translation, of_wmt25, of_parsers_and_classifiers),
    )
    return {name: value for part in parts for name, value in part().items()} | found


def of_the_papers():
    """Return what fields on the re-run of the papers may name."""
    audit = table("audit")
    against = audit[audit["verdict"].isin(AGAINST)].groupby(["paper", "item"]).size()
    against_in_section5 = against.pop(("Dror et al. 2017", "Section 5"))
    against_elsewhere = against.max()
    toy = table("section5_toy_examples").set_index(["example", "estimator"])
    values = toy["exact"].fillna(toy["1,000,000 families"].map(amount)).unstack()
    keeps_level = values.loc[["independent", "dependent"]] <= 0.05
    sizes = table("test_sizes").query("alpha == 0.05").set_index(["scores", "test"])
    exceeds = sizes.filter(like="n = ").apply(lambda column: column.str.endswith("+")).any(axis=1)
    names = sizes.index.to_frame()
    assumed = (names["scores"] != "uneven") & ~names["test"].str.contains("Spearman|m = 500")
    genres, families, pairs, sets = (shares_of_groups(f"table{i}_groups") for i in (2, 3, 4, 5))
    kept_out = ["Romance", "Semitic", "Turkic"]
    printed = {i: committed_scores(i) for i in (2, 3, 4, 5)}
    more = table("section7_more_estimators")
    redshift = table("table1_summary").set_index(["comparison", "alpha"])
    redshift = redshift.loc[("Mate-Redshift", 0.05)]
    three = table("section7_three_questions").set_index("comparison").filter(like="population").T
    holds_for = {name: list(claims.judged_of(name).holds.values()) for name in CLAIMED}
    reached = (table("sogaard_section4_ppv").iloc[-1, 3:] != "none").tolist()
    over = table("sogaard_section5_sizes").set_index("population")
    skewed = over.loc[["Gumbel", "Gumbel, reflected", "exponential"]].drop(columns="datasets")
    safe = skewed.drop(columns="Gumbel, χ²").max() <= 0.06
    over_datasets = table("sogaard_section5_published").set_index("comparison")
    over_datasets = over_datasets.filter(regex="^p ") <= 0.05
    tests_agree = over_datasets.all(axis=1) | ~over_datasets.any(axis=1)
    return locals()


def committed_scores(number):
    """Return the published scores of a table by number: of the first system and of the others."""
    stems = {2: "dependency_parsing", 3: "pos_tagging", 4: "sentiment", 5: "word_similarity"}
    found = table(f"table{number}_{stems[number]}")
    scores = found.drop(columns=found.filter(regex="^p-val|^Holm")).iloc[:, 1:]
    return scores.iloc[:, 0], scores.iloc[:, 1:].max(axis=1)


def forwards(stem):
    """Say of each comparison in a table of both directions on how many datasets A is better."""
    return table(f"{stem}_both_directions")["estimate"].iloc[::2].map(amount)


def backwards(stem):
    """Say of each comparison in a table of both directions on how many datasets B is better."""
    return table(f"{stem}_both_directions")["estimate"].iloc[1::2].map(amount)


def of_the_open_study():
    """Return what fields on the open study may name."""
    domains, own_families, own_pairs, own_sets = (
        shares_of_groups(f"open/table{i}_groups") for i in (2, 3, 4, 5)
    )
    own_more = table("open/section7_more_estimators")
    own_three = table("open/section7_three_questions").set_index("comparison")
    own_three = own_three.loc["spaCy large vs small"]
    shown = [
        amount(cell) > 0
        for i in (2, 3, 4, 5)
        for cell in table(f"open/table{i}_both_directions")["estimate"]
    ]
    a, b = np.array(shown[::2]), np.array(shown[1::2])
    one_way, both_ways, backwards_only = a & ~b, a & b, b & ~a
    rows = table("open/sogaard_counts_beside_published").query("task == 'POS'")
    ours = rows.set_index("quantity")["ours"].map(lambda cell: amount(cell) / amount(cell, 1))
    most_by_words = ours.filter(regex="significant by [TUS]A").idxmax() == "significant by TA"
    of_domains = table("open/sogaard_domain_counts").set_index(["better", "metric"])
    of_domains = of_domains["k̂, Bonferroni"]
    tagging_bounds = of_domains["UDPipe-Future"][["TA", "UA", "SA"]]
    parsing_bounds = of_domains.unstack()[["LAS", "UAS"]].stack()
    measures = table("open/sogaard_section5_measures").set_index("better")
    of_words = table("open/sogaard_table2_pos")["TA (b)"]
    tags_better = (of_words.map(amount) <= 0.05) & of_words.str.endswith("−")
    parses_differ = table("open/sogaard_table3_parsing")["LAS"].map(amount) <= 0.05
    entities = table("open/sogaard_section3_ner").set_index("dataset")["p-value"]
    ner_differ = entities.map(amount) <= 0.05
    splits_of = table("open/gorman_table3_random_splits")
    significant = splits_of[["significant", "significant behind"]].max(axis=1)
    always_back = significant == splits_of["splits"]
    large_back = always_back[splits_of["standard"].map(amount).abs() >= 0.6]
    by_unit = table("open/gorman_section3_3_design_effects")
    unlike = sum(
        (by_unit[f"{side}, words"] - by_unit[f"{side}, sentences"]).abs().sum()
        for side in ("ahead", "behind")
    )
    same_by_sentences = 1 - unlike / by_unit["splits"].sum()
    beside_published = table("open/table1_beside_published").query(
        "study == 'open' and alpha == 0.05"
    )
    recommended = {
        (row["section"], row["comparison"]): row[row["recommended"]] / row["datasets"]
        for _, row in beside_published.iterrows()
    }
    open_sentiment = recommended["sentiment", "AE-SCL-SR vs mSDA"]
    tasks = {task for task, _ in recommended} - {"sentiment"}
    best_of_other_tasks = [
        max(bound for (of, _), bound in recommended.items() if of == task) for task in sorted(tasks)
    ]
    msda = bounds_of("open/all_pairs_classifiers", True).loc["mSDA"]
    first_against_last = bounds_of("open/all_pairs_taggers", True).iloc[:5, -5:].to_numpy().mean()
    flips = table("open/dependence_counts")
    swaps = result("open", "aesclsr_msda_reviews").flips
    upper = np.triu_indices(len(swaps.correlations), 1)
    correlations, shared = swaps.correlations[upper], swaps.shared[upper] > 0
    shared_correlations, other_correlations = correlations[shared], correlations[~shared]
    errors = table("open/dependence_errors").iloc[:, 3:]
    errors = errors.drop(columns=["Fisher", "truncated Fisher"])
    keep_level = errors.map(lambda cell: amount(cell) - 3 * amount(cell, 1) <= 0.05).to_numpy()
    changes = table("open/adaptation_parts").set_index("system")["change"]
    lost_most = set(changes.drop(["mSDA", "LR"]).nsmallest(2).index) == {
        "without the reviews' own features",
        "fewer texts for the encoder",
    }
    texts = table("open/adaptation_sizes").set_index("texts")[["AE-SCL-SR", "mSDA"]]
    adapted_gain = texts.iloc[-1] - texts.iloc[0]
    shipped = table("open/release_gates_needs")["ships"].map(amount)
    missed = table("open/release_gates_errors").set_index("got worse")
    missed_by_mean = amount(missed["mean"]["one by 5 points"]) / 100
    return locals()


def of_leaderboards():
    """Return what fields on leaderboards may name."""
    chosen = table("leaderboards/leaderboards_named")
    named_shares = chosen["A better"] / chosen["datasets"]
    boards = table("leaderboards/leaderboards_pairs").set_index("benchmark")
    lower_wins = (boards["lower"] + boards["both"]) / boards["pairs"]
    leads_left = boards["largest lead, no difference"].replace("none", 0).astype(float)
    largest_open_lead = leads_left.max()
    audit = table("leaderboards/leaderboards_audit_totals").set_index("paper")
    claims_trivially = audit["agrees, trivially"]
    claims_agree = audit["agrees"] + claims_trivially
    claims_checked = audit["total"] - audit["cannot be checked"]
    lists = audit.filter(like="SWE-bench", axis=0).iloc[0]
    lists_agree = lists["agrees"] / lists["total"]
    kinds = settings("leaderboards")["comparisons"][0]["groups"]
    tasks = table("leaderboards/bbh_tasks").set_index("dataset")
    gained = tasks["chain of thought"] - tasks["direct"]
    kinds_gain = {kind: gained[kinds[kind]].mean() for kind in ("algorithmic", "language")}
    left = gained / (100 - tasks["direct"])
    nearly_everything = (left[kinds["algorithmic"]] > 0.9).any()
    accuracies = table("leaderboards/mmlu_pro_accuracies").set_index("model")
    qwen = accuracies.loc["Qwen1.5 72B Chat"]
    clear_gemini = ahead("gemini_pro_flash", "leaderboards")
    clear_gemini &= ~unclear("gemini_pro_flash", "leaderboards")
    return locals()


def of_function_calling():
    """Return what fields on Berkeley Function Calling may name."""
    boards = table("leaderboards/leaderboards_pairs").set_index("benchmark")
    calls = boards.loc["Berkeley Function Calling"]
    reversed_pairs = calls[["lower", "both"]]
    prompt = table("leaderboards/bfcl_pairs").set_index("dataset")
    prompt = prompt["named Claude 3.5 Sonnet prompted vs FC"].notna()
    parallel = prompt.index.str.contains("parallel")
    parallel_calls, other_categories = prompt[parallel], prompt[~parallel]
    both = table("leaderboards/bfcl_both_directions")["estimate"].map(amount)
    first_two = both.iloc[:2] > 0
    steps = ["higher better on", "lower better on"]
    call_neighbours = table("leaderboards/bfcl_neighbours")[steps] > 0
    call_models = table("leaderboards/bfcl_models")
    middle = call_models.iloc[len(call_models) // 4 : 3 * len(call_models) // 4]
    modes = table("leaderboards/bfcl_modes")
    fenced = table("leaderboards/bfcl_fences")
    fences = fenced.groupby("model")[["failed", "fenced", "calls", "match"]].sum()
    calling = fenced[fenced["category"] != "relevance"]
    unfenced_gain = calling["at least"] - calling["scored"]
    in_front = bounds_of("leaderboards/bfcl_plane_function_callers", True).iloc[:20, :20]
    in_front = np.maximum(in_front, in_front.T).to_numpy()[np.triu_indices(20, 1)]
    front_alike = in_front == 0
    right = outcomes("function_calling.parquet").query("dataset == 'relevance'")
    must_call = right.filter(regex="-FC-Any$").mean().max()
    return locals()


def of_swe_bench():
    """Return what fields on SWE-bench may name."""
    boards = table("leaderboards/leaderboards_pairs").set_index("benchmark")
    agents_behind = boards.loc["SWE-bench", ["lower", "both"]]
    agents = (
        table("leaderboards/swe_bench_all_pairs")
        .query("alpha == 0.05 and claims == 'jointly'")
        .iloc[0]
    )
    alone, jointly = (
        bounds_of("leaderboards/swe_bench_plane_agents", kind) for kind in (False, True)
    )
    positive = (alone > 0).sum().sum()
    zeroed = ((alone > 0) & (jointly == 0)).sum().sum()
    least = table("leaderboards/swe_bench_floors").set_index("repository")
    floors = least.iloc[:-1]
    usual_size = least.index[least["least gain among all"] <= 12].tolist()
    issues = table("leaderboards/swe_bench_pairs")
    swe_ranks = table("leaderboards/swe_bench_ranking")
    issues = issues.assign(neighbours=issues["neighbours"].map(amount))
    resolved = outcomes("swe_bench.parquet").drop(columns=["dataset", "instance"]).mean() * 100
    largest_step = -np.diff(np.sort(resolved)[::-1]).min()
    named_repositories = names(
        table("leaderboards/swe_bench_both_directions").dropna()["identified"].iloc[0]
    )
    return locals()


def of_translation():
    """Return what fields on WMT24 may name."""
    tower = table("leaderboards/wmt24_systems").set_index("system").loc["Unbabel-Tower70B"]
    ranks = table("leaderboards/wmt24_pair")
    opposite = ranks["AutoRank, Claude-3.5"] > ranks["AutoRank, Unbabel-Tower70B"]
    counts = table("leaderboards/wmt24_counts").set_index("comparison").filter(like="k_")
    claude_counts = counts.filter(like="Claude", axis=0).stack()
    gpt_counts = counts.filter(like="GPT-4", axis=0)
    directions = table("leaderboards/wmt24_both_directions").set_index("claim")["estimate"]
    tower_better = directions.loc[["Unbabel-Tower70B better"]].map(amount)
    targets = shares_of_groups("leaderboards/wmt24_groups")["Claude-3.5 vs Unbabel-Tower70B"]
    effects = table("leaderboards/wmt24_effects").iloc[-1]
    effects_below = effects["below 1"] / effects["pairs of systems"]
    translators = table("leaderboards/wmt24_family")
    wmt = table("leaderboards/wmt24_audit").set_index("item").drop("Automatic ranking").sum()
    wmt_agrees = (wmt["agrees"] + wmt["agrees, trivially"]) / (
        wmt["total"] - wmt["cannot be checked"]
    )
    return locals()


def of_wmt25():
    """Return what fields on WMT25 may name."""
    wmt25 = notebooks_wmt25.numbers()
    shown, n_translated = wmt25["shown"], wmt25["n"]
    contradicting = [len(g.contradicting) for g in shown.values() if g.contradicting]
    most_by_every = max(side.every() for g in shown.values() for side in g.sides)
    first, aya = wmt25["first"], shown["aya_sizes"]
    show_more = [
        sum(wmt25["alone"][metric]) > sum(side.by(metric) for side in first.sides)
        for metric in first.better.metrics
    ]
    contradict_at = [bool(first.at(alpha).contradicting) for alpha in first.found]
    judges = [metric for metric in aya.better.metrics if metric.endswith("judge")]
    by_judges = np.array([aya.better.by(judge) for judge in judges])
    return locals()


def of_parsers_and_classifiers():
    """Return what fields on CoNLL 2018 and on time series may name."""
    treebanks = shares_of_groups("leaderboards/conll18_groups")
    levels, series_levels = (
        table(f"leaderboards/{board}_levels").query("alpha == 0.05 and claims == 'jointly'").iloc[0]
        for board in ("conll18", "time_series")
    )
    steps = ["higher better on", "lower better on"]
    parser_neighbours = table("leaderboards/conll18_neighbours")[steps] > 0
    parser_ranks = table("leaderboards/conll18_ranking")
    matrix = bounds_of("leaderboards/conll18_plane_parsers", True).to_numpy()
    above_half = matrix[np.triu_indices(len(matrix), 1)] >= 0.5
    within_five = np.array(
        [(leads(name, "leaderboards").abs() < 5).mean() for name in ("hc2_hydra", "hc2_hc1")]
    )
    series_named = table("leaderboards/time_series_datasets").filter(like="named ").notna().sum()
    types = table("leaderboards/time_series_groups")
    largest_types = types[types["group"].isin(types["group"][:3])]["at least, α = 0.05"]
    behind_hc2 = (
        table("leaderboards/time_series_both_directions")["estimate"].map(amount).iloc[1::2]
    )
    series_neighbours = table("leaderboards/time_series_neighbours")[steps] > 0
    series_ranks = table("leaderboards/time_series_ranking")
    return locals()


def largest_loss(name):
    """Return by how many datasets correcting for all pairs lowers a bound of a matrix at most."""
    alone, jointly = (bounds_of(name, kind) for kind in (False, True))
    datasets = amount(alone.index.name)
    return round((alone - jointly).max().max() * datasets)


def shares_of_groups(name):
    """Return the bound of each group as a share of its datasets: (comparison, group) -> share."""
    rows = table(name).set_index(["comparison", "group"])
    return rows["at least, α = 0.05"] / rows["datasets"]
