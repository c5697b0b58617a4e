"""Parses programs with CPython and prints their trees in the form of tree_test.go.

Reads one JSON object a line, {"id": …, "code": …}, and answers with
{"id", "tree"} or {"id", "error": [stage, type, message, line, column]}.
"""
import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)

OPERATORS = {
    "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "Mod": "%", "Pow": "**", "LShift": "<<", "RShift": ">>",
    "BitOr": "|", "BitXor": "^", "BitAnd": "&", "FloorDiv": "//", "MatMult": "@", "And": "and", "Or": "or",
    "Not": "not", "USub": "-", "UAdd": "+", "Invert": "~", "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=",
    "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}
# Fields in the order of the Go structs, where that differs from _fields.
FIELDS = {
    "FunctionDef": ["name", "type_params", "args", "body", "decorator_list", "returns"],
    "ClassDef": ["name", "type_params", "bases", "keywords", "body", "decorator_list"],
    "arguments": ["posonlyargs", "args", "vararg", "kwonlyargs", "kw_defaults", "kwarg", "defaults"],
    "arg": ["arg", "annotation"],
    "comprehension": ["target", "iter", "ifs"],
    "For": ["target", "iter", "body", "orelse"],
    "With": ["items", "body"],
    "Assign": ["targets", "value"],
    "Try": ["body", "handlers", "orelse", "finalbody"],
    "Compare": ["left", "ops", "comparators"],
    "AnnAssign": ["target", "annotation", "value"],
    "JoinedStr": ["values"],
}
NAMES = {
    "keyword": "Keyword", "arg": "Arg", "arguments": "Arguments", "comprehension": "Comprehension", "alias": "Alias",
    "withitem": "WithItem", "match_case": "Case", "AsyncFunctionDef": "FunctionDef", "AsyncFor": "For",
    "AsyncWith": "With", "TryStar": "Try", "Expr": "ExprStmt",
}
FLAGS = {"FunctionDef", "For", "With", "Comprehension", "AnnAssign", "Try"}


def text(s):
    return json.dumps(s.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))


def constant(v):
    if v is None:
        return "None"
    if v is Ellipsis:
        return "..."
    if isinstance(v, bool):
        return str(v)
    if isinstance(v, str):
        return text(v)
    if isinstance(v, bytes):
        return "b" + v.hex()
    if isinstance(v, complex):
        return "j" + repr(v.imag)
    return repr(v)


def dump(n):
    if n is None:
        return "-"
    if isinstance(n, list):
        return "[" + " ".join(dump(x) for x in n) + "]"
    if isinstance(n, str):
        return text(n)
    if isinstance(n, (int, bool)):
        return str(n)
    t = type(n).__name__
    if t in OPERATORS:
        return text(OPERATORS[t])
    if t in ("TypeVar", "ParamSpec", "TypeVarTuple"):
        star = {"TypeVar": "", "TypeVarTuple": "*", "ParamSpec": "**"}[t]
        return f'(TypeParam{place(n)} {text(star)} {text(n.name)} {dump(getattr(n, "bound", None))})'
    name = NAMES.get(t, t)
    fields = FIELDS.get(name, FIELDS.get(t, [f for f in n._fields if f not in ("ctx", "type_comment", "kind", "is_async")]))
    out = "(" + name + (place(n) if hasattr(n, "lineno") else "")
    for f in fields:
        v = getattr(n, f)
        if t == "Constant" or t == "MatchSingleton":
            out += " " + constant(v)
        elif v is None and f in ("asname", "module", "rest") or v is None and f == "name" and t in ("ExceptHandler", "MatchAs", "MatchStar") or v is None and f == "arg":
            out += ' ""'
        else:
            out += " " + dump(v)
    if name in FLAGS:
        flag = t.startswith("Async") or t == "TryStar" or bool(getattr(n, "is_async", 0)) or bool(getattr(n, "simple", 0))
        out += " " + str(flag)
    return out + ")"


def place(n):
    return f"@{n.lineno}:{n.col_offset}-{n.end_lineno}:{n.end_col_offset}"


for line in sys.stdin:
    case = json.loads(line)
    answer = {"id": case["id"]}
    try:
        tree = ast.parse(case["code"])
        answer["tree"] = dump(tree.body)
        compile(case["code"], "<program>", "exec")
    except SyntaxError as e:
        stage = "compile" if "tree" in answer else "parse"
        answer["error"] = [stage, type(e).__name__, e.msg, e.lineno, e.offset]
    except (RecursionError, MemoryError, ValueError) as e:
        answer["skip"] = str(e)
    print(json.dumps(answer), flush=True)
