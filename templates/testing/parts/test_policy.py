"""When a run is over, unless the spec says otherwise."""

from runtime.boundary.policy import Policy


def test_the_limits_are_told_in_words() -> None:
    """For the log."""
    both = Policy(deadline_s=60, idle_deadline_s=2.5)

    assert both.limits == "60 s in all or 2.5 s without an event"
    assert Policy(idle_deadline_s=2).limits == "2 s without an event"


def test_a_run_takes_its_time_and_ends_as_it_is() -> None:
    """By default nothing stands in for an empty result."""
    chosen = Policy(
        deadline_s=None, idle_deadline_s=None, empty_result="complete", empty_text=""
    )

    assert Policy() == chosen
    assert Policy().limits == ""
