"""Runs programs, one JSON string a line, and prints what each gives: a JSON list of
its output, the repr of the last expression statement's value, the exception's last
line and the line it was raised on."""

import ast
import contextlib
import io
import json
import resource
import signal
import sys
import warnings

warnings.simplefilter("ignore")


class Last(ast.NodeTransformer):
    """Keeps the value of every expression statement of the top level."""

    def visit_FunctionDef(self, node):
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef

    def visit_Expr(self, node):
        target = ast.Name("__last__", ast.Store())
        return ast.copy_location(ast.Assign([ast.copy_location(target, node)], node.value), node)


def run(source):
    out = io.StringIO()
    names = {"__name__": "__main__", "__last__": None}
    value, error, line = "", "", 0
    with contextlib.redirect_stdout(out):
        try:
            tree = ast.fix_missing_locations(Last().visit(ast.parse(source, "<program>")))
            exec(compile(tree, "<program>", "exec"), names)
            if names["__last__"] is not None:
                value = repr(names["__last__"])
        except SyntaxError as e:
            error, line = f"{type(e).__name__}: {e.msg}", e.lineno
        except BaseException as e:
            text = str(e)
            error = type(e).__name__ + (": " + text if text else "")
            t = e.__traceback__
            while t:
                if t.tb_frame.f_code.co_filename == "<program>":
                    line = t.tb_lineno
                t = t.tb_next
    return [out.getvalue(), value, error, line]


class TooLong(BaseException):
    """A program that takes too long or too much memory to be compared."""


def stop(*_):
    raise TooLong


sys.setrecursionlimit(900)
signal.signal(signal.SIGALRM, stop)
resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
for text in sys.stdin:
    signal.setitimer(signal.ITIMER_REAL, 2)
    answer = json.dumps(run(json.loads(text)))
    signal.setitimer(signal.ITIMER_REAL, 0)
    print(answer, flush=True)
