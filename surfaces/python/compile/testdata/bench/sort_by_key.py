def f():
    rows = [{"n": (i * 7919) % 100003, "s": str(i % 100)} for i in range(100000)]
    a = sorted(rows, key=lambda r: (r["s"], -r["n"]))
    b = sorted(rows, key=lambda r: r["n"], reverse=True)
    return a[0], b[0]
f()
