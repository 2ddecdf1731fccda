"""Jobs that a pool of workers must survive. A line marked ``# here: name`` is where that job is when it ends."""

import ctypes
import gc
import itertools
import mmap
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from porting.workers.pool import Pool

NO_RESERVE = 0x4000  # of Linux; mmap names it from Python 3.13 on

LEFT = []  # what jobs keep alive


def handle(job, announce):
    """Yield the process id, then what the job returns."""
    name, *arguments = [job] if isinstance(job, str) else job
    announce("forward")
    yield os.getpid()
    announce("backward")
    if name == "items":
        yield from arguments
    elif name == "dirty":
        return "dirty"
    else:
        yield globals()[name](*arguments)
    return None


def ping():
    return "pong"


def frozen():
    return f"{gc.isenabled()} {gc.get_freeze_count()}"


def temporary_file():
    """Leave a file, as TensorFlow's autograph does."""
    with tempfile.NamedTemporaryFile(delete=False) as file:
        return file.name


def temporary_file_and_crash():
    Path(temporary_file()).with_name("crashed").touch()
    os.kill(os.getpid(), signal.SIGKILL)  # here: temporary_file_and_crash


def endless_loop():
    sum(0 for _ in itertools.count())  # here: endless_loop


def loop_beside_a_thread():
    threading.Thread(target=long_sleep).start()
    sum(0 for _ in itertools.count())  # here: loop_beside_a_thread


def long_sleep():
    time.sleep(1000)  # here: long_sleep


def regex():
    """Search for minutes, in C, without giving back the GIL."""
    re.match(r"(a+)+$", "a" * 64 + "b")  # here: regex


def stopped():
    os.kill(os.getpid(), signal.SIGSTOP)


def deaf():
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    time.sleep(1000)


def segfault():
    ctypes.string_at(0)  # here: segfault


def segfault_in_thread():
    thread = threading.Thread(target=segfault)
    thread.start()
    thread.join()


def abort():
    os.abort()  # here: abort


def leave():
    os._exit(0)


def sys_exit():
    sys.exit(3)  # here: sys_exit


def interrupt():
    raise KeyboardInterrupt  # here: interrupt


def shot():
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(1000)


def no_descriptors():
    os.closerange(0, 4096)
    return "unheard"


def no_descriptors_and_sleep():
    os.closerange(0, 4096)
    time.sleep(1000)


def out_of_memory():
    return len(bytearray(100 << 30))  # here: out_of_memory


def no_byte_left():
    size = 16 << 20
    while size >= 64:
        try:
            LEFT.append(bytearray(size))
        except MemoryError:
            size //= 2
    raise MemoryError  # here: no_byte_left


def interrupted():
    """Ctrl-C reaches all of a process group, not the workers."""
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)
    return signal.pthread_sigmask(signal.SIG_BLOCK, [])


def exit_in_thread():
    thread = threading.Thread(target=sys.exit, args=[3])
    thread.start()
    thread.join()
    return "went on"


def twenty_five_gigabytes():
    """Map 25 GB that the kernel would give, as nothing is written to them."""
    try:
        mmap.mmap(-1, 25 * 10**9, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE).close()
    except OSError as error:
        return error.strerror
    return "given"


def hundred_gigabytes():
    try:
        return len(bytearray(100 << 30))
    except MemoryError as error:
        return type(error).__name__


def growing():
    steps = []
    try:
        while len(steps) < 10_000:
            steps.append(bytearray(16 << 20))
    except MemoryError as error:
        return type(error).__name__, len(steps)
    return "no limit", 0


def recursion():
    try:
        return recursion()
    except RecursionError as error:
        return type(error).__name__


def stack_overflow(_=None):
    sys.setrecursionlimit(10**9)
    return sorted([0], key=stack_overflow)


def prints():
    for stream in (sys.stdout, sys.stderr):
        stream.write("x" * 10_000_000)
        stream.flush()
    for descriptor in (1, 2):
        os.write(descriptor, b"x" * 10_000_000)
    return sys.stdin.read(), os.read(0, 1)


def daemon_thread():
    threading.Thread(target=time.sleep, args=[1000], daemon=True).start()
    return "left"


def thread():
    threading.Thread(target=time.sleep, args=[1000]).start()
    return "left"


def child():
    LEFT.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"]))
    return LEFT[-1].pid


def pool():
    """Keep a pool of workers, which is nobody's fault."""
    LEFT.append(Pool(1, "hostile_jobs:handle", timeout=30, environment={}))
    return list(LEFT[-1].run(["ping"]))[-1][1]


def pool_and_child():
    return pool() and child()


def child_and_segfault(file):
    Path(file).write_text(str(child()), encoding="ascii")
    segfault()


def fork_that_returns():
    """Return twice, in two processes; what the second says does not count."""
    if child := os.fork():
        os.waitpid(child, 0)
    return "forked"


def fork_and_leave():
    """Leave while a child holds every descriptor open."""
    if os.fork():
        os._exit(7)
    time.sleep(1000)


def deleted_folder(folder):
    Path(folder).mkdir()
    os.chdir(folder)
    Path(folder).rmdir()
    return "gone"


def folder():
    return str(Path.cwd())


def unpicklable():
    return lambda: None


def mistake():
    raise LookupError("of the handler")


def huge():
    return b"x" * 50_000_000


def meet(folder, mine, other):
    """Return when a job that runs at the same time has come."""
    (Path(folder) / mine).touch()
    while not (Path(folder) / other).exists():
        time.sleep(0.01)
    return "met"


def environment():
    names = "OMP_NUM_THREADS", "TF_CPP_MIN_LOG_LEVEL", "TF_ENABLE_ONEDNN_OPTS"
    return [os.environ.get(name) for name in names]
