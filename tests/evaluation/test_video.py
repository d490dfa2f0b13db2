"""Films: no larger than is promised, whatever they show."""

import numpy as np

from phieb.evaluation.video import PER_SECOND, RATE, film_of

BUFFER = 2  # seconds of pictures that the encoder may write before the limit holds
A_MINUTE = 10_000_000  # bytes


def test_noise_which_cannot_be_compressed_takes_at_most_ten_megabytes_a_minute() -> None:
    rng, seconds = np.random.default_rng(0), 3
    noise = (rng.integers(0, 256, (360, 640, 3), np.uint8) for _ in range(seconds * PER_SECOND))
    assert len(film_of(noise, PER_SECOND)) <= (seconds + BUFFER) * RATE / 8
    assert (60 + BUFFER) * RATE / 8 <= A_MINUTE
