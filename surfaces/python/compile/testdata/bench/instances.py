class P:
    def __init__(self, x): self.x = x
    def get(self): return self.x
def f():
    s = 0
    for i in range(500000):
        p = P(i)
        s += p.get()
    return s
f()
