"""What the pages of the traps say beside what their checker shows: how each framework behaves there."""

import pytest

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def gradient_tf(fn, *xs, by=-1):
    xs = [tf.convert_to_tensor(x) for x in xs]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = fn(*xs)
    return tape.gradient(y, xs[by])


def function(forward, backward):
    """Return the apply of a Function that saves its inputs."""
    methods = {
        "forward": staticmethod(forward),
        "setup_context": staticmethod(lambda ctx, inputs, output: ctx.save_for_backward(*inputs)),
        "backward": staticmethod(lambda ctx, dy: backward(dy, *ctx.saved_tensors)),
    }
    return type("Op", (torch.autograd.Function,), methods).apply


class TestBroadcastInput:
    add = staticmethod(tf.custom_gradient(lambda x1, x2: (x1 + x2, lambda dy: (dy, dy))))

    def test_pytorch_sums_by_itself(self):
        x2 = torch.ones(2, requires_grad=True)
        y = function(lambda a, b: a + b, lambda dy, a, b: (dy, dy))(torch.ones(3, 2), x2)
        assert y.grad_fn.apply(torch.ones(3, 2))[1].shape == (3, 2)
        assert torch.autograd.grad(y.sum(), x2)[0].tolist() == [3.0, 3.0]

    def test_tensorflow_hands_the_wrong_shape_out_and_raises_only_around_a_function(self):
        ones = tf.ones([3, 2]), tf.ones([2])
        assert gradient_tf(self.add, *ones).shape == (3, 2)
        assert tf.function(lambda: gradient_tf(self.add, *ones))().shape == (3, 2)
        with pytest.raises(ValueError, match="Incompatible shapes"):
            gradient_tf(tf.function(self.add), *ones)


class TestFixedDtype:
    def test_pytorch_casts_by_itself(self):
        x = torch.ones(2, requires_grad=True)
        y = function(lambda x: 2 * x, lambda dy, x: 2 * dy.double())(x)
        assert y.grad_fn.apply(torch.ones(2)).dtype == torch.float64
        assert torch.autograd.grad(y.sum(), x)[0].dtype == torch.float32

    def test_tensorflow_raises_elsewhere_and_does_not_name_the_op(self):
        twice = tf.custom_gradient(lambda x: (2 * x, lambda dy: 2 * tf.cast(dy, tf.float64)))
        assert gradient_tf(twice, [1.0]).dtype == tf.float64
        with pytest.raises(tf.errors.InvalidArgumentError, match="AddN") as caught:
            gradient_tf(lambda x: twice(x) + x, [1.0])
        assert "twice" not in str(caught.value)


class TestKeywordCall:
    def test_tensorflow_skips_the_gradient_or_raises(self):
        reverse = tf.custom_gradient(lambda x: (tf.identity(x), lambda dy: -dy))
        assert gradient_tf(lambda x: reverse(x=x), 1.0) == 1
        with pytest.raises(ValueError, match="keywords arguments"):
            tf.function(lambda: gradient_tf(lambda x: reverse(x=x), 1.0))()

    def test_pytorch_takes_keywords(self):
        x = torch.ones(1, requires_grad=True)
        assert torch.autograd.grad(function(lambda x: x.view_as(x), lambda dy, x: -dy)(x=x), x)[0] == -1


class TestSparseCotangent:
    def test_the_order_of_a_product_decides(self):
        square = tf.custom_gradient(lambda x: (x * x, lambda dy: 2 * x * dy))
        assert gradient_tf(lambda x: tf.gather(square(x), [0, 0]), [[1.0], [2.0]]).numpy().tolist() == [[4.0], [0.0]]

    def test_pytorch_sends_one_only_if_it_is_asked_for(self):
        layouts = []
        op = function(lambda x: x * x, lambda dy, x: layouts.append(dy.layout) or dy * 2 * x)
        x, rows = torch.ones(3, 1, requires_grad=True), torch.tensor([0, 0])
        torch.autograd.grad(op(x)[rows].sum(), x)
        torch.autograd.grad(torch.nn.functional.embedding(rows, op(x), sparse=True).sum(), x)
        assert layouts == [torch.strided, torch.sparse_coo]


def second(fn):
    x = torch.tensor(0.5, requires_grad=True)
    (dx,) = torch.autograd.grad(fn(x) + x**2, x, create_graph=True)
    return torch.autograd.grad(dx, x)[0].item()


class TestDetachedGradient:
    def test_detach_and_once_differentiable_lose_the_term(self):
        from torch.autograd.function import once_differentiable

        assert second(function(lambda x: x**3, lambda dy, x: 3 * x**2 * dy)) == 5
        assert second(function(lambda x: x**3, lambda dy, x: (3 * x**2 * dy).detach())) == 2
        once = function(lambda x: x**3, lambda dy, x: None)
        once.__self__.backward = staticmethod(once_differentiable(lambda ctx, dy: 3 * ctx.saved_tensors[0] ** 2 * dy))
        assert second(once) == 2

    def test_what_is_to_refuse_refuses(self):
        def refuse(dy, x):
            raise RuntimeError("no second derivative")

        guard = function(lambda dx: dx.view_as(dx), refuse)
        with pytest.raises(RuntimeError, match="no second derivative"):
            second(function(lambda x: x**3, lambda dy, x: guard(3 * x**2 * dy)))
        cube = tf.custom_gradient(
            lambda x: (x**3, lambda dy: tf.raw_ops.PreventGradient(input=3 * x**2 * dy, message="no"))
        )
        with pytest.raises(LookupError):
            gradient_tf(lambda x: gradient_tf(cube, x), 0.5)


def test_captured_in_pytorch_it_gets_no_gradient():
    weight = torch.ones((), requires_grad=True)
    y = function(lambda x: x * weight, lambda dy, x: dy * weight)(torch.ones(2, requires_grad=True))
    assert torch.autograd.grad(y.sum(), weight, allow_unused=True) == (None,)


def test_repeated_index_other_spellings():
    rows, dy = torch.tensor([1, 1]), torch.tensor([2.0, 3.0])
    assert torch.zeros(2).index_put((rows,), dy, accumulate=True).tolist() == [0.0, 5.0]
    assert torch.zeros(2).scatter_add(0, rows, dy).tolist() == [0.0, 5.0]
    assert tf.tensor_scatter_nd_update(tf.zeros(2), [[1], [1]], [2.0, 3.0]).numpy()[1] in {2.0, 3.0}


def test_mask_choosing_alone_has_nan_as_second_derivative():
    x = torch.zeros(1, requires_grad=True)
    chosen = function(lambda x: torch.where(x > 1, x.log(), 0), lambda dy, x: torch.where(x > 1, dy / x, 0))
    (dx,) = torch.autograd.grad(chosen(x), x, create_graph=True)
    assert dx == 0
    assert torch.autograd.grad(dx, x)[0].isnan()


def test_kink_the_frameworks_pass_at_both_ends():
    x = torch.tensor([-1.0, 1.0], requires_grad=True)
    assert torch.autograd.grad(x.clamp(-1, 1).sum(), x)[0].tolist() == [1.0, 1.0]
    assert gradient_tf(lambda x: tf.clip_by_value(x, -1, 1), [-1.0, 1.0]).numpy().tolist() == [1.0, 1.0]
