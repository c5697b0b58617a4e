def f():
    words = [str(i % 500) for i in range(200000)]
    c = {}
    for r in range(10):
        for w in words:
            c[w] = c.get(w, 0) + 1
    return len(c)
f()
