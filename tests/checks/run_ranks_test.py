"""tests/support/run_ranks, which starts the ranks of tests: its command has a folder of its own and gets signals, and
no files are left behind."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

RUN_RANKS = pathlib.Path(__file__).resolve().parents[1] / "support/run_ranks"
SECONDS_TO_WAIT = 60


class RunRanks(unittest.TestCase):
    def setUp(self):
        owner = tempfile.TemporaryDirectory(dir="/tmp")
        self.addCleanup(owner.cleanup)
        self.base = pathlib.Path(owner.name)

    def start(self, script, base=None, **variables):
        return subprocess.Popen(
            [RUN_RANKS, "sh", "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(base or self.base), **variables},
        )

    def assert_removed(self, folder):
        """Checks that the folder is removed. The process that removes it may finish after the command."""
        patience = time.monotonic() + SECONDS_TO_WAIT
        while folder.exists():
            self.assertLess(time.monotonic(), patience, f"{folder} is still there")
            time.sleep(0.01)

    def test_gives_each_command_a_folder_and_removes_it(self):
        script = 'mkdir -p "$TMPDIR/a/b" && echo "$TMPDIR" && read line'
        processes = [self.start(script) for _ in range(2)]
        folders = [pathlib.Path(process.stdout.readline().strip()) for process in processes]
        self.assertEqual({folder.parent for folder in folders}, {self.base})
        self.assertEqual(sorted(self.base.iterdir()), sorted(folders))
        for process, folder in zip(processes, folders, strict=True):
            self.assertTrue(folder.exists())
            process.communicate("end\n")
            self.assertEqual(process.returncode, 0)
            self.assert_removed(folder)

    def test_prevails_over_what_the_user_has_set(self):
        names = ["OMPI_MCA_orte_tmpdir_base", "PRTE_MCA_prte_tmpdir_base"]
        script = "echo $TMPDIR; " + "; ".join(f"echo ${name}" for name in names)
        process = self.start(script, **dict.fromkeys(names, "/elsewhere"))
        folders = process.communicate()[0].split()
        self.assertEqual(folders, folders[:1] * 3)

    def test_makes_short_names(self):
        long = self.base / ("long" * 20)
        long.mkdir()
        folder, _ = self.start("echo $TMPDIR", base=long).communicate()
        self.assertLess(len(folder), 30)

    def test_ends_as_the_command_does(self):
        for script, status in [("exit 7", 7), ("kill -TERM $$", -signal.SIGTERM), ("kill -KILL $$", -signal.SIGKILL)]:
            process = self.start(f"echo $TMPDIR; {script}")
            folder, _ = process.communicate()
            self.assertEqual(process.returncode, status, script)
            self.assert_removed(pathlib.Path(folder.strip()))

    def test_is_the_command_when_a_signal_comes(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            process = self.start('trap "exit 3" TERM INT; echo "$TMPDIR $$"; while :; do sleep 0.01; done')
            folder, identifier = process.stdout.readline().split()
            self.assertEqual(int(identifier), process.pid)
            process.send_signal(number)
            process.communicate(timeout=SECONDS_TO_WAIT)
            self.assertEqual(process.returncode, -signal.SIGKILL if number == signal.SIGKILL else 3)
            self.assert_removed(pathlib.Path(folder))

    def test_keeps_the_folder_until_all_that_was_started_has_ended(self):
        process = self.start('echo "$TMPDIR"; exec 3<&0; (read line <&3; ls -d "$TMPDIR") & exit 4')
        folder = process.stdout.readline().strip()
        self.assertEqual(process.wait(SECONDS_TO_WAIT), 4)
        listed, _ = process.communicate("end\n", timeout=SECONDS_TO_WAIT)
        self.assertEqual(listed.strip(), folder)
        self.assert_removed(pathlib.Path(folder))


if __name__ == "__main__":
    unittest.main()
