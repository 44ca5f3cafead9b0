"""What all tests share."""

import os

from hypothesis import settings

# Continuous integration repeats the same examples; everybody else looks for new ones.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
