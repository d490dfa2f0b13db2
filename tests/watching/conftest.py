"""The browser that the tests of pages share."""

from tests.reports.conftest import browser as browser
