"""Answers of CPython's re for patterns read as lines of JSON."""
import json
import re
import sys
import warnings

warnings.simplefilter("ignore")


def spans(m):
    if m is None:
        return None
    return [list(m.span(i)) for i in range(m.re.groups + 1)] + [m.lastindex]


def answer(case):
    try:
        p = re.compile(case["pattern"], case["flags"])
    except (re.error, OverflowError, ValueError) as e:
        return {"error": type(e).__name__ + ": " + str(e)}
    text = case["text"]
    return {
        "flags": int(p.flags),
        "names": dict(p.groupindex),
        "found": [spans(m) for m in p.finditer(text)],
        "match": spans(p.match(text)),
        "full": spans(p.fullmatch(text)),
    }


for line in sys.stdin:
    case = json.loads(line)
    case["answer"] = answer(case)
    print(json.dumps(case))
