"""Profiles made of values and origins: what is written is what was given."""

import tomllib

import pytest

from platterlab import library
from platterlab._core import InputError, Profile, profile_id


@pytest.mark.parametrize("name", ["mock", "hp-c2200a", "hp-97560"])
def test_what_is_stated_is_what_the_file_says(name):
    drive = library.load(name)
    assert drive.stated() == tomllib.loads(drive.to_toml())


def test_a_draft_of_what_is_stated_is_the_same_profile():
    drive = library.load("hp-c2200a")
    values = drive.stated()
    again = Profile.draft(values, values.pop("provenance"), "again.toml")
    assert again.to_toml() == drive.to_toml()


def test_any_text_can_stand_in_a_draft():
    values = library.load("mock").stated()
    odd = "".join(chr(code) for code in range(0x20)) + '\x7f"\\ 💾 \'\'\' """'
    origins = {"spindle": {"kind": "assumed", "from": odd, "note": odd}}
    values |= {"name": odd, "notes": odd}
    read = tomllib.loads(Profile.draft(values, origins, "odd.toml").to_toml())
    assert (read["name"], read["notes"]) == (odd, odd)
    assert read["provenance"] == origins


@pytest.mark.parametrize(
    ("values", "origins", "said"),
    [
        ({"spindle": {"speed_rpm": -1}}, {}, "spindle.speed_rpm"),
        ({}, {"spindle.speed": {"kind": "assumed", "from": "x"}}, "spindle.speed"),
        ({}, {"spindle": {"kind": "guessed", "from": "x"}}, "the origin of `spindle`"),
        ({}, {"spindle": {"kind": "assumed", "from": "x", "ci95": [2, 1]}}, "runs backwards"),
    ],
)
def test_a_draft_is_checked_as_a_file_is(values, origins, said):
    with pytest.raises(InputError, match=said):
        Profile.draft(library.load("mock").stated() | values, origins, "wrong.toml")


@pytest.mark.parametrize(
    ("name", "words"),
    [("HP 97560", "hp-97560"), ("--a__b--", "a-b"), ("größe", "gr-e"), ("日本", ""), ("", "")],
)
def test_an_id_is_the_words_of_a_name(name, words):
    assert profile_id(name) == words
