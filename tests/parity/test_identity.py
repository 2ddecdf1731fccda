"""An op is told from its namesakes: by accepted differences, by workers, and by where it says that it stands."""

import pickle

import pytest

import porting
from porting.errors import PortingError
from porting.oracle.published import my_activation as printed
from porting.registry import ops
from porting.runners import RUNNERS
from porting.spec import SpecError

JUST = {"dtypes": ["float64"]}


@pytest.fixture
def claimed():
    """Make the printed op again without its waiver: the same functions under the same name, another contract."""
    op = porting.op(printed.my_activation.value)
    op.defvjp(printed.my_activation_vjp)
    return op


def test_which_ops_are_ours(claimed):
    ours = ops()["my_activation"]
    assert ours.in_catalogue
    assert ours.original is ours
    bound = ours.bind(torch=abs)
    assert not bound.in_catalogue
    assert bound.original is ours
    assert not claimed.in_catalogue
    assert claimed.original is None


@pytest.mark.parametrize("op", ops().values(), ids=list(ops()))
def test_ours_stay_ours_in_a_worker(op):
    assert pickle.loads(pickle.dumps(op)) is op  # noqa: S301 - our own


@pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch")
def test_accepted_differences_are_not_for_namesakes():
    def status(op):
        (result,) = porting.check(op, runners=["torch"], only=["special_values"], **JUST).results
        return result.status

    ours = ops()["my_activation"]
    assert status(ours) == "known"
    assert status(ours.bind(torch=lambda x: x * 0)) == "differ"


def test_worker_never_gets_another_op(claimed):
    here = porting.check(claimed, runners=["oracle"], only=["gradient_of"], **JUST)
    assert here.counts["differ"] == 1
    with pytest.raises(SpecError, match="my_activation cannot be sent to a worker process"):
        porting.check(claimed, runners=["oracle"], only=["gradient_of"], jobs=2, **JUST)


def test_worker_is_not_given_what_cannot_travel():
    bound = ops()["sin_squared"].bind(torch=lambda x: x)
    with pytest.raises(
        PortingError, match=r"sin_squared cannot be sent to a worker process .*package\.module:function"
    ):
        porting.check(bound, runners=["oracle"], jobs=2, **JUST)


def test_worker_keeps_a_binding_that_can_travel():
    pytest.importorskip("torch")
    wrong = ops()["sin_squared"].bind(torch="torch_impl.published.custom_exp:custom_exp")
    report = porting.check(wrong, runners=["torch"], only=["value"], jobs=2, **JUST)
    assert "y differs from the oracle" in str(report)


def test_decorated_functions_and_classes_are_found_in_their_file():
    tf = pytest.importorskip("tensorflow")
    torch = pytest.importorskip("torch")

    @tf.custom_gradient
    def decorated(x):
        return x * x, lambda dy: dy

    class Plain(torch.autograd.Function):
        pass

    op = ops()["sin_squared"].bind(tf=decorated, torch=Plain.apply)
    for key in ("tf", "torch"):
        file, _, line = RUNNERS[key].where(op).rpartition(":")
        assert file.endswith("test_identity.py")
        assert line.isdigit()
