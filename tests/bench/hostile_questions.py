"""Questions that a measuring process does not survive, or answers with what it was started with."""

import ctypes
import os
import time


def answer(question, announce):
    announce("measure")
    yield "ready", os.getpid()
    match question["task"]:
        case "crash":
            ctypes.string_at(0)
        case "leave":
            os._exit(3)
        case "hang":
            time.sleep(1000)
        case "fail":
            yield "failed", "ValueError: not today"
            return
        case "slow":
            for step in range(4):
                time.sleep(0.6)
                yield "ready", step
    yield "done", {name: os.environ.get(name) for name in question.get("names", [])} | {"pid": os.getpid()}
