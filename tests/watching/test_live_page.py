"""The live page in a browser: it moves, it is renewed, and it can be used without a mouse."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from phieb.training import Run, preset, train
from tests.faults.support import PATIENCE
from tests.reports.browser import complaints, console, count, resize
from tests.reports.support import write_run
from tests.watching.support import Served


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("runs")
    config = preset("default", "montezuma_revenge", frames=1_500, max_frames=700, seed=1)
    train(config, made / "m 1")
    write_run(made / "</script><b>", [5.0, 7.0] * 20, frames=10_000_000)
    return made


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Served]:
    made = Served(folder)
    yield made
    made.end()


def show(browser: webdriver.Chrome, served: Served, width: int) -> WebDriverWait[webdriver.Chrome]:
    """The page with a screen of the trial that has one."""
    resize(browser, width)
    browser.get(served.watcher.server.address)
    wait = WebDriverWait(browser, PATIENCE)
    wait.until(lambda _: count(browser, "#live button[data-trial]") == 2)
    browser.find_element(By.CSS_SELECTOR, "button[data-trial='m 1']").click()
    wait.until(lambda _: browser.find_element(By.CSS_SELECTOR, "#live img").is_displayed())
    return wait


@pytest.mark.parametrize("width", [1_200, 400])
def test_it_shows_a_trial_and_fits(browser: webdriver.Chrome, served: Served, width: int) -> None:
    show(browser, served, width)
    rows = [one.text for one in browser.find_elements(By.CSS_SELECTOR, "#live tbody tr")]
    assert [row.startswith(name) for row, name in zip(rows, ("</script><b>", "m 1"), strict=True)]
    assert "running" in rows[0]
    assert "done" in rows[1]
    assert "2 trials: 1 running, 1 done" in browser.find_element(By.CSS_SELECTOR, "#live p").text
    assert count(browser, ".novel li") == 4
    assert "before its newest checkpoint" in browser.find_element(By.ID, "live").text
    assert "room 1" in browser.find_element(By.ID, "live").text
    assert count(browser, "svg.strip .line") == 3
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert console(browser) == []


def test_the_screen_moves_until_it_is_paused(browser: webdriver.Chrome, served: Served) -> None:
    wait = show(browser, served, 1_200)
    screen = browser.find_element(By.CSS_SELECTOR, "#live img")
    first = screen.get_attribute("src")
    wait.until(lambda _: screen.get_attribute("src") != first)
    pause = browser.find_element(By.CSS_SELECTOR, ".now button")
    assert pause.text == "pause"
    pause.click()
    still = screen.get_attribute("src")
    browser.execute_async_script("setTimeout(arguments[0], 500)")
    assert (pause.text, screen.get_attribute("src")) == ("play", still)


def test_new_episodes_are_drawn_and_what_was_opened_stays_open(
    browser: webdriver.Chrome, served: Served, folder: Path
) -> None:
    wait = show(browser, served, 1_200)
    log = Run(folder / "</script><b>").log_file
    details = "details[data-run='m 1']"
    browser.find_element(By.CSS_SELECTOR, f"{details} summary").click()
    *_, last = log.read_text().splitlines()
    line = json.loads(last)
    more = {**line, "episode": line["episode"] + 1, "frames": line["frames"] + 1_000}
    with log.open("a") as file:
        file.write(json.dumps(more) + "\n")
    told = f"{more['frames']:,} frames"
    wait.until(lambda _: told in browser.find_element(By.ID, "runs").text)
    assert browser.find_element(By.CSS_SELECTOR, details).get_attribute("open") is not None
    assert console(browser) == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1_200, 400])
def test_axe_finds_nothing(
    browser: webdriver.Chrome, served: Served, width: int, dark: bool
) -> None:
    show(browser, served, width)
    assert complaints(browser, dark=dark) == []


def test_when_it_is_stopped_the_page_says_so(browser: webdriver.Chrome, tmp_path: Path) -> None:
    write_run(tmp_path / "one", [5.0])
    made = Served(tmp_path)
    resize(browser, 1_200)
    browser.get(made.watcher.server.address)
    wait = WebDriverWait(browser, PATIENCE)
    wait.until(lambda _: count(browser, "#live button[data-trial]") == 1)
    made.end()
    wait.until(lambda _: "does not answer" in browser.find_element(By.ID, "live").text)
    browser.get("about:blank")
    console(browser)  # that it could not be reached
