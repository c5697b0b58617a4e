"""Tasks over calls: what asyncio gives to a program that waits for tools."""

from _asyncio import pending as _pending, awaitable as _awaitable, coroutine as _coroutine, settle as _settle, awaiter as _awaiter
import heapq as _heapq

FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"
ALL_COMPLETED = "ALL_COMPLETED"


class CancelledError(BaseException):
    pass


class InvalidStateError(Exception):
    pass


class QueueEmpty(Exception):
    pass


class QueueFull(Exception):
    pass


TimeoutError = TimeoutError


class _Loop:
    def __init__(self):
        self.ready = []      # tasks that can go on
        self.calls = []      # (call, task) in the order of their starts
        self.timers = []     # (time, number, future)
        self.clock = 0.0
        self.number = 0
        self.current = None
        self.depth = 0

    def time(self):
        return self.clock

    def is_running(self):
        return self.depth > 0

    def is_closed(self):
        return False

    def close(self):
        pass

    def create_task(self, coro, *, name=None, context=None):
        return create_task(coro, name=name)

    def create_future(self):
        return Future()

    def run_until_complete(self, future):
        return _finish(ensure_future(future))

    def call_soon(self, callback, *args):
        task = Task(_call_later(callback, args, 0))
        return task

    def call_later(self, delay, callback, *args):
        return Task(_call_later(callback, args, delay))

    def step(self):
        """Runs one task on, or waits for one call; False if nothing can go on."""
        if self.ready:
            task = self.ready.pop(0)
            task._run()
            return True
        if self.calls:
            call, task = self.calls.pop(0)
            try:
                result = _settle(call)
            except Exception as e:
                task._wake(None, e)
            else:
                task._wake(result, None)
            return True
        if self.timers:
            when, _, future = _heapq.heappop(self.timers)
            self.clock = max(self.clock, when)
            if not future.done():
                future.set_result(None)
            return True
        return False


_loop = _Loop()


async def _call_later(callback, args, delay):
    await sleep(delay)
    callback(*args)


def _others():
    current, _loop.current = _loop.current, None
    try:
        if not _loop.step():
            raise RuntimeError("this program waits for something that nothing in it can bring about")
    finally:
        _loop.current = current


class Future:
    def __init__(self, *, loop=None):
        self._state = "PENDING"
        self._result = None
        self._exception = None
        self._callbacks = []
        self._retrieved = False

    def done(self):
        return self._state != "PENDING"

    def cancelled(self):
        return self._state == "CANCELLED"

    def result(self):
        if self._state == "CANCELLED":
            raise CancelledError()
        if self._state == "PENDING":
            raise InvalidStateError("Result is not set.")
        self._retrieved = True
        if self._exception is not None:
            raise self._exception
        return self._result

    def exception(self):
        if self._state == "CANCELLED":
            raise CancelledError()
        if self._state == "PENDING":
            raise InvalidStateError("Exception is not set.")
        self._retrieved = True
        return self._exception

    def set_result(self, result):
        if self.done():
            raise InvalidStateError("invalid state")
        self._result = result
        self._settled("FINISHED")

    def set_exception(self, exception):
        if self.done():
            raise InvalidStateError("invalid state")
        if isinstance(exception, type):
            exception = exception()
        self._exception = exception
        self._settled("FINISHED")

    def cancel(self, msg=None):
        if self.done():
            return False
        self._settled("CANCELLED")
        return True

    def add_done_callback(self, callback, *, context=None):
        if self.done():
            callback(self)
        else:
            self._callbacks.append(callback)

    def remove_done_callback(self, callback):
        before = len(self._callbacks)
        self._callbacks = [c for c in self._callbacks if c != callback]
        return before - len(self._callbacks)

    def _settled(self, state):
        self._state = state
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(self)

    def __await__(self):
        while not self.done():
            if _loop.current is None:
                if not _loop.step():
                    raise RuntimeError("this program waits for something that nothing in it can bring about")
            else:
                yield self
                if not self.done():  # driven on the spot: the others go on meanwhile
                    _others()
        return self.result()

    __iter__ = __await__


class Task(Future):
    def __init__(self, coro, *, loop=None, name=None):
        Future.__init__(self)
        self._coro = coro
        self._name = name or "Task-" + str(_next_number())
        self._value = None
        self._error = None
        self._waits = None
        self._must_cancel = False
        _loop.ready.append(self)

    def get_name(self):
        return self._name

    def set_name(self, name):
        self._name = str(name)

    def get_coro(self):
        return self._coro

    def __repr__(self):
        return "<Task " + self._state.lower() + " name=" + repr(self._name) + ">"

    def cancel(self, msg=None):
        if self.done():
            return False
        waits = self._waits
        if isinstance(waits, Future) and waits.cancel():
            return True
        self._must_cancel = True
        if waits is not None:
            _loop.calls = [(c, t) for c, t in _loop.calls if t is not self]
            self._wake(None, None)
        return True

    def _wake(self, value, error):
        self._waits = None
        self._value, self._error = value, error
        if not self.done():
            _loop.ready.append(self)

    def _run(self):
        if self.done():
            return
        value, error = self._value, self._error
        self._value = self._error = None
        if self._must_cancel:
            self._must_cancel = False
            error = CancelledError()
        outer, _loop.current = _loop.current, self
        try:
            if error is not None:
                waits = self._coro.throw(error)
            else:
                waits = self._coro.send(value)
        except StopIteration as e:
            _loop.current = outer
            self.set_result(e.value)
            return
        except CancelledError:
            _loop.current = outer
            Future.cancel(self)
            return
        except Exception as e:
            _loop.current = outer
            self.set_exception(e)
            return
        _loop.current = outer
        self._waits = waits
        if _awaitable(waits):
            _loop.calls.append((waits, self))
        elif isinstance(waits, Future):
            waits.add_done_callback(self._resume)
        else:
            self._wake(None, None)

    def _resume(self, future):
        self._wake(None, None)


def _next_number():
    _loop.number += 1
    return _loop.number


async def _await(value):
    return await value


def iscoroutine(value):
    return _coroutine(value)


def isfuture(value):
    return isinstance(value, Future)


def ensure_future(value, *, loop=None):
    if isinstance(value, Future):
        return value
    if _coroutine(value):
        return Task(value)
    if _awaitable(value):
        return Task(_await(value))
    if hasattr(value, "__await__"):
        return Task(_await(value))
    done = Future()
    done.set_result(value)
    return done


def create_task(coro, *, name=None, context=None):
    if _coroutine(coro):
        return Task(coro, name=name)
    return ensure_future(coro)


def current_task(loop=None):
    return _loop.current


def all_tasks(loop=None):
    return {t for t in _loop.ready if not t.done()}


def get_event_loop():
    return _loop


def get_running_loop():
    return _loop


def new_event_loop():
    return _loop


def set_event_loop(loop):
    pass


def _finish(future):
    if _loop.current is not None:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
    _loop.depth += 1
    try:
        while not future.done():
            if not _loop.step():
                raise RuntimeError("this program waits for something that nothing in it can bring about")
    finally:
        _loop.depth -= 1
    return future.result()


def run(main, *, debug=None):
    return _finish(ensure_future(main))


class _Gathered(Future):
    pass


def gather(*values, return_exceptions=False):
    outer = _Gathered()
    seen = {}
    children = []
    for v in values:
        key = id(v)
        if key not in seen or not (_coroutine(v) or isinstance(v, Future)):
            seen[key] = ensure_future(v)
        children.append(seen[key])
    if not children:
        outer.set_result([])
        return outer
    left = [len({id(c) for c in children})]

    def settled(child):
        if outer.done():
            return
        if not return_exceptions:
            if child.cancelled():
                outer.set_exception(CancelledError())
                return
            if child.exception() is not None:
                outer.set_exception(child.exception())
                return
        left[0] -= 1
        if left[0] == 0:
            results = []
            for c in children:
                if c.cancelled():
                    results.append(CancelledError())
                elif c.exception() is not None:
                    results.append(c.exception())
                else:
                    results.append(c.result())
            outer.set_result(results)

    added = set()
    for c in children:
        if id(c) not in added:
            added.add(id(c))
            c.add_done_callback(settled)
    return outer


async def sleep(delay, result=None):
    future = Future()
    if delay <= 0 and _loop.current is not None:
        _loop.ready.append(_Tick(future))
    else:
        _heapq.heappush(_loop.timers, (_loop.clock + max(delay, 0), _next_number(), future))
    await future
    return result


class _Tick:
    """Settles a future when the tasks before it have had their turn."""

    def __init__(self, future):
        self.future = future

    def done(self):
        return self.future.done()

    def _run(self):
        if not self.future.done():
            self.future.set_result(None)


async def wait_for(value, timeout=None):
    task = ensure_future(value)
    if timeout is None:
        return await task
    timer = Future()
    _heapq.heappush(_loop.timers, (_loop.clock + max(timeout, 0), _next_number(), timer))
    woken = Future()

    def wake(_):
        if not woken.done():
            woken.set_result(None)

    task.add_done_callback(wake)
    timer.add_done_callback(wake)
    await woken
    if task.done():
        timer.cancel()
        return task.result()
    task.cancel()
    raise TimeoutError()


def shield(value):
    return ensure_future(value)


async def wait(values, *, timeout=None, return_when=ALL_COMPLETED):
    tasks = [ensure_future(v) for v in values]
    if not tasks:
        raise ValueError("Set of Tasks/Futures is empty.")
    timer = Future()
    if timeout is not None:
        _heapq.heappush(_loop.timers, (_loop.clock + timeout, _next_number(), timer))

    def enough():
        done = [t for t in tasks if t.done()]
        if len(done) == len(tasks) or timer.done():
            return True
        if return_when == FIRST_COMPLETED:
            return bool(done)
        if return_when == FIRST_EXCEPTION:
            return any(not t.cancelled() and t.exception() is not None for t in done)
        return False

    while not enough():
        woken = Future()

        def wake(_, woken=woken):
            if not woken.done():
                woken.set_result(None)

        for t in tasks:
            if not t.done():
                t.add_done_callback(wake)
        timer.add_done_callback(wake)
        await woken
    timer.cancel()
    return {t for t in tasks if t.done()}, {t for t in tasks if not t.done()}


def as_completed(values, *, timeout=None):
    tasks = [ensure_future(v) for v in values]
    finished = Queue()
    for t in tasks:
        t.add_done_callback(finished.put_nowait)

    async def next_one():
        task = await finished.get()
        return task.result()

    for _ in tasks:
        yield next_one()


class TaskGroup:
    def __init__(self):
        self._tasks = []
        self._entered = False

    async def __aenter__(self):
        self._entered = True
        return self

    def create_task(self, coro, *, name=None, context=None):
        if not self._entered:
            raise RuntimeError("TaskGroup has not been entered")
        task = create_task(coro, name=name)
        self._tasks.append(task)
        return task

    async def __aexit__(self, kind, error, trace):
        failed = []
        if error is not None:
            for t in self._tasks:
                t.cancel()
        i = 0
        while i < len(self._tasks):
            t = self._tasks[i]
            try:
                await t
            except CancelledError:
                pass
            except Exception as e:
                failed.append(e)
                for other in self._tasks:
                    other.cancel()
            i += 1
        if failed:
            if error is not None and isinstance(error, Exception):
                failed.insert(0, error)
            raise ExceptionGroup("unhandled errors in a TaskGroup", failed)
        return False


class Lock:
    def __init__(self):
        self._locked = False
        self._waiters = []

    def locked(self):
        return self._locked

    async def acquire(self):
        while self._locked:
            waiter = Future()
            self._waiters.append(waiter)
            await waiter
        self._locked = True
        return True

    def release(self):
        if not self._locked:
            raise RuntimeError("Lock is not acquired.")
        self._locked = False
        while self._waiters:
            waiter = self._waiters.pop(0)
            if not waiter.done():
                waiter.set_result(None)
                break

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, trace):
        self.release()


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("Semaphore initial value must be >= 0")
        self._value = value
        self._waiters = []

    def locked(self):
        return self._value == 0

    async def acquire(self):
        while self._value <= 0:
            waiter = Future()
            self._waiters.append(waiter)
            await waiter
        self._value -= 1
        return True

    def release(self):
        self._value += 1
        while self._waiters:
            waiter = self._waiters.pop(0)
            if not waiter.done():
                waiter.set_result(None)
                break

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, trace):
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        Semaphore.__init__(self, value)
        self._bound = value

    def release(self):
        if self._value >= self._bound:
            raise ValueError("BoundedSemaphore released too many times")
        Semaphore.release(self)


class Event:
    def __init__(self):
        self._set = False
        self._waiters = []

    def is_set(self):
        return self._set

    def set(self):
        self._set = True
        waiters, self._waiters = self._waiters, []
        for w in waiters:
            if not w.done():
                w.set_result(True)

    def clear(self):
        self._set = False

    async def wait(self):
        if not self._set:
            waiter = Future()
            self._waiters.append(waiter)
            await waiter
        return True


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self._items = []
        self._getters = []
        self._putters = []
        self._unfinished = 0
        self._finished = Event()
        self._finished.set()

    def qsize(self):
        return len(self._items)

    def empty(self):
        return not self._items

    def full(self):
        return 0 < self.maxsize <= len(self._items)

    def _wake(self, waiters):
        while waiters:
            waiter = waiters.pop(0)
            if not waiter.done():
                waiter.set_result(None)
                break

    def put_nowait(self, item):
        if self.full():
            raise QueueFull
        self._items.append(item)
        self._unfinished += 1
        self._finished.clear()
        self._wake(self._getters)

    def get_nowait(self):
        if not self._items:
            raise QueueEmpty
        item = self._items.pop(0)
        self._wake(self._putters)
        return item

    async def put(self, item):
        while self.full():
            waiter = Future()
            self._putters.append(waiter)
            await waiter
        self.put_nowait(item)

    async def get(self):
        while not self._items:
            waiter = Future()
            self._getters.append(waiter)
            await waiter
        return self.get_nowait()

    def task_done(self):
        if self._unfinished <= 0:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if self._unfinished == 0:
            self._finished.set()

    async def join(self):
        await self._finished.wait()


async def to_thread(func, /, *args, **kwargs):
    return func(*args, **kwargs)
