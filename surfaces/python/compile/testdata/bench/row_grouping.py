def f():
    rows = [{"id": i, "repo": "r" + str(i % 20), "state": "open" if i % 3 else "closed", "add": i % 100} for i in range(50000)]
    out = None
    for k in range(5):
        groups = {}
        for r in rows:
            if r["state"] == "open" and r["add"] > 10:
                groups.setdefault(r["repo"], []).append(r)
        out = sorted(((k, sum(x["add"] for x in v), len(v)) for k, v in groups.items()), key=lambda t: (-t[1], t[0]))
    return out[0]
f()
