"""A real browser, and what axe-core has to say of a page in it."""

from importlib.resources import files
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.by import By


def resize(browser: webdriver.Chrome, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def console(browser: webdriver.Chrome) -> list[str]:
    """What the browser complained of."""
    lines: list[dict[str, str]] = browser.get_log("browser")  # type: ignore[no-untyped-call]
    return [line["message"] for line in lines]


def count(browser: webdriver.Chrome, selector: str) -> int:
    return len(browser.find_elements(By.CSS_SELECTOR, selector))


def complaints(browser: webdriver.Chrome, *, dark: bool) -> list[str]:
    """What axe-core complains of: each rule with the elements that break it."""
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    browser.execute_script((files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = browser.execute_async_script(
        "const done = arguments[0]; axe.run().then((all) => done(all.violations));"
    )
    return [f"{one['id']}: {[node['target'] for node in one['nodes']]}" for one in found]
