"""Search by prediction: measure what is predicted to be fastest, then what lies around it."""


def search(order, measure, neighbours, k=20, steps=True):
    """Measures the first k variants of order, the fastest predicted ones, then neighbours of the best one.

    measure takes a list of variants and gives their times, None for one that cannot run; neighbours gives those of a
    variant. While a neighbour is faster than the best variant, it goes on from there; neighbours are measured in
    the order of their prediction. Returns {variant: time}.
    """
    measured = {}
    place = {v: i for i, v in enumerate(order)}

    def try_all(variants):
        fresh = [v for v in dict.fromkeys(variants) if v not in measured]
        for v, time in zip(fresh, measure(fresh) if fresh else []):
            measured[v] = time

    def best():
        timed = [(time, place.get(v, len(place)), v) for v, time in measured.items() if time is not None]
        return min(timed)[2] if timed else None

    try_all(order[:k])
    centre = best()
    while steps and centre is not None:
        try_all(sorted(neighbours(centre), key=lambda v: place.get(v, len(place))))
        if best() == centre:
            break
        centre = best()
    return measured
