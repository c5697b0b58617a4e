"""What CPython's test files need of test.support."""
import contextlib
import io
import unittest
from unittest import SkipTest, Missing, _skipping

verbose = False
failfast = False
use_resources = None
max_memuse = 0
_1M, _1G, _2G, _4G = 1 << 20, 1 << 30, 2 << 30, 4 << 30
MAX_Py_ssize_t = 2**63 - 1
C_RECURSION_LIMIT = 1000
EXCEEDS_RECURSION_LIMIT = 5000
Py_DEBUG = False
SHORT_TIMEOUT = LONG_TIMEOUT = 30
is_emscripten = is_wasi = is_android = is_apple = is_jython = False
has_fork_support = has_subprocess_support = has_socket_support = False
HAVE_DOCSTRINGS = MISSING_C_DOCSTRINGS = False
TESTFN = "@test"
FUZZ = 1e-6
SuppressCrashReport = contextlib.nullcontext


class TestFailed(Exception):
    pass


class _AlwaysEqual:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False


class _NeverEqual:
    def __eq__(self, other):
        return False

    def __ne__(self, other):
        return True

    def __hash__(self):
        return 1


class _Largest:
    def __eq__(self, other):
        return isinstance(other, _Largest)

    def __lt__(self, other):
        return False

    def __le__(self, other):
        return isinstance(other, _Largest)

    def __gt__(self, other):
        return not isinstance(other, _Largest)

    def __ge__(self, other):
        return True


class _Smallest:
    def __eq__(self, other):
        return isinstance(other, _Smallest)

    def __gt__(self, other):
        return False

    def __ge__(self, other):
        return isinstance(other, _Smallest)

    def __lt__(self, other):
        return not isinstance(other, _Smallest)

    def __le__(self, other):
        return True


ALWAYS_EQ, NEVER_EQ, LARGEST, SMALLEST = _AlwaysEqual(), _NeverEqual(), _Largest(), _Smallest()


def cpython_only(test):
    return _skipping("a detail of CPython")(test)


def check_impl_detail(**guards):
    return False


def impl_detail(msg=None, **guards):
    return _skipping("a detail of CPython")


def no_tracing(test):
    return test


def requires_IEEE_754(test):
    return test


requires_docstrings = _skipping("needs docstrings of builtins")


def refcount_test(test):
    return _skipping("counts references")(test)


def bigmemtest(size, memuse, dry_run=True):
    return _skipping("needs much memory")


def bigaddrspacetest(test):
    return _skipping("needs much memory")(test)


def requires_resource(resource):
    return _skipping("needs the resource " + resource)


def requires(resource, msg=None):
    raise SkipTest("needs the resource " + resource)


def run_with_locale(*args):
    return _skipping("needs locales")


def run_with_tz(tz):
    return _skipping("needs another time zone")


def skip_if_pgo_task(test):
    return test


def requires_subprocess():
    return _skipping("needs processes")


def requires_fork():
    return _skipping("needs processes")


def skip_emscripten_stack_overflow():
    return lambda test: test


def skip_wasi_stack_overflow():
    return lambda test: test


def gc_collect():
    pass


def disable_gc():
    return contextlib.nullcontext()


def check_syntax_error(*args, **kwargs):
    raise SkipTest("needs compile")


def check_sizeof(*args, **kwargs):
    raise SkipTest("needs sys.getsizeof")


def check_free_after_iterating(*args, **kwargs):
    raise SkipTest("counts references")


def check_disallow_instantiation(testcase, tp, *args, **kwds):
    testcase.assertRaises(TypeError, tp, *args, **kwds)


def calcobjsize(fmt):
    raise SkipTest("needs sys.getsizeof")


calcvobjsize = calcobjsize


def check__all__(*args, **kwargs):
    raise SkipTest("asks for the names of a module of CPython")


def run_unittest(*args):
    pass


def run_doctest(*args, **kwargs):
    pass


def infinite_recursion(*args, **kwargs):
    raise SkipTest("deep recursion is a limit here")


def set_recursion_limit(*args):
    raise SkipTest("deep recursion is a limit here")


def adjust_int_max_str_digits(n):
    raise SkipTest("the limit of digits is fixed")


@contextlib.contextmanager
def swap_attr(obj, attr, new):
    if hasattr(obj, attr):
        real = getattr(obj, attr)
        setattr(obj, attr, new)
        try:
            yield real
        finally:
            setattr(obj, attr, real)
    else:
        setattr(obj, attr, new)
        try:
            yield
        finally:
            delattr(obj, attr)


@contextlib.contextmanager
def captured_stdout():
    buffer = io.StringIO()
    with contextlib.redirect_stdout(buffer):
        yield buffer


@contextlib.contextmanager
def captured_stderr():
    yield io.StringIO()


class catch_unraisable_exception:
    def __enter__(self):
        raise SkipTest("needs unraisable exceptions")

    def __exit__(self, *args):
        return False


def import_module(name, *args, **kwargs):
    raise SkipTest("needs " + name)


def import_fresh_module(name, fresh=(), blocked=()):
    """The module as it is here: there is one implementation of each."""
    if name == "json":
        import json
        return json
    if name == "statistics":
        import statistics
        return statistics
    if name == "heapq":
        import heapq
        return heapq
    if name == "bisect":
        import bisect
        return bisect
    if name == "functools":
        import functools
        return functools
    if name == "operator":
        import operator
        return operator
    if name == "decimal":
        import decimal
        return decimal
    if name == "datetime":
        import datetime
        return datetime
    if name == "collections":
        import collections
        return collections
    raise SkipTest("needs a fresh " + name)


@contextlib.contextmanager
def check_warnings(*filters, quiet=True):
    yield None


@contextlib.contextmanager
def _quiet(*args, **kwargs):
    yield None


check_no_warnings = check_no_resource_warning = save_restore_warnings_filters = ignore_warnings_context = _quiet


def ignore_warnings(*args, **kwargs):
    return lambda test: test


def check_syntax_warning(*args, **kwargs):
    raise SkipTest("needs compile")


def assert_python_ok(*args, **kwargs):
    raise SkipTest("needs processes")


assert_python_failure = run_python_until_end = spawn_python = assert_python_ok


def unlink(*args):
    pass


temp_cwd = EnvironmentVarGuard = temp_dir = create_empty_file = Missing("files")
NHASHBITS = 64
has_strftime_extensions = True


def requires_mac_ver(*args):
    return lambda test: test


def requires_working_threading(**kwargs):
    return _skipping("needs threads")


def requires_hashdigest(*args, **kwargs):
    return lambda test: test


def reset_code(f):
    return f


def check_sanitizer(**kwargs):
    return False


def get_attribute(obj, name):
    return getattr(obj, name)


def check_no_resource_warning(*args):
    return _quiet()
