"""Ops that work, and leave the process otherwise than they found it."""

import os
import random
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import torch
from good import Sine

LEFT = []


def grad_mode(x):
    y = Sine.apply(x)
    torch.set_grad_enabled(False)
    return y


def default_dtype(x):
    torch.set_default_dtype(torch.float16)
    return Sine.apply(x)


def seed(x):
    torch.manual_seed(0)
    return Sine.apply(x)


def python_seed(x):
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 - the fault
    return Sine.apply(x)


def prints(x):
    for stream in (sys.stdout, sys.stderr, sys.__stdout__):
        stream.write("said by the op\n" * 100_000)
        stream.flush()
    os.write(1, b"said by the op\n" * 100_000)
    subprocess.run(["echo", "said by the op"], check=True)  # noqa: S607 - wherever it is
    return Sine.apply(x)


def daemon_thread(x):
    threading.Thread(target=time.sleep, args=[1000], daemon=True).start()
    return Sine.apply(x)


def thread(x):
    threading.Thread(target=time.sleep, args=[1000]).start()
    return Sine.apply(x)


def child(x):
    LEFT.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"]))
    return Sine.apply(x)


def folder(x):
    os.chdir("/")
    return Sine.apply(x)


def environment(x):
    os.environ["OMP_NUM_THREADS"] = "64"
    os.environ.pop("PATH", None)
    return Sine.apply(x)


def path(x):
    sys.path.clear()
    return Sine.apply(x)


def warnings_are_errors(x):
    warnings.simplefilter("error")
    return Sine.apply(x)


def no_output(x):
    sys.stdout = sys.stderr = None
    return Sine.apply(x)


def closed_files(x):
    os.closerange(0, 3)
    return Sine.apply(x)


def recursion_limit(x):
    sys.setrecursionlimit(10**6)
    return Sine.apply(x)
