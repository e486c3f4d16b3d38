"""Tests of the package; PIPETUNE names the command."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from pipetune import Model, PipetuneError, search

COMMAND = os.environ.get("PIPETUNE", "pipetune")
KERNEL = """
__global__ void scale(float *x, float f)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * N;
#pragma unroll
    for (int k = 0; k < N; k++)
        x[i + k] *= f;
}
"""


class TestModel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        source = pathlib.Path(folder.name) / "scale.cu"
        source.write_text(KERNEL)
        self.model = Model(source, gpu="rtx3090", local="BX", grid="65536 // (BX * N)", command=COMMAND)

    def test_rank(self):
        rows = self.model.rank({"BX": [64, 128, 2048], "N": [1, 2]}, where=["BX != 128 or N == 1"])
        self.assertEqual(len(rows), 5)
        good = [r for r in rows if not r["error"]]
        self.assertEqual([r["seconds"] for r in good], sorted(r["seconds"] for r in good))
        self.assertEqual({r["BX"] for r in rows if r["error"]}, {2048})

    def test_predict(self):
        names, variants = ["BX", "N"], [(64, 1), (2048, 1), (64, 2)]
        seconds = self.model.predict(names, variants)
        self.assertIsNone(seconds[1])
        by_rank = {(r["BX"], r["N"]): r["seconds"] for r in self.model.rank({"BX": [64], "N": [1, 2]})}
        self.assertEqual([seconds[0], seconds[2]], [by_rank[64, 1], by_rank[64, 2]])
        self.assertEqual(self.model.predict(names, [(2048, 2)]), [None])  # no other one is asked for
        self.model.command[0] = "no-such-command"  # what is known is not asked for again
        self.assertEqual(self.model.predict(["N", "BX"], [(1, 64)]), [seconds[0]])
        with self.assertRaisesRegex(PipetuneError, "there is no command no-such-command"):
            self.model.predict(names, [(64, 4)])

    def test_perf_model(self):
        perf_model = self.model.perf_model(["BX", "N"], configs=[{"BX": 64, "N": 1}, {"BX": 2048, "N": 1}])
        self.assertGreater(perf_model(BX=64, N=1, num_warps=4), 0)
        self.assertEqual(perf_model(BX=2048, N=1), float("inf"))

    def test_errors(self):
        with self.assertRaisesRegex(PipetuneError, "parameter M changes nothing"):
            self.model.rank({"BX": [64], "N": [1], "M": [1, 2]})


class TestSearch(unittest.TestCase):
    def test_search(self):
        times = {v: abs(v - 7) for v in range(20)}
        times[3] = None

        def neighbours(v):
            return [n for n in (v - 1, v + 1) if n in times]

        measured = search([12, 3, 15], lambda some: [times[v] for v in some], neighbours, k=3)
        self.assertEqual(min((t, v) for v, t in measured.items() if t is not None), (0, 7))
        self.assertNotIn(19, measured)
        measured = search([12, 15], lambda some: [times[v] for v in some], neighbours, k=1, steps=False)
        self.assertEqual(measured, {12: 5})


class TestReplay(unittest.TestCase):
    def test_replay(self):
        example = pathlib.Path(__file__).parents[1] / "examples" / "replay.py"
        out = subprocess.run([sys.executable, example, COMMAND], capture_output=True, text=True, check=True).stdout
        share = float(out.splitlines()[-1].split("%")[0])
        self.assertGreater(share, 90)


if __name__ == "__main__":
    unittest.main()
