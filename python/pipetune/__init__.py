"""Predicted times of GPU kernel variants for tuners.

Model      a kernel and how its variants are launched; it runs the command pipetune
search     measures the variants that are predicted to be fastest, then their neighbours
Strategy   search as a strategy of Kernel Tuner
"""

from pipetune.model import Model, PipetuneError
from pipetune.search import search
from pipetune.strategy import Strategy, register

__all__ = ["Model", "PipetuneError", "Strategy", "register", "search"]
