"""How Hypothesis draws where a test does not say: few examples, so that five minutes do."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "codekin",
    parent=settings.default,
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # which a busy machine is
)
settings.load_profile("codekin")
