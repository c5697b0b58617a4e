def f(n):
    s = 0
    for i in range(n):
        s = s + i * 2
    return s
f(5000000)
