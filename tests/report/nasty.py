"""Texts that would break a page that is careless with them."""

NASTY = (
    "</script><script>alert(1)</script>",
    "<!-- <script> -->",
    "\u2028 and \u2029",
    "a😀 = '😀' # 😀",
    "\x1b[31m\x7f",
    "{{ 1 + 1 }} {% raw %}",
    "\u202edesrever",
    "&lt; &amp; \"quoted\" 'too'",
    "<!-- data -->",
    "<img src=x onerror=alert(1)>",
)
