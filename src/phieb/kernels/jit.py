"""How every kernel is compiled."""

from numba import njit

# Cached on disk, so that only the first run of a version compiles; without the interpreter's
# lock, so that threads use all cores; without `fastmath`, so that results do not depend on it.
kernel = njit(cache=True, nogil=True, error_model="numpy")
