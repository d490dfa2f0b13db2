"""The browser that the tests of pages share."""

import shutil
from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


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
    started.set_script_timeout(120.0)
    yield started
    started.quit()
