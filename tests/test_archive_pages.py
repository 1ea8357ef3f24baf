"""The site of an archive in a browser: nothing cut, searched and sorted, in light and in dark."""

from pathlib import Path

import pytest

from browser import needs_browser
from platterlab import cli
from platterlab.measure.bundle import Bundle
from test_pages import shows_all, told_by

pytestmark = needs_browser

LONG = "A vendor with a long name and a model whose number is long too, ST2000DM008-2FR102"

USE = """
<script type="module">
const names = () =>
  [...document.querySelectorAll("tbody tr")].filter((row) => !row.hidden && row.offsetHeight)
    .map((row) => row.querySelector("a").textContent);
const told = {};
const field = document.querySelector(".find input");
const find = (words) => {
  field.value = words;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return names();
};
told.all = names();
told.found = find("MOCK");
told.count = document.querySelector(".find output").textContent;
told.by_id = find("ID");
told.nothing = find("mock nothing-of-the-kind");
find("");
const heading = (name) =>
  [...document.querySelectorAll("th")].find((one) => one.textContent === name);
const press = (name) => { heading(name).querySelector("button").click(); return names(); };
told.up = press("longest seek, ms");
told.down = press("longest seek, ms");
told.aria = heading("longest seek, ms").getAttribute("aria-sort");
const order = document.querySelector(".find select");
told.order = order.selectedOptions[0].textContent;
order.value = "1 up";
order.dispatchEvent(new Event("change", { bubbles: true }));
told.chosen = names();
told.paper = getComputedStyle(document.body).backgroundColor;
console.log("told: " + JSON.stringify(told));
</script>
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two simulated drives, and a disk with a long name."""
    place = tmp_path_factory.mktemp("site")
    home = ["--archive", str(place / "archive")]
    for drive in ("mock", "hp-c2200a", "quantum-fireball"):
        assert cli.run(["characterize", drive, "--out", str(place / drive)]) == 0
        assert cli.run(["archive", "add", str(place / drive), *home]) == 0
    assert cli.run(["characterize", "hp-c2200a", "--quick", "--out", str(place / "quick")]) == 0
    assert cli.run(["archive", "add", str(place / "quick"), *home]) == 0
    environment = Bundle(place / "quantum-fireball").environment()
    facts = [["model", LONG], ["serial_hash", "0123456789abcdef"], ["firmware", "CC26"]]
    environment["device"] |= {"facts": facts, "name": "/dev/sdb"}
    kept = Bundle(place / "archive" / Bundle(place / "quantum-fireball").id)
    kept.write_json("environment.json", environment)
    kept.seal(kept.id, kept.manifest().status)
    assert cli.run(["archive", "publish", str(place / "site"), *home]) == 0
    return place / "site"


@pytest.mark.parametrize("name", ["index", "model-hp", "model-mock", "model-a-vendor", "report"])
def test_a_browser_shows_all_of_it(site, name, tmp_path):
    page = next(path for path in sorted(site.glob("*.html")) if path.name.startswith(name))
    shows_all(page, tmp_path)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_table_is_searched_and_sorted(site, tmp_path, dark):
    (quick,) = (path for path in site.parent.glob("archive/*") if of_the_mock(path))
    text, end = (site / "index.html").read_text(encoding="utf-8").rsplit("</body>", 1)
    page = tmp_path / "page.html"
    use = USE.replace("ID", quick.name)
    page.write_text(f"{text}{use}</body>{end}", encoding="utf-8")
    told = used(page, tmp_path, dark)
    simulated = ["HP C2200A (simulated)", "Mock disk (simulated)"]
    assert told["all"][1:] == simulated
    assert told["all"][0].startswith("A vendor with a long name")
    assert (told["found"], told["count"]) == ([simulated[1]], "1 of 3")
    assert (told["by_id"], told["nothing"]) == ([simulated[1]], [])
    assert told["up"] == told["down"][::-1] == [simulated[1], told["all"][0], simulated[0]]
    assert told["aria"] == "descending"
    assert told["order"] == "longest seek, ms, most first"
    assert told["chosen"] == [*simulated, told["all"][0]]
    assert told["paper"] == ("rgb(14, 17, 22)" if dark else "rgb(255, 255, 255)")


def of_the_mock(bundle: Path) -> bool:
    return (bundle / "profile.toml").is_file() and "Mock" in (bundle / "profile.toml").read_text()


def used(page: Path, folder: Path, dark: bool) -> dict[str, object]:
    scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
    (told,) = told_by(page, folder, scheme, budget_ms=5_000)
    return told
