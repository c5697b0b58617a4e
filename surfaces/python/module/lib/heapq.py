"""What heapq does with whole iterables."""
from heapq import heapify, heappop, heapreplace, _heapify_max, _heappop_max, _heapreplace_max

__all__ = ["merge", "nlargest", "nsmallest"]


def merge(*iterables, key=None, reverse=False):
    h = []
    if reverse:
        make, pop, replace, direction = _heapify_max, _heappop_max, _heapreplace_max, -1
    else:
        make, pop, replace, direction = heapify, heappop, heapreplace, 1
    for order, it in enumerate(map(iter, iterables)):
        advance = it.__next__
        try:
            value = advance()
        except StopIteration:
            continue
        h.append([value if key is None else key(value), order * direction, value, advance])
    make(h)
    while len(h) > 1:
        entry = h[0]
        while True:
            yield entry[2]
            try:
                value = entry[3]()
            except StopIteration:
                pop(h)
                break
            entry[0] = value if key is None else key(value)
            entry[2] = value
            replace(h, entry)
            if len(h) == 1 or h[0] is not entry:
                break
    if h:
        yield h[0][2]
        advance = h[0][3]
        while True:
            try:
                value = advance()
            except StopIteration:
                return
            yield value


def _chosen(n, iterable, key, reverse):
    if n < 1:
        return []
    return sorted(iterable, key=key, reverse=reverse)[:n]


def nsmallest(n, iterable, key=None):
    return _chosen(n, iterable, key, False)


def nlargest(n, iterable, key=None):
    return _chosen(n, iterable, key, True)
