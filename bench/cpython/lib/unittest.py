"""What CPython's test files need of unittest. It runs nothing by itself."""
import re
import math
from contextlib import contextmanager


class SkipTest(Exception):
    pass


class Missing:
    """Stands for a module, or a part of one, that is not there."""
    def __init__(self, name):
        object.__setattr__(self, "_name", name)

    def _skip(self):
        raise SkipTest("needs " + self._name)

    def __getattr__(self, name):
        self._skip()

    def __call__(self, *args, **kwargs):
        # A decorator that is not there leaves a test that is skipped.
        if len(args) == 1 and not kwargs and callable(args[0]) and not isinstance(args[0], type):
            return skip("needs " + self._name)(args[0])
        self._skip()


class _Expected(Exception):
    pass


def _skipping(reason):
    def decorate(item):
        if isinstance(item, type):
            item.__unittest_skip_why__ = reason
            return item

        def wrapper(*args, **kwargs):
            raise SkipTest(reason)
        wrapper.__name__ = getattr(item, "__name__", "test")
        return wrapper
    return decorate


def skip(reason):
    if callable(reason):
        return _skipping("")(reason)
    return _skipping(reason)


def _same(item):
    return item


def skipIf(condition, reason):
    return _skipping(reason) if condition else _same


def skipUnless(condition, reason):
    return _same if condition else _skipping(reason)


def expectedFailure(test):
    return _skipping("expected to fail")(test)


def main(*args, **kwargs):
    pass


class TestSuite:
    def __init__(self, tests=()):
        pass

    def addTest(self, test):
        pass


class TestLoader:
    pass


defaultTestLoader = TestLoader()


class _Raises:
    def __init__(self, case, expected, regex=None):
        self.case, self.expected, self.regex = case, expected, regex

    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        if kind is None:
            names = self.expected if isinstance(self.expected, tuple) else (self.expected,)
            raise self.case.failureException(" or ".join(n.__name__ for n in names) + " not raised")
        if not issubclass(kind, self.expected):
            return False
        self.exception = value
        if self.regex is not None and not re.search(self.regex, str(value)):
            raise self.case.failureException(f"{self.regex!r} does not match {str(value)!r}")
        return True


class _Warns:
    def __enter__(self):
        raise SkipTest("needs warnings")

    def __exit__(self, *args):
        return False


class TestCase:
    failureException = AssertionError
    longMessage = True
    maxDiff = None

    def __init__(self, methodName="runTest"):
        self._method = methodName
        self._cleanups = []
        self._failed = []
        self._skipped = []

    def id(self):
        return type(self).__name__ + "." + self._method

    def setUp(self):
        pass

    def tearDown(self):
        pass

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def addCleanup(self, function, /, *args, **kwargs):
        self._cleanups.append((function, args, kwargs))

    def doCleanups(self):
        while self._cleanups:
            function, args, kwargs = self._cleanups.pop()
            function(*args, **kwargs)

    def enterContext(self, cm):
        result = cm.__enter__()
        self.addCleanup(cm.__exit__, None, None, None)
        return result

    def addTypeEqualityFunc(self, kind, function):
        pass

    @contextmanager
    def subTest(self, msg=None, **params):
        try:
            yield
        except SkipTest as e:
            self._skipped.append(str(e))
        except Exception as e:
            self._failed.append((type(e).__name__, f"{e} (in {msg or ''} {params!r})"))

    def skipTest(self, reason):
        raise SkipTest(reason)

    def fail(self, msg=None):
        raise self.failureException(msg)

    def _check(self, ok, text, msg=None):
        if not ok:
            raise self.failureException(text if msg is None else f"{text} : {msg}")

    def assertTrue(self, expr, msg=None):
        if not expr:
            self._check(False, f"{expr!r} is not true", msg)

    def assertFalse(self, expr, msg=None):
        if expr:
            self._check(False, f"{expr!r} is not false", msg)

    def assertEqual(self, first, second, msg=None):
        if not first == second:
            self._check(False, f"{first!r} != {second!r}", msg)

    assertSequenceEqual = assertListEqual = assertTupleEqual = assertSetEqual = assertDictEqual = assertMultiLineEqual = assertEqual

    def assertSequenceEqual(self, first, second, msg=None, seq_type=None):
        if not (first == second or len(first) == len(second) and all(a == b for a, b in zip(first, second))):
            self._check(False, f"{first!r} != {second!r}", msg)

    def assertNotEqual(self, first, second, msg=None):
        if not first != second:
            self._check(False, f"{first!r} == {second!r}", msg)

    def assertIs(self, a, b, msg=None):
        if a is not b:
            self._check(False, f"{a!r} is not {b!r}", msg)

    def assertIsNot(self, a, b, msg=None):
        if a is b:
            self._check(False, f"unexpectedly identical: {a!r}", msg)

    def assertIsNone(self, a, msg=None):
        self.assertIs(a, None, msg)

    def assertIsNotNone(self, a, msg=None):
        self.assertIsNot(a, None, msg)

    def assertIn(self, a, b, msg=None):
        if a not in b:
            self._check(False, f"{a!r} not found in {b!r}", msg)

    def assertNotIn(self, a, b, msg=None):
        if a in b:
            self._check(False, f"{a!r} unexpectedly found in {b!r}", msg)

    def assertIsInstance(self, a, cls, msg=None):
        if not isinstance(a, cls):
            self._check(False, f"{a!r} is not an instance of {cls!r}", msg)

    def assertNotIsInstance(self, a, cls, msg=None):
        if isinstance(a, cls):
            self._check(False, f"{a!r} is an instance of {cls!r}", msg)

    def assertGreater(self, a, b, msg=None):
        if not a > b:
            self._check(False, f"{a!r} not greater than {b!r}", msg)

    def assertGreaterEqual(self, a, b, msg=None):
        if not a >= b:
            self._check(False, f"{a!r} not greater than or equal to {b!r}", msg)

    def assertLess(self, a, b, msg=None):
        if not a < b:
            self._check(False, f"{a!r} not less than {b!r}", msg)

    def assertLessEqual(self, a, b, msg=None):
        if not a <= b:
            self._check(False, f"{a!r} not less than or equal to {b!r}", msg)

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if first == second:
            return
        diff = abs(first - second)
        if delta is not None:
            ok = diff <= delta
        else:
            ok = round(diff, 7 if places is None else places) == 0
        self._check(ok, f"{first!r} != {second!r} within the tolerance", msg)

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        diff = abs(first - second)
        if delta is not None:
            ok = not first == second and diff > delta
        else:
            ok = not first == second and round(diff, 7 if places is None else places) != 0
        self._check(ok, f"{first!r} == {second!r} within the tolerance", msg)

    def assertRegex(self, text, regex, msg=None):
        if not re.search(regex, text):
            self._check(False, f"{regex!r} does not match {text!r}", msg)

    def assertNotRegex(self, text, regex, msg=None):
        if re.search(regex, text):
            self._check(False, f"{regex!r} matches {text!r}", msg)

    def assertCountEqual(self, first, second, msg=None):
        first, second = list(first), list(second)
        rest = list(second)
        ok = len(first) == len(second)
        for e in first:
            if e in rest:
                rest.remove(e)
            else:
                ok = False
        self._check(ok, f"the elements of {first!r} and {second!r} differ", msg)

    def assertRaises(self, expected, *args, **kwargs):
        cm = _Raises(self, expected)
        if not args:
            return cm
        with cm:
            args[0](*args[1:], **kwargs)

    def assertRaisesRegex(self, expected, regex, *args, **kwargs):
        cm = _Raises(self, expected, regex)
        if not args:
            return cm
        with cm:
            args[0](*args[1:], **kwargs)

    def assertWarns(self, *args, **kwargs):
        if len(args) > 1:
            raise SkipTest("needs warnings")
        return _Warns()

    def assertWarnsRegex(self, *args, **kwargs):
        if len(args) > 2:
            raise SkipTest("needs warnings")
        return _Warns()

    def assertLogs(self, *args, **kwargs):
        raise SkipTest("needs logging")

    assertNoLogs = assertLogs


class IsolatedAsyncioTestCase(TestCase):
    def setUp(self):
        raise SkipTest("needs an event loop")


def run_case(cls, name):
    """Runs one test: its verdict, and why."""
    why = getattr(cls, "__unittest_skip_why__", None)
    if why is not None:
        return "skip", why
    case = None
    try:
        cls.setUpClass()
        case = cls(name)
        case.setUp()
        try:
            getattr(case, name)()
        finally:
            case.tearDown()
            case.doCleanups()
    except SkipTest as e:
        return "skip", str(e)
    except BaseException as e:
        return "fail", f"{type(e).__name__}: {e}"
    if case._failed:
        kind, text = case._failed[0]
        return "fail", f"{kind}: {text}"
    if case._skipped:
        return "skip", case._skipped[0]
    return "pass", ""
