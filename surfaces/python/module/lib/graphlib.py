"""Orders of graphs, as graphlib of CPython 3.12 gives them."""

__all__ = ["TopologicalSorter", "CycleError"]

_OUT = -1
_DONE = -2


class _Node:
    def __init__(self, node):
        self.node = node
        self.waits = 0
        self.successors = []


class CycleError(ValueError):
    pass


class TopologicalSorter:
    def __init__(self, graph=None):
        self._nodes = {}
        self._ready = None
        self._passed = 0
        self._finished = 0
        if graph is not None:
            for node, predecessors in graph.items():
                self.add(node, *predecessors)

    def _info(self, node):
        if (found := self._nodes.get(node)) is None:
            self._nodes[node] = found = _Node(node)
        return found

    def add(self, node, *predecessors):
        if self._ready is not None:
            raise ValueError("Nodes cannot be added after a call to prepare()")
        info = self._info(node)
        info.waits += len(predecessors)
        for p in predecessors:
            self._info(p).successors.append(node)

    def prepare(self):
        if self._ready is not None:
            raise ValueError("cannot prepare() more than once")
        self._ready = [i.node for i in self._nodes.values() if i.waits == 0]
        if cycle := self._cycle():
            raise CycleError("nodes are in a cycle", cycle)

    def get_ready(self):
        if self._ready is None:
            raise ValueError("prepare() must be called first")
        result = tuple(self._ready)
        for node in result:
            self._nodes[node].waits = _OUT
        self._ready.clear()
        self._passed += len(result)
        return result

    def is_active(self):
        if self._ready is None:
            raise ValueError("prepare() must be called first")
        return self._finished < self._passed or bool(self._ready)

    def __bool__(self):
        return self.is_active()

    def done(self, *nodes):
        if self._ready is None:
            raise ValueError("prepare() must be called first")
        for node in nodes:
            if (info := self._nodes.get(node)) is None:
                raise ValueError(f"node {node!r} was not added using add()")
            if info.waits != _OUT:
                if info.waits >= 0:
                    raise ValueError(f"node {node!r} was not passed out (still not ready)")
                raise ValueError(f"node {node!r} was already marked done")
            info.waits = _DONE
            for successor in info.successors:
                s = self._nodes[successor]
                s.waits -= 1
                if s.waits == 0:
                    self._ready.append(successor)
            self._finished += 1

    def _cycle(self):
        stack, iterators, seen, at = [], [], set(), {}
        for node in self._nodes:
            if node in seen:
                continue
            while True:
                if node in seen:
                    if node in at:
                        return stack[at[node]:] + [node]
                else:
                    seen.add(node)
                    iterators.append(iter(self._nodes[node].successors))
                    at[node] = len(stack)
                    stack.append(node)
                while stack:
                    try:
                        node = next(iterators[-1])
                        break
                    except StopIteration:
                        del at[stack.pop()]
                        iterators.pop()
                else:
                    break
        return None

    def static_order(self):
        self.prepare()
        while self.is_active():
            group = self.get_ready()
            yield from group
            self.done(*group)
