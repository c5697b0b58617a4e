"""Context managers made of generators and callbacks."""
import functools
from abc import ABC, abstractmethod
from _native import redirect

__all__ = ["contextmanager", "closing", "nullcontext", "AbstractContextManager", "ContextDecorator", "ExitStack", "redirect_stdout", "redirect_stderr", "suppress"]


class AbstractContextManager(ABC):
    def __enter__(self):
        return self

    @abstractmethod
    def __exit__(self, exc_type, exc_value, traceback):
        return None


class ContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @functools.wraps(func)
        def inner(*args, **kwds):
            with self._recreate_cm():
                return func(*args, **kwds)
        return inner


class _GeneratorContextManager(ContextDecorator, AbstractContextManager):
    def __init__(self, func, args, kwds):
        self.gen = func(*args, **kwds)
        self.func, self.args, self.kwds = func, args, kwds

    def _recreate_cm(self):
        return self.__class__(self.func, self.args, self.kwds)

    def __enter__(self):
        self.args = self.kwds = self.func = None
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, typ, value, traceback):
        if typ is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            try:
                raise RuntimeError("generator didn't stop")
            finally:
                self.gen.close()
        if value is None:
            value = typ()
        try:
            self.gen.throw(value)
        except StopIteration as e:
            return e is not value
        except RuntimeError as e:
            if e is value:
                return False
            # A generator turns a StopIteration that leaves it into this.
            if isinstance(value, StopIteration) and e.__cause__ is value:
                return False
            raise
        except BaseException as e:
            if e is not value:
                raise
            return False
        try:
            raise RuntimeError("generator didn't stop after throw()")
        finally:
            self.gen.close()


def contextmanager(func):
    @functools.wraps(func)
    def helper(*args, **kwds):
        return _GeneratorContextManager(func, args, kwds)
    return helper


class closing(AbstractContextManager):
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exc_info):
        self.thing.close()


class nullcontext(AbstractContextManager):
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        pass


class suppress(AbstractContextManager):
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, exctype, excinst, exctb):
        if exctype is None:
            return None
        if issubclass(exctype, self._exceptions):
            return True
        if issubclass(exctype, BaseExceptionGroup):
            match, rest = excinst.split(self._exceptions)
            if rest is None:
                return True
            raise rest
        return False


class redirect_stdout(AbstractContextManager):
    def __init__(self, new_target):
        self._new_target = new_target
        self._old_targets = []

    def __enter__(self):
        self._old_targets.append(redirect(self._new_target))
        return self._new_target

    def __exit__(self, exctype, excinst, exctb):
        redirect(self._old_targets.pop())


class redirect_stderr(AbstractContextManager):
    """Nothing is written to the errors' stream: programs have none."""
    def __init__(self, new_target):
        self._new_target = new_target

    def __enter__(self):
        return self._new_target

    def __exit__(self, exctype, excinst, exctb):
        pass


class ExitStack(AbstractContextManager):
    def __init__(self):
        self._exit_callbacks = []

    def pop_all(self):
        new = type(self)()
        new._exit_callbacks, self._exit_callbacks = self._exit_callbacks, []
        return new

    def push(self, exit):
        cls = type(exit)
        if hasattr(cls, "__exit__"):
            self._exit_callbacks.append((exit.__exit__, True))
        else:
            self._exit_callbacks.append((exit, True))
        return exit

    def enter_context(self, cm):
        cls = type(cm)
        if not (hasattr(cls, "__enter__") and hasattr(cls, "__exit__")):
            raise TypeError(f"'{cls.__module__}.{cls.__qualname__}' object does not support the context manager protocol")
        exit = cm.__exit__
        result = cm.__enter__()
        self._exit_callbacks.append((exit, True))
        return result

    def callback(self, callback, /, *args, **kwds):
        self._exit_callbacks.append((lambda: callback(*args, **kwds), False))
        return callback

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, *exc_details):
        received = exc_details[0] is not None
        current = exc_details[1]
        suppressed = pending = False
        while self._exit_callbacks:
            cb, wants = self._exit_callbacks.pop()
            try:
                if not wants:
                    cb()
                elif cb(None if current is None else type(current), current, None):
                    suppressed, pending, current = True, False, None
            except BaseException as new:
                pending, current = True, new
        if pending:
            raise current
        return received and suppressed
