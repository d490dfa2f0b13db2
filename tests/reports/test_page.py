"""report.html in a browser: it renders, tells values where one points, and fits a telephone."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from phieb.reports.colours import colour_of
from phieb.reports.groups import read_runs
from phieb.reports.page import QUANTITIES
from phieb.reports.report import write_report
from phieb.worlds.still import still
from tests.reports.support import write_run

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
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
    first, *_ = write_report(read_runs(folder), folder / "report", still)
    return first


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    found = [path for name in BROWSERS if (path := shutil.which(name))]
    driver = shutil.which("chromedriver")
    if not found or not driver:
        pytest.skip("no Chromium with chromedriver: `make test-page` installs them")
    options = webdriver.ChromeOptions()
    options.binary_location = found[0]
    for given in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        f"--user-data-dir={tmp_path_factory.mktemp('browser')}",
    ):
        options.add_argument(given)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options, Service(driver))
    yield started
    started.quit()


def show(browser: webdriver.Chrome, page: Path, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(page.as_uri())


def console(browser: webdriver.Chrome) -> list[str]:
    """What the browser complained of."""
    lines: list[dict[str, str]] = browser.get_log("browser")  # type: ignore[no-untyped-call]
    return [line["message"] for line in lines]


def count(browser: webdriver.Chrome, selector: str) -> int:
    return len(browser.find_elements(By.CSS_SELECTOR, selector))


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
    assert "http" not in page.read_text().replace("http-equiv", "").replace("http://www.w3.org", "")
