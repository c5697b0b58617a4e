def f():
    n = 0
    for r in range(20):
        parts = []
        for i in range(50000):
            parts.append(str(i) + "x")
        n += len(",".join(parts))
    return n
f()
