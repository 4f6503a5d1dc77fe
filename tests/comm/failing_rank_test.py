"""A rank that throws while its messages are under way: it prints the reason, and all ranks end.

Usage: failing_rank_test.py PROGRAM LAUNCHER WORD...
"""

import os
import subprocess
import sys
import unittest

PROGRAM, LAUNCHER = sys.argv[1], sys.argv[2:]
RANKS = int(LAUNCHER[-1])
OPEN_MPI = "--oversubscribe" in LAUNCHER
STATUS_OF_FAILURE = 3  # exit status of failing_rank, unless something else ended it
SECONDS_TO_HANG = 60


class FailingRank(unittest.TestCase):
    def test_says_why_and_ends_all_ranks(self):
        variables = {
            **os.environ,
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_pml": "ob1",
            # Senders copy, so that the process that freed memory too early notices it.
            "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
        }
        for ending in ["marks", "consensus", "counts"]:
            with self.subTest(ending):
                result = subprocess.run(
                    [*LAUNCHER, PROGRAM, ending], capture_output=True, text=True, timeout=SECONDS_TO_HANG, env=variables
                )
                self.assertNotEqual(result.returncode, 0, result.stderr)
                lines = result.stderr.replace("\0", "").splitlines()  # Open MPI 5 ends its own messages with NUL
                messages = [line for line in lines if line.startswith("failing_rank: ")]
                if not OPEN_MPI:  # MPICH also fails on other ranks, which read the memory of a rank that ended
                    messages = [line for line in messages if not line.startswith("failing_rank: MPI_")]
                if not messages and not OPEN_MPI:  # MPICH's launcher may end before it forwards the message
                    self.assertEqual(result.returncode, STATUS_OF_FAILURE, result.stderr)
                    continue
                self.assertEqual(
                    messages, [f"failing_rank: the handler cannot go on (on rank 0 of {RANKS})"], result.stderr
                )
                self.assertNotRegex(result.stderr, r"(?i)received signal|signal:|signal \d|sanitizer")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
