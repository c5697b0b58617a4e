"""Runs programs, read as lines of JSON, as the tests' programs are run here."""
import contextlib
import io
import json
import sys
import warnings

warnings.simplefilter("ignore")


def run(program):
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
    except BaseException as e:
        text = str(e)
        out.write(type(e).__name__ + (": " + text if text else "") + "\n")
    return out.getvalue()


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
