"""report.html in a browser: it renders, tells values where one points, and fits a telephone."""

from pathlib import Path

import numpy as np
import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from phieb.evaluation.video import film_of
from phieb.reports import films
from phieb.reports.colours import colour_of
from phieb.reports.groups import read_runs
from phieb.reports.page import QUANTITIES
from phieb.reports.report import write_report
from phieb.training import Run
from phieb.trials.commands import add_command
from phieb.worlds.still import still
from tests.reports.browser import complaints, console, count, resize
from tests.reports.support import write_run

NAME = "<b>bold</b></script>"  # of a folder: no markup


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    rng = np.random.default_rng(0)
    for seed in (1, 2):
        scores = rng.integers(0, 500, 300).astype(float).tolist()
        write_run(folder / f"v{seed}", scores, length=20_000, seed=seed, evaluated=[5.0, 7.0])
    write_run(folder / NAME, [0.0] * 300, length=20_000, bonus="none")
    write_run(folder / "b", [100.0] * 300, length=20_000, beta=0.1)
    rooms = [{"1": 4, "2": k} for k in range(1, 6)]
    write_run(folder / "m", [0.0] * 5, game="montezuma_revenge", rooms=rooms)
    write_run(folder / "bad", [0.0]).log_file.write_text("?\n")
    green = (np.full((90, 160, 3), (0, k, 0), np.uint8) for k in range(0, 200, 20))
    Run(folder / "v2").film.write_bytes(film_of(green, 24))
    Run(folder / "b").film.write_bytes(bytes(films.SMALL + 1))
    add_command(folder, "phieb reproduce --games venture,montezuma_revenge --out 'my runs'")
    first, *_ = write_report(read_runs(folder), folder / "report", still)
    return first


def show(browser: webdriver.Chrome, page: Path, width: int) -> None:
    resize(browser, width)
    browser.get(page.as_uri())


@pytest.mark.parametrize("width", [1_200, 400])
def test_it_renders_and_fits(browser: webdriver.Chrome, page: Path, width: int) -> None:
    show(browser, page, width)
    titles = [one.text for one in browser.find_elements(By.CSS_SELECTOR, "article h2")]
    assert titles == ["Venture", "Montezuma's Revenge"]
    assert count(browser, "path.mean") == 3 + 1  # Venture's three groups
    assert count(browser, "svg.sweep circle") == 2 + 1
    assert count(browser, "svg.map rect") == 24
    assert count(browser, "path.paper") == 1  # 6 million frames: Figure 1 is known at 5
    stills = "return [...document.images].every((image) => image.naturalWidth > 0)"
    assert browser.execute_script(stills)
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    assert wide <= width
    sizes = (
        "return [...document.querySelectorAll('svg text, td, p')]"
        ".map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(browser.execute_script(sizes)) >= 12
    assert console(browser) == []


def test_pointing_at_a_curve_tells_its_values(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page, 1_200)
    tip = browser.find_element(By.ID, "tip")
    assert not tip.is_displayed()
    ActionChains(browser).move_to_element(browser.find_element(By.CSS_SELECTOR, "svg")).perform()
    assert tip.is_displayed()
    assert "frames" in tip.text
    assert "decisions" in tip.text
    assert "Sarsa-φ-EB: mean" in tip.text
    assert "sd, trials" in tip.text
    browser.find_element(By.CSS_SELECTOR, "button[data-form=ours]").click()
    ActionChains(browser).move_to_element(browser.find_element(By.CSS_SELECTOR, "svg")).perform()
    assert "95 %" in tip.text
    room = browser.find_element(By.CSS_SELECTOR, "svg.map rect:nth-of-type(2)")
    ActionChains(browser).move_to_element(room).perform()
    assert tip.text == "room 1: 20 decisions"
    assert console(browser) == []


OVERLAPS = """
const texts = [...document.querySelector("svg").querySelectorAll("text")];
const boxes = texts.map((t) => t.getBoundingClientRect());
return boxes.flatMap((a, k) => boxes.slice(k + 1).filter((b) =>
  a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)).length;
"""


@pytest.mark.parametrize("width", [1_200, 400])
def test_the_switch_shows_other_quantities(
    browser: webdriver.Chrome, page: Path, width: int
) -> None:
    show(browser, page, width)
    assert [one.text for one in browser.find_elements(By.CSS_SELECTOR, "#what button")] == list(
        QUANTITIES.values()
    )
    for what, words in QUANTITIES.items():
        button = browser.find_element(By.CSS_SELECTOR, f"button[data-what={what}]")
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
        assert count(browser, "#what button[aria-pressed=true]") == 1
        assert browser.find_element(By.CSS_SELECTOR, "article h3").text == words
        assert count(browser, "path.mean") == (1 if what == "rooms" else 4)
        assert browser.execute_script(OVERLAPS) == 0
    assert console(browser) == []


def test_curves_are_named_at_their_ends_and_those_at_0_lie_above_the_axis(
    browser: webdriver.Chrome, page: Path
) -> None:
    show(browser, page, 1_200)
    ends = [one.text for one in browser.find_elements(By.CSS_SELECTOR, "svg text.end")]
    labels = ["Sarsa-φ-EB", "Sarsa-φ-EB (β = 0.1)", "Sarsa-ε"]
    assert sorted(ends) == sorted([*labels, "Sarsa-φ-EB"])
    drawn = browser.find_elements(By.CSS_SELECTOR, "article:first-of-type path.mean")
    assert [one.get_attribute("stroke") for one in drawn] == [colour_of(one) for one in labels]
    at_0 = float((drawn[-1].get_attribute("d") or "").split()[-1])
    assert at_0 < 300 - 40 - 5  # the height of the chart without its lower margin, page.js


def test_the_point_under_the_pointer_is_marked(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page, 1_200)
    marks = "circle.point[visibility=visible]"
    assert count(browser, marks) == 0
    ActionChains(browser).move_to_element(browser.find_element(By.CSS_SELECTOR, "svg")).perform()
    assert count(browser, marks) == 3
    dot = browser.find_element(By.CSS_SELECTOR, "svg.sweep circle")
    ActionChains(browser).move_to_element(dot).perform()
    assert browser.find_element(By.ID, "tip").text == "β = 0.1: 100"


def test_it_says_all_of_a_run_and_what_was_left_out(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page, 1_200)
    text = browser.find_element(By.ID, "runs")
    names = [one.text for one in text.find_elements(By.CSS_SELECTOR, "summary")]
    assert len(names) == 5
    assert any(name.startswith(f"{NAME}:") for name in names)
    text.find_element(By.CSS_SELECTOR, "summary").click()
    shown = text.find_element(By.CSS_SELECTOR, "details").text
    assert "phieb train venture --frames 6000000 --seed 1" in shown
    assert all(said in shown for said in ("gamma", "ale-py", "evaluation_mean"))
    assert "line 1 is damaged" in browser.find_element(By.ID, "left-out").text
    assert "What came of it" in shown
    assert "http" not in page.read_text().replace("http-equiv", "").replace("http://www.w3.org", "")


def test_it_says_which_commands_made_it(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page, 1_200)
    commands = browser.find_element(By.ID, "commands")
    assert "phieb" not in commands.text
    commands.find_element(By.TAG_NAME, "summary").click()
    told = [one.text for one in commands.find_elements(By.TAG_NAME, "code")]
    assert told == [
        "phieb reproduce --games venture,montezuma_revenge --out 'my runs'",
        f"phieb report {page.parents[1]}",
    ]


def test_a_small_film_is_in_the_page_and_a_large_one_beside_it(
    browser: webdriver.Chrome, page: Path
) -> None:
    show(browser, page, 1_200)
    small, large = browser.find_elements(By.CSS_SELECTOR, "figure")
    assert small.text == "Sarsa-φ-EB: an episode of v2"
    assert large.text == "Sarsa-φ-EB (β = 0.1): film of b, 5 MB"
    link = large.find_element(By.TAG_NAME, "a").get_attribute("href")
    assert link == Run(page.parents[1] / "b").film.as_uri()
    script = """
        const [film, done] = arguments, told = () => done([film.videoWidth, film.duration]);
        if (film.readyState) told(); else film.onloadedmetadata = told;
        film.onerror = () => done(film.error.message);
    """
    film = small.find_element(By.TAG_NAME, "video")
    width, seconds = browser.execute_async_script(script, film)
    assert width == 160
    assert 0.3 < seconds < 0.6
    assert console(browser) == []


def test_the_keyboard_reaches_everything(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page, 1_200)

    def press(key: str, times: int = 1) -> None:
        for _ in range(times):
            ActionChains(browser).send_keys(key).perform()

    def focused() -> str:
        said: str = browser.execute_script(
            "const at = document.activeElement, label = at.getAttribute('aria-label');"
            "return at.dataset.what ?? at.dataset.form ?? label ?? at.tagName"
        )
        return said

    press(Keys.TAB)
    assert focused() == "SUMMARY"
    seen = []
    for _ in range(9):
        press(Keys.TAB)
        seen.append(focused())
    assert seen[: len(QUANTITIES)] == list(QUANTITIES)
    assert seen[len(QUANTITIES) :] == ["paper", "ours", "Venture: score against frames"]
    tip = browser.find_element(By.ID, "tip")
    assert "6,000,000 frames" in tip.text  # the end, where the keyboard comes to it
    press(Keys.HOME)
    assert tip.text.startswith("0 frames")
    press(Keys.ARROW_RIGHT, 2)
    assert tip.text.startswith("60,000 frames")
    assert count(browser, "circle.point[visibility=visible]") == 3
    press(Keys.TAB)
    assert not tip.is_displayed()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1_200, 400])
def test_axe_finds_nothing(browser: webdriver.Chrome, page: Path, width: int, dark: bool) -> None:
    show(browser, page, width)
    for details in browser.find_elements(By.TAG_NAME, "details"):
        browser.execute_script("arguments[0].open = true", details)
    assert complaints(browser, dark=dark) == []
