def f(n):
    i = 0
    s = 0
    while i < n:
        if i % 3 == 0:
            s += i
        i += 1
    return s
f(3000000)
