"""How many scores of edits change when random text is added before all three texts.

Usage: ``python results/shared_context.py EDITS [-m NAME]...`` with a folder of edits
(``.jsonl.xz``). Adds the same 2,000 to 3,000 characters before origin, reference and candidate,
different ones in each row, as in the Excision Score paper. Prints how many scores change at all,
for each file and measure.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from codekin import Source
from codekin.measures import parse_measure
from codekin.rewrite import shared_prefix
from codekin.runs.rows import open_rows
from pages import row_files, table

MEASURES = ("bleu", "nes", "sari", "diffbleu", "sanslcs", "es-line", "es-token", "es")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("edits", type=Path)
    parser.add_argument("-m", "--measure", action="append", help="a measure (default: a few)")
    options = parser.parse_args()
    measures = {word: parse_measure(word) for word in options.measure or MEASURES}
    rows = []
    for name, path in row_files(options.edits).items():
        changed = dict.fromkeys(measures, 0)
        count = 0
        for shard in open_rows([path]).shards():
            for record in shard.records():
                if record.fields is None or not isinstance(record.fields.get("origin"), str):
                    continue
                texts = [record.fields[k] for k in ("candidate", "reference", "origin")]
                prefix = shared_prefix(2000, 3000, count)
                count += 1
                language = record.fields["language"]
                plain = [Source(text, language) for text in texts]
                framed = [Source(prefix + text, language) for text in texts]
                for word, one in measures.items():
                    changed[word] += one.score(*plain).value != one.score(*framed).value
        rows.append([name, f"{count:,}", *(f"{changed[word]:,}" for word in measures)])
        print(f"{name}: {count:,} rows", flush=True)
    print("\n" + table(["file", "rows", *measures], rows))


if __name__ == "__main__":
    main()
