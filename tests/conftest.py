"""How many examples Hypothesis draws where a test does not say: so many that five minutes do."""

from hypothesis import settings

settings.register_profile("codekin", parent=settings.default, max_examples=50)
settings.load_profile("codekin")
