"""Tunes a convolution by prediction, on the recorded times of an H100: no GPU is needed.

    PYTHONPATH=python python3 python/examples/replay.py [PIPETUNE]

120 variants were measured. The search measures the ten that are predicted to be fastest, then neighbours of the best.
"""

import json
import pathlib
import sys

from pipetune import Model, search

HERE = pathlib.Path(__file__).parent
recorded = json.loads((HERE / "conv_h100.json").read_text())
names = recorded["tune_params_keys"]
times = {tuple(entry[n] for n in names): entry["time"] for entry in recorded["cache"].values()}

model = Model(HERE / "conv.cu", gpu="h100sxm", local="BX,BY", grid="4096 / (BX * TX),4096 / (BY * TY)",
              args={"w": 4096}, flags=["--warm"], command=(sys.argv[1:] or ["pipetune"])[0])
variants = list(times)
seconds = dict(zip(variants, model.predict(names, variants)))
order = sorted(variants, key=lambda v: (seconds[v], v))


def neighbours(variant):
    """The variants that differ in one parameter."""
    return [v for v in variants if sum(a != b for a, b in zip(v, variant)) == 1]


measured = search(order, lambda some: [times[v] for v in some], neighbours, k=10)
best = min(measured, key=measured.get)
print(f"{len(measured)} of {len(times)} variants measured")
print("the best:", " ".join(f"{n}={x}" for n, x in zip(names, best)), f"{measured[best]:.3f} ms")
print(f"{100 * min(times.values()) / measured[best]:.1f}% of the optimum")
