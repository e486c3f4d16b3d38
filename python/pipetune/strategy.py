"""A search strategy of Kernel Tuner that measures what pipetune predicts to be fastest."""

import math

from pipetune.search import search


class Strategy:
    """Use as tune_kernel(..., strategy=Strategy(model)); model is a pipetune.Model.

    strategy_options: k, the number of predicted best variants to measure (default 20), and steps, whether neighbours
    of the best one are measured, too (default True); max_fevals and time_limit end it as they end others.
    """

    def __init__(self, model, k=20, steps=True):
        self.model, self.k, self.steps = model, k, steps

    def tune(self, searchspace, runner, tuning_options):
        """Called by Kernel Tuner."""
        from kernel_tuner.strategies.common import CostFunc
        from kernel_tuner.util import StopCriterionReached

        names = list(searchspace.tune_params.keys())
        variants = [tuple(v) for v in searchspace.list]
        seconds = self.model.predict(names, variants)
        ranked = sorted((s, i) for i, s in enumerate(seconds) if s is not None)
        cost = CostFunc(searchspace, tuning_options, runner, snap=False)
        options = tuning_options.strategy_options or {}

        def measure(some):
            times = cost.eval_all(some, check_restrictions=False)
            return [t if t is not None and math.isfinite(t) and t < 1e30 else None for t in times]

        try:
            search([variants[i] for _, i in ranked], measure,
                   lambda v: [tuple(n) for n in searchspace.get_neighbors(v, neighbor_method="Hamming")],
                   k=options.get("k", self.k), steps=options.get("steps", self.steps))
        except StopCriterionReached as stop:
            if tuning_options.verbose:
                print(stop)
        return cost.results


def register(model, name="pipesim", **options):
    """Makes strategy=name one of Kernel Tuner's."""
    from kernel_tuner import interface

    interface.strategy_map[name] = Strategy(model, **options)
