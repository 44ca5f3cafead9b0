"""copydetect on a folder with its default options: a CSV of all pairs and both shares.

Run by the Python that has copydetect: ``python copydetect_pairs.py FOLDER LANGUAGE``. The command
line writes a page of HTML only; this calls the same class and prints every pair.
"""

import sys

from copydetect import CopyDetector

folder, language = sys.argv[1:]
detector = CopyDetector(
    test_dirs=[folder],
    extensions=["c"],
    display_t=0,
    force_language=language,
    autoopen=False,
    silent=True,
)
detector.run()
print("file1,file2,score,containment")
for one in detector.get_copied_code_list():
    first, second, file1, file2 = *one[:2], *one[2:4]
    print(f"{file1},{file2},{(first + second) / 2},{max(first, second)}")
