"""The same by Kernel Tuner, whose simulation mode replays the recorded times: no GPU is needed.

    PYTHONPATH=python python3 python/examples/kernel_tuner_replay.py [PIPETUNE]
"""

import json
import pathlib
import sys

import kernel_tuner
import pipetune

HERE = pathlib.Path(__file__).parent
recorded = json.loads((HERE / "conv_h100.json").read_text())
measured = {tuple(map(str, (entry[n] for n in recorded["tune_params_keys"]))) for entry in recorded["cache"].values()}



def was_measured(values):
    """Whether the cache has a variant."""
    return tuple(str(values[n]) for n in recorded["tune_params_keys"]) in measured


model = pipetune.Model(HERE / "conv.cu", gpu="h100sxm", local="BX,BY", grid="4096 / (BX * TX),4096 / (BY * TY)",
                       args={"w": 4096}, flags=["--warm"], command=(sys.argv[1:] or ["pipetune"])[0])
pipetune.register(model, k=10)
results, _ = kernel_tuner.tune_kernel(
    "conv", (HERE / "conv.cu").read_text(), (4096, 4096), [], recorded["tune_params"], lang="CUDA",
    restrictions=was_measured,
    block_size_names=["BX", "BY", "BZ"], grid_div_x=["BX", "TX"], grid_div_y=["BY", "TY"],
    strategy="pipesim", cache=str(HERE / "conv_h100.json"), simulation_mode=True, quiet=True)
best = min(results, key=lambda r: r["time"])
print(f"{len(results)} variants measured, the best takes {best['time']:.3f} ms")
