"""A gradient of another shape explains wrong numbers of arrays of that shape, and none of others."""

from porting.parity.finding import Around, Diagnosis, Finding, Result, Worst
from porting.parity.messages import Messages

CAUSE = "The backward returns a gradient of another shape than its input."
THIN = (1, 3, 1)  # for which a backward that ends with squeeze() returns [1, 3, 3]


def wrong(shape, truth):
    """Return a wrong number of an array of some lengths."""
    around = Around(0, shape, (1.0,), (2.0,), (1e-9,))
    worst = Worst("dx", (0,) * len(shape), 1.0, 2.0, {"x": 1.5}, 1e15, 300.0, 1e13, around)
    fields = {"quantity": "gradient", "name": "x", "truth": truth}
    return Finding("differs", fields, "disagreement", worst=worst, bad=3, total=5)


def parts(shape):
    """Return what is told together, as codes with checks, of a pair whose sides differ for arrays of some lengths."""
    own = Finding("raw_shape", {"name": "x", "got_shape": (1, 3, 3), "want_shape": THIN}, "portability")
    found = {
        ("vjp", "torch"): (wrong((3, 4), "TensorFlow"),),
        ("shapes", "torch"): (own, wrong(shape, "TensorFlow")),
        ("vjp", "tf"): (wrong((3, 4), "PyTorch"),),
        ("shapes", "tf"): (wrong(shape, "PyTorch"),),
    }
    results = [
        Result("f", check, side, "cpu", "eager", "float64", 0, "differ", findings=findings)
        for (check, side), findings in found.items()
    ]
    of_side = ("f", "torch", "cpu", "eager")
    cause = Diagnosis(*of_side, "wrong_shape", "fault", CAUSE, "seen so", "a fix", explains=("shapes",), of_input="x")
    messages = Messages(results, [cause])
    told = [{(group[0][0].check, group[0][1].code) for group in part} for part in messages.parts()]
    return told, messages.per_side()


def test_a_wrong_number_of_another_array_is_told_with_the_rest():
    told, texts = parts((5,))
    assert told[:2] == [{("vjp", "differs"), ("shapes", "differs")}, {("shapes", "raw_shape")}]
    assert [CAUSE in text for text in texts] == [False, True, False]


def test_a_wrong_number_of_that_shape_is_told_under_it():
    told, texts = parts(THIN)
    assert told[:2] == [{("vjp", "differs")}, {("shapes", "differs"), ("shapes", "raw_shape")}]
    assert [CAUSE in text for text in texts] == [False, True, True]
