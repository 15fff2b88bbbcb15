"""What the tests of the papers' audits share."""

import pytest


@pytest.fixture
def altered(monkeypatch):
    """Return a function that puts another number into what the audit of a paper reads."""

    def alter(module, item, where, column, printed):
        read = module.read_published

        def read_altered(paper, name):
            table = read(paper, name)
            if name == item:
                rows = (table[list(where)] == list(where.values())).all(axis=1)
                assert rows.sum() == 1
                table.loc[rows, column] = printed
            return table

        monkeypatch.setattr(module, "read_published", read_altered)

    return alter
