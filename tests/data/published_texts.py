"""The ten Functions of the four published texts, to the letter; only the lines that use them are left out."""

import torch
from torch.autograd import Function


class CustomExp(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)  # Save x for backward pass
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        # Modified derivative:  Instead of exp(x), use 2*exp(x)
        grad_input = 2 * torch.exp(x) * grad_output
        return grad_input


class ConditionalOp(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        y = torch.zeros_like(x)
        y[x > 0] = x[x > 0] * 2
        y[x <= 0] = x[x <= 0] * 0.5
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        grad_input = torch.zeros_like(x)
        grad_input[x > 0] = grad_output[x > 0] * 2
        grad_input[x <= 0] = grad_output[x <= 0] * 0.5
        return grad_input


class SmoothRound(Function):
    @staticmethod
    def forward(ctx, x, alpha=10.0):  # alpha controls the smoothness
        ctx.save_for_backward(x)
        ctx.alpha = alpha
        return 0.5 + 0.5 * torch.tanh(alpha * (x - 0.5))

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        alpha = ctx.alpha
        return grad_output * alpha * (1 - torch.tanh(alpha * (x - 0.5))**2), None # None for alpha


class MyActivation(Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)  #Save input for backward pass
        return input.sigmoid() * (1 + input.exp()).rsqrt()

    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        return grad_output * (1 - input.sigmoid()**2) * 0.5 * (input.exp() + 1)**(-1.5) *(1 + 3* input.exp())


class MyElementWise(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x,y)
        return x * torch.exp(-y)

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        grad_x = grad_output * torch.exp(-y)
        grad_y = -grad_output * x * torch.exp(-y)
        return grad_x, grad_y


class MyComplexOp(Function):
    @staticmethod
    def forward(ctx, input):
        intermediate = input.sin()
        output = intermediate.pow(2)
        ctx.save_for_backward(intermediate)
        return output

    @staticmethod
    def backward(ctx, grad_output):
        intermediate, = ctx.saved_tensors
        grad_intermediate = 2 * intermediate * grad_output
        grad_input = grad_intermediate * intermediate.cos()
        return grad_input


class CustomReLU(Function):

    @staticmethod
    def forward(ctx, input_tensor):
        ctx.save_for_backward(input_tensor)
        return torch.clamp(input_tensor, min=0)

    @staticmethod
    def backward(ctx, grad_output):
        input_tensor, = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input_tensor <= 0] = -0.5 # Modified Gradient for demonstration
        return grad_input


class CustomSquaredLoss(Function):
  @staticmethod
  def forward(ctx, prediction, target):
    loss = (prediction - target)**2
    ctx.save_for_backward(prediction, target)
    return loss

  @staticmethod
  def backward(ctx, grad_output):
    prediction, target = ctx.saved_tensors
    grad_loss_prediction = 2 * (prediction - target) * grad_output
    grad_loss_prediction[torch.abs(prediction-target) < 0.1] = 1.0
    return grad_loss_prediction, -2 * (prediction - target) * grad_output


class MemoryEfficientSigmoid(Function):

    @staticmethod
    def forward(ctx, input_tensor):
      ctx.save_for_backward(input_tensor)
      output_tensor = torch.sigmoid(input_tensor)
      return output_tensor


    @staticmethod
    def backward(ctx, grad_output):
        input_tensor, = ctx.saved_tensors
        output_tensor = torch.sigmoid(input_tensor)
        sigmoid_grad = output_tensor * (1-output_tensor)
        grad_input = grad_output * sigmoid_grad
        return grad_input


class LegendrePolynomial3(torch.autograd.Function):
    """
    We can implement our own custom autograd Functions by subclassing torch.autograd.Function 
    and implementing the forward and backward passes which operate on Tensors.
    """

    @staticmethod
    def forward(ctx, input):
        """
        In forward pass we receive a Tensor containing input and return a Tensor containing output. 
        ctx is a context object that can be used to stash information for backward computation. 
        You can cache arbitrary objects for use in the backward pass using the 
        ctx.save_for_backward method.
        """
        ctx.save_for_backward(input)
        return 0.5 * (5 * input ** 3 - 3 * input)

    @staticmethod
    def backward(ctx, grad_output):
        """
        In backward pass we receive a Tensor containing gradient of the loss with respect to the output, 
        and we need to compute the gradient of the loss with respect to the input.
        """
        input, = ctx.saved_tensors
        return grad_output * 1.5 * (5 * input ** 2 - 1)
