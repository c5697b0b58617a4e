def f():
    t = 0
    for k in range(20):
        xs = [i * i for i in range(100000) if i & 1]
        t += len(xs)
    return t
f()
