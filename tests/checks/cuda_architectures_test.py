"""Which GPUs the program is compiled for by default: cmake/BreadthCuda.cmake with scripts that stand in for nvcc and
nvidia-smi."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

MODULE = pathlib.Path(__file__).resolve().parents[2] / "cmake/BreadthCuda.cmake"


class CudaArchitectures(unittest.TestCase):
    def setUp(self):
        owner = tempfile.TemporaryDirectory()
        self.addCleanup(owner.cleanup)
        self.folder = pathlib.Path(owner.name)

    def write_program(self, name, lines):
        path = self.folder / name
        path.write_text("#!/bin/sh\ncat <<END\n" + "\n".join(lines) + "\nEND\n")
        path.chmod(0o755)
        return path

    def chosen(self, known, present):
        nvcc = self.write_program("nvcc", [f"compute_{capability}" for capability in known])
        self.write_program("nvidia-smi", present)
        script = self.folder / "script.cmake"
        script.write_text(
            "cmake_minimum_required(VERSION 3.25)\nset(BREADTH_WITH_CUDA OFF)\n"
            f'include("{MODULE}")\nset(CMAKE_CUDA_COMPILER "{nvcc}")\n'
            'breadth_choose_architectures(chosen)\nmessage(NOTICE "chosen: ${chosen}")\n'
        )
        variables = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        command = [shutil.which("cmake"), "-P", script]
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stderr.split("chosen: ")[1].strip().split(";")

    def test_compiles_for_the_gpus_that_are_there(self):
        known = [75, 80, 86, 89, 90, 100]
        self.assertEqual(self.chosen(known, ["9.0"]), ["90"])
        self.assertEqual(self.chosen(known, ["9.0", "8.0", "9.0"]), ["80", "90"])
        self.assertEqual(self.chosen(known, ["10.0", "8.6"]), ["86", "100"])

    def test_compiles_for_many_where_there_is_none(self):
        no_gpu = ["NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver."]
        self.assertEqual(self.chosen([75, 80, 86, 90, 100, 120], no_gpu), ["75-virtual", "80-real", "90"])
        self.assertEqual(self.chosen([50, 75, 80, 86, 90], no_gpu), ["75-virtual", "80-real", "90"])
        self.assertEqual(self.chosen([80, 100, 110], no_gpu), ["80"])

    def test_leaves_a_gpu_that_is_newer_than_the_compiler_to_the_driver(self):
        self.assertEqual(self.chosen([75, 80, 90], ["12.0"]), ["75-virtual", "80-real", "90"])
        self.assertEqual(self.chosen([], []), ["80-real", "90"])


if __name__ == "__main__":
    unittest.main()
