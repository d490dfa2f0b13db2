"""What was counted, in words and in a table."""

import pytest

from phieb.reports import reliability

JUNIT = """<testsuites><testsuite>
<testcase classname="tests.faults.test_disk" name="test_a"><properties>
<property name="kills" value="12"/><property name="cpu_seconds" value="89.9"/></properties>
</testcase>
<testcase classname="tests.faults.test_disk" name="test_b"><properties>
<property name="kills" value="1000"/></properties></testcase>
<testcase classname="tests.faults.test_ray" name="test_c"><skipped/>{more}</testcase>
</testsuite></testsuites>"""


def test_a_table_of_what_the_tests_of_faults_counted() -> None:
    found = reliability.faults_of([JUNIT.format(more="")], "0.6.0")
    assert found["version"] == "0.6.0"
    assert reliability.fault_rows(found)[1:] == [
        ["`test_disk`", "2", "0", "1,012 kills", "1.5 min"],
        ["`test_ray`", "0", "1", "", "0.0 min"],
        ["all", "2", "1", "1,012 kills", "1.5 min"],
    ]


@pytest.mark.parametrize("junit", ["", "<a", JUNIT.format(more='<failure message="x"/>')])
def test_nothing_is_said_of_tests_that_failed(junit: str) -> None:
    with pytest.raises(ValueError, match="test_ray::test_c: failure|not what pytest"):
        reliability.faults_of([junit], "0.6.0")


def test_soaks_in_turn_are_one() -> None:
    one = {"version": "0.6.0", "seed": 3, "kills": 9, "seconds": 60}
    both = [
        {**one, "runs": {"Ray": 1, "local": 1, "raylet": 1, "venture": 2}},
        {**one, "seed": 4, "runs": {"local": 1, "qbert": 1}},
    ]
    said = reliability.soak_sentence(reliability.summed(both))
    assert said.startswith("18 kills of 3 runs, 1 of them on Ray, where 1 of the kills was of")
    assert "seed 3 and 4" in said
    assert "qbert 1; venture 2" in said
    with pytest.raises(ValueError, match="versions"):
        reliability.summed([both[0], {**both[1], "version": "0.5.0"}])


def test_the_fuzzer_in_words() -> None:
    found = {"version": "0.6.0", "seconds": 601, "runs": 12_345, "refused": 9_000, "failures": 0}
    assert reliability.fuzz_sentence(found).startswith("12,345 files in 10 minutes, 9,000 of them")
