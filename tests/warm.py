"""Commands in processes of their own, without the seconds in which each of them would import the frameworks.

A server imports everything once and runs nothing: TensorFlow survives a fork only as long as it has not run an op. For
each command it forks a process, which becomes what ``python -m MODULE WORDS`` would be: with its own folder,
environment, arguments, streams and exit code. The fork server that `porting` starts for its workers is forked from the
same image, before the command has run anything. Only the frameworks are not taken down at the end, which takes seconds
as well.

This is for tests of what a command does. Where it is the point that a process starts, what it imports, or what an
interpreter or a framework reads when it starts, a test starts a real one.
"""

import atexit
import io
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from contextlib import suppress
from importlib import import_module, util
from pathlib import Path
from tempfile import TemporaryDirectory

PRELOAD = (
    "torch", "torch.fx.experimental.symbolic_shapes", "tensorflow", "rich.console", "rich.table", "porting.cli.main",
    "porting.engine.check", "porting.port.batch", "porting.engine.preloaded", "porting.engine.record",
    "porting.report.text", "porting.pairs.parse", "porting.backends.tf.run", "porting.backends.torch.run",
)  # fmt: skip
START, LONGEST = 300, 500  # seconds, on a busy machine: the imports; a command
AT_START = ("PYTHON", "LD_", "OMP_", "TF_", "MALLOC_")  # what begins so is read once, so a command cannot change it
APPLIED = "PYTHONDONTWRITEBYTECODE"  # but for this


class Warm:
    """The server, as tests see it; a context manager. It starts with the first command."""

    def __init__(self):
        self._server = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._server is None:
            return
        self._server.stdin.close()
        self._server.stdout.close()
        try:
            self._server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()
        self._folder.cleanup()

    def _start(self):
        self._folder, self._environment = TemporaryDirectory(prefix="gradport-warm-"), dict(os.environ)
        self._server = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
        )

    def run(self, module, *words, cwd, env=None, timeout=LONGEST):
        """Run ``python -m MODULE WORDS``; return what `subprocess.run` would, with the output as text."""
        if self._server is None:
            self._start()
        env = dict(os.environ if env is None else env)
        fixed = {name for name in {*env, *self._environment} if name.startswith(AT_START) and name != APPLIED}
        changed = sorted(name for name in fixed if env.get(name) != self._environment.get(name))
        assert not changed, f"{changed}: only a real process would read that"
        words, streams = [str(word) for word in words], [Path(self._folder.name, name) for name in ("out", "err")]
        ask = {"module": module, "words": words, "cwd": str(cwd), "env": env, "streams": [str(s) for s in streams]}
        self._server.stdin.write(json.dumps(ask).encode() + b"\n")
        pid = self._answer(START)
        try:
            code = self._answer(timeout)
        except TimeoutError:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            self._answer(START)
            said = [stream.read_text(encoding="utf8") for stream in streams]
            raise subprocess.TimeoutExpired([module, *words], timeout, *said) from None
        out, err = (stream.read_text(encoding="utf8") for stream in streams)
        return subprocess.CompletedProcess([sys.executable, "-m", module, *words], code, out, err)

    def _answer(self, seconds):
        """Return the server's next number: there is never more than one on its way."""
        if not select.select([self._server.stdout], [], [], seconds)[0]:
            raise TimeoutError
        line = self._server.stdout.readline()
        assert line, f"the server of warm processes has ended with {self._server.wait()}"
        return int(line)


def serve():
    """Import, then fork a process for each line of stdin."""
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    sys.path.pop(0)  # this folder
    for name in PRELOAD:
        if util.find_spec(name.partition(".")[0]):
            import_module(name)
    for line in requests:
        ask = json.loads(line)
        pid = os.fork()
        if not pid:
            os.setpgid(0, 0)
            requests.close()
            answers.close()
            become(**ask)
        print(pid, file=answers, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), file=answers, flush=True)
    os._exit(0)


def become(module, words, cwd, env, streams):
    """Be the process that runs a command."""
    for number, path in enumerate(streams, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600), number)
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf8", write_through=True)
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf8", "backslashreplace", write_through=True)
    sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.dont_write_bytecode = bool(env.get(APPLIED))
    sys.path.insert(0, str(Path.cwd()))
    sys.argv = [module, *words]
    stand_by()
    code = 1
    try:
        code = exit_code(module)
        threading._shutdown()
        atexit._run_exitfuncs()
    finally:
        os._exit(code)


def exit_code(module):
    """Run a module; return the exit code that Python would make of its end."""
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        sys.stderr.write(f"{end.code}\n")
        return 1
    except BaseException:  # noqa: BLE001 - Python prints all of them
        traceback.print_exc()
        return 1
    return 0


def stand_by():
    """Keep a fork of what this process is now, and have it become the fork server that multiprocessing starts."""
    from multiprocessing import util as starting

    ours, its = socket.socketpair()
    pid = os.fork()
    if not pid:
        ours.close()
        be_fork_server(its)
    its.close()
    real, waiting = starting.spawnv_passfds, [pid]

    def spawnv_passfds(path, args, fds):
        if "multiprocessing.forkserver" not in args[-1] or not waiting:
            return real(path, args, fds)
        told = json.dumps([args[-1], list(fds), str(Path.cwd()), dict(os.environ), sys.path]).encode()
        with ours:
            socket.send_fds(ours, [b" "], list(fds))
            ours.sendall(told)
        return waiting.pop()

    starting.spawnv_passfds = spawnv_passfds


def be_fork_server(pipe):
    """Wait until the fork server is wanted, and be it, or end with the command that has wanted none."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        wanted, fds, *_ = socket.recv_fds(pipe, 1, 8)
        if wanted:
            with pipe, pipe.makefile() as file:
                command, numbers, folder, environment, sys.path[:] = json.load(file)
            for fd, number in zip([os.dup(fd) for fd in fds], numbers, strict=True):
                os.dup2(fd, number)
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(environment)
            exec(command, {})  # noqa: S102 - of multiprocessing
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    serve()
