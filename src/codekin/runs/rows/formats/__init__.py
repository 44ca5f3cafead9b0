"""Files as test harnesses write them, one reader per harness; reading.py lists them."""
