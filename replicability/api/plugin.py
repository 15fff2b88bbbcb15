"""The plugin of pytest: the fixture `assert_not_worse`."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def assert_not_worse() -> Callable[..., Any]:
    """Fail unless a gate ships the new system: ``assert_not_worse(base, new, margin=0.01)``."""
    from replicability.api import testing

    return testing.assert_not_worse
