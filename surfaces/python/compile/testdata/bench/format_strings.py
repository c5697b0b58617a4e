def f():
    n = 0
    for i in range(500000):
        n += len(f"{i}: {i * 2:>8} {'a'!r}")
    return n
f()
