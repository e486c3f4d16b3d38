"""The command pipetune as a function of variants."""

import csv
import json
import os
import subprocess
import tempfile


class PipetuneError(Exception):
    """What pipetune said when it failed."""


class Model:
    """A kernel and how its variants are launched.

    local, grid and the values of args are pipetune's expressions over the parameters: "BX,BY",
    "ceil(4096 / (BX * TX)),1024". flags are further flags, as ["--warm", "-k", "blur"].
    """

    def __init__(self, source, gpu, local=None, grid=None, args=None, defines=None, flags=(), command="pipetune"):
        self.command = [command, os.fspath(source), "--gpu", gpu]
        for flag, value in (("--local", local), ("--grid", grid)):
            if value is not None:
                self.command += [flag, str(value)]
        for name, value in (args or {}).items():
            self.command += ["--arg", f"{name}={value}"]
        for name, value in (defines or {}).items():
            self.command += ["-D", f"{name}={value}"]
        self.command += list(flags)
        self._known = {}

    def _run(self, flags):
        """The rows of one run, each a dict with the parameters, seconds, error and so on."""
        command = self.command + ["--format", "jsonl"] + flags
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise PipetuneError(f"there is no command {command[0]}: put pipetune into PATH, or name it with "
                                "Model(command=...)") from None
        if done.returncode != 0:
            raise PipetuneError(done.stderr.strip())
        return [json.loads(line) for line in done.stdout.splitlines()]

    def rank(self, params, where=(), top=0):
        """The variants of the space {name: values}, the fastest first, those that cannot run last."""
        flags = ["--top", str(top)]
        for name, values in params.items():
            flags += ["--param", name + "=" + ",".join(_text(v) for v in values)]
        for condition in where:
            flags += ["--where", condition]
        return self._run(flags)

    def predict(self, names, variants):
        """The predicted seconds of variants, tuples of values in the order of names; None for one that cannot run."""
        names = list(names)
        variants = [tuple(v) for v in variants]
        missing = [v for v in dict.fromkeys(variants) if self._key(names, v) not in self._known]
        if missing:
            with tempfile.TemporaryDirectory() as folder:
                table = os.path.join(folder, "variants.csv")
                with open(table, "w", encoding="utf-8", newline="") as f:
                    out = csv.writer(f)
                    out.writerow(names)
                    out.writerows([_text(x) for x in v] for v in missing)
                rows = self._run(["--space", table])
            columns = [i for i, n in enumerate(names) if n in rows[0]]  # the others change nothing
            seconds = {tuple(_text(row[names[i]]) for i in columns): None if row["error"] else row["seconds"]
                       for row in rows}
            for v in missing:
                self._known[self._key(names, v)] = seconds.get(tuple(_text(v[i]) for i in columns))
        return [self._known.get(self._key(names, v)) for v in variants]

    @staticmethod
    def _key(names, variant):
        return tuple(sorted((n, _text(x)) for n, x in zip(names, variant)))

    def perf_model(self, names, configs=()):
        """A perf_model of Triton's autotune, for a kernel of which self is the CUDA source.

        It is called with a configuration's values by name and gives milliseconds. Configurations that are given
        beforehand are predicted in one run.
        """
        names = list(names)
        if configs:
            self.predict(names, [tuple(c[n] for n in names) for c in configs])

        def perf_model(**values):
            seconds = self.predict(names, [tuple(values[n] for n in names)])[0]
            return float("inf") if seconds is None else 1e3 * seconds

        return perf_model


def _text(value):
    """A value as pipetune writes it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
