"""Times the package codebleu in its own environment, one line of JSON in, one out.

In: ``{"lang": ..., "pairs": [[candidate, reference], ...]}``. Out: ``{"seconds": [...]}``, one a
pair.
"""

import json
import logging
import sys
import time

from codebleu import calc_codebleu

logging.disable(logging.CRITICAL)

for line in sys.stdin:
    request = json.loads(line)
    seconds = []
    for candidate, reference in request["pairs"]:
        start = time.perf_counter()
        calc_codebleu([reference], [candidate], lang=request["lang"])
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"seconds": seconds}), flush=True)
