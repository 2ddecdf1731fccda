"""A process that may have no children, such as a worker of dask, has workers all the same, from several threads."""

import multiprocessing
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from porting.workers.pool import Pool

THREADS = 4

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups")


def handle(job, announce):
    announce("job")
    yield job * job


def squared(number):
    with Pool(1, f"{__name__}:handle", timeout=60.0) as pool:
        return [said for _, said in pool.run([number])]


def inside(answers):
    with ThreadPoolExecutor(THREADS) as threads:
        answers.put([*threads.map(squared, range(THREADS))])
    answers.put(multiprocessing.current_process().daemon)


def test_threads_of_a_daemonic_process_start_workers(monkeypatch, request):
    monkeypatch.syspath_prepend(request.path.parent)
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=inside, args=(answers,), daemon=True)
    process.start()
    try:
        assert answers.get(timeout=60) == [[n * n] for n in range(THREADS)]
        assert answers.get(timeout=60) is True
    finally:
        process.join(60)
    assert process.exitcode == 0
