import write_numbers


def document(folder, name, text):
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_stale_numbers_are_written_and_what_no_longer_holds_is_said(tmp_path, capsys):
    stale = document(tmp_path, "a.md", "Of 1<!-- len([1, 2]) --> papers **9.9%<!-- 1 / 8 -->**.\n")
    right = document(tmp_path, "b.md", "Both<!-- share(2, 2) --> of two<!-- given -->.\n")
    wrong = document(tmp_path, "c.md", "None<!-- 1 > 2 --> of 1<!-- len([1, 2]) -->.\n")
    kept = wrong.read_text(encoding="utf-8")
    assert write_numbers.main([str(file) for file in (stale, right, wrong)]) == 1
    assert stale.read_text("utf-8") == "Of 2<!-- len([1, 2]) --> papers **12.5%<!-- 1 / 8 -->**.\n"
    assert wrong.read_text(encoding="utf-8") == kept
    said = capsys.readouterr()
    assert said.out == f"{stale}: wrote its numbers\n"
    assert said.err.startswith(f"{wrong}, 'None' with the field '1 > 2': this no longer holds")
