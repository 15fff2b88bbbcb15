"""The policy of a gate: what holds for all datasets, for a group, and for each."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from replicability import checks
from replicability.checks import InputError
from replicability.io import keys, rules
from replicability.io.declared import READ_BY_GATES
from replicability.io.text import load_yaml, shown


@dataclass(frozen=True)
class Settings:
    """What a policy says.

    Attributes
    ----------
    source : str
        Where it stands, for messages.
    fields : dict
        Key that holds for all datasets -> value.
    datasets : dict of str to dict
        Dataset -> ``margin``, ``must_not_regress`` and ``ignore``, as far as they are given.
    groups : dict of str to dict
        Group -> the same, and its ``datasets``.
    """

    source: str = "policy"
    fields: dict = field(default_factory=dict)
    datasets: dict = field(default_factory=dict)
    groups: dict = field(default_factory=dict)

    @property
    def reading(self):
        """Keys that say how scores are read -> value."""
        return {key: self.fields[key] for key in READ_BY_GATES if key in self.fields}

    @property
    def other_prompts(self):
        """Whether runs with other prompts or settings are accepted."""
        return bool(self.fields.get("other_prompts", False))

    def of(self, names):
        """Say what holds for each dataset: of its own, of its groups, of all.

        `names` (sequence of str): the datasets that both systems have.

        Returns dict of str to dict. Dataset -> ``margin`` (None where there is none),
        ``must_not_regress``, ``ignore``.

        Raises `InputError`: if the policy names a dataset that is not there, two groups contradict
        each other about one, or all are ignored.
        """
        margin = self.fields.get("margin")
        found = {
            name: {"margin": margin, "must_not_regress": False, "ignore": False} for name in names
        }
        for name in self.fields.get("must_not_regress", ()):
            self._known("must_not_regress", name, found)["must_not_regress"] = True
        if isinstance(margin, dict):
            for name in margin:
                self._known("margin", name, found)
            for name, own in found.items():
                own["margin"] = margin.get(name)
        for name, settings in self._of_groups(found).items():
            found[name].update(settings)
        for name, settings in self.datasets.items():
            self._known("datasets", name, found).update(settings)
        if all(own["ignore"] for own in found.values()):
            raise InputError(f"{self.source} ignores every dataset; keep at least one to compare.")
        return found

    def _of_groups(self, found):
        """Return dataset -> what its groups say; refuse groups that contradict each other."""
        said, by = {}, {}
        for group, settings in self.groups.items():
            said_of_all = {key: value for key, value in settings.items() if key != "datasets"}
            for name in settings["datasets"]:
                self._known(f"groups.{group}.datasets", name, found)
                for key, value in said_of_all.items():
                    own = key in self.datasets.get(name, ())
                    before = said.setdefault(name, {}).setdefault(key, value)
                    other = by.setdefault((name, key), group)
                    if before != value and not own:
                        raise InputError(
                            f"{self.source}: the groups {other!r} and {group!r} give the dataset "
                            f"{name!r} different values of {key}; set the dataset's own value "
                            "under datasets."
                        )
        return said

    def _known(self, place, name, found):
        """Return the settings of a dataset; refuse one that is not there."""
        checks.choice(f"{self.source}: {place}", name, list(found))
        return found[name]


def read(policy, given):
    """Read a policy, and put what is given besides in its place.

    `policy` (path, dict or None): A YAML file, or what one holds. `given`: keys that are given
    elsewhere, checked; they go before those of the policy.

    Returns Settings.

    Raises `InputError`: if the file is missing or not YAML, a key is unknown, or a value breaks its
    rule.
    """
    if policy is None:
        return Settings(fields=given)
    if isinstance(policy, str | os.PathLike):
        source, content = shown(policy), load_yaml(policy)
    elif isinstance(policy, Mapping):
        source, content = "policy", rules.plain(policy)
    else:
        raise InputError(
            f"policy= is {checks.cut(policy)}; pass a YAML file, or a dictionary with its content."
        )
    keys.check_policy(source, content)
    content = dict(content)
    parts = {key: content.pop(key, {}) for key in ("datasets", "groups")}
    return Settings(source, {**content, **given}, **parts)
