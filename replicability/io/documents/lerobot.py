"""Evaluations of LeRobot, ``eval_info.json``: an episode is an item, a task a dataset."""

from collections import Counter

from replicability.checks import InputError
from replicability.io.documents import Document

_NAMES = ("seed", "episode_ix")
"""Fields that identify an episode; the seed is null if none was set."""


def _recognises(content):
    """Tell whether there are episodes of tasks, or those of the only one in older versions."""
    tasks, episodes = content.get("per_task"), content.get("per_episode")
    if isinstance(tasks, list) and tasks and isinstance(tasks[0], dict):
        return isinstance(tasks[0].get("metrics"), dict)
    return isinstance(episodes, list) and bool(episodes) and "aggregated" in content


def _rows(file, content):
    """Return a row for each episode: its task, its number or seed, and whether it succeeded."""
    if "per_task" not in content:
        return [
            (
                f"episode {number}",
                {
                    "dataset": "episodes",
                    "instance": next(
                        (episode[key] for key in _NAMES if episode.get(key) is not None), number
                    ),
                    "score": episode.get("success"),
                    "sum_reward": episode.get("sum_reward"),
                    "max_reward": episode.get("max_reward"),
                },
            )
            for number, episode in enumerate(content["per_episode"])
        ]
    tasks, found = content["per_task"], []
    several = Counter(task.get("task_group") for task in tasks)
    for task in tasks:
        group, number, metrics = task.get("task_group"), task.get("task_id"), task.get("metrics")
        metrics = metrics or {}
        alone = several[group] == 1 and not number  # one that is not the first is one of several
        name = f"{group}" if alone else f"{group} / {number}"
        successes = metrics.get("successes")
        if not (isinstance(successes, list) and successes):
            raise InputError(
                f"{file}: the task {name!r} does not list which of its episodes succeeded; "
                "recreate the file with lerobot-eval."
            )
        rewards = {key: metrics.get(f"{key}s") for key in ("sum_reward", "max_reward")}
        for number, success in enumerate(successes):
            row = {"dataset": name, "instance": number, "score": success}
            row |= {
                key: of[number]
                for key, of in rewards.items()
                if isinstance(of, list) and len(of) == len(successes)
            }
            found.append((f"task {name!r}, episode {number}", row))
    return found


DOCUMENT = Document("a LeRobot evaluation", _recognises, _rows)
