"""A sum over the axes along which something was broadcast, in TensorFlow: PyTorch sums a gradient so by itself."""

from typing import Final

NAME: Final = "_sum_to"
HELPER: Final = '''
def _sum_to(x, shape):
    """x summed over the axes along which a shape is broadcast to its own."""
    _, axes = tf.raw_ops.BroadcastGradientArgs(s0=tf.shape(x), s1=shape)
    return tf.reshape(tf.reduce_sum(x, axes), shape)
'''
