"""Makes wordnet.txt.gz from the database files of WordNet 3.0 (Debian's package wordnet-base).

usage: make_wordnet.py DIRECTORY_WITH_data.noun_AND_data.verb OUTPUT
"""

import gzip
import pathlib
import sys

# Pointers (see wninput(5WN)) that lead upwards. Their inverses are left out.
RELATIONS = {
    "@": "hypernym",
    "@i": "instance hypernym",
    "#m": "member holonym",
    "#s": "substance holonym",
    "#p": "part holonym",
    "*": "entailment",
    ">": "cause",
}
PART_OF_SPEECH = {"n": 1, "v": 2}


def label(offset: str, part_of_speech: str) -> int:
    """Returns the synset's id in WordNet's Prolog edition."""
    return PART_OF_SPEECH[part_of_speech] * 10**8 + int(offset)


def edges_of(line: str):
    fields = line.split("|", maxsplit=1)[0].split()
    source = label(fields[0], fields[2])
    pointers = fields[4 + 2 * int(fields[3], 16) + 1 :]
    for i in range(0, len(pointers) - 3, 4):
        relation, offset, part_of_speech = pointers[i : i + 3]
        if relation in RELATIONS:
            yield source, label(offset, part_of_speech)


def main(directory: str, output: str) -> None:
    with gzip.GzipFile(output, "wb", compresslevel=9, mtime=0) as packed:
        packed.write(b"# WordNet 3.0: each noun and verb synset and what it is a kind or a part of (see README.md)\n")
        for part in ("noun", "verb"):
            for line in (pathlib.Path(directory) / f"data.{part}").read_text().splitlines():
                if not line.startswith("  "):
                    packed.writelines(f"{source} {target}\n".encode() for source, target in edges_of(line))


if __name__ == "__main__":
    main(*sys.argv[1:])
