"""How hypothesis searches: without a stopwatch (kernels compile), and the same cases on CI."""

import os

from hypothesis import settings

settings.register_profile("phieb", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("phieb")
