"""The TensorFlow twins: one op per file, at the path that its oracle has under ``porting.oracle``.

>>> from tf_impl.published import legendre_polynomial3
"""

try:
    import tensorflow as tf  # noqa: F401 - only to say kindly that it is missing
except ModuleNotFoundError as error:
    raise ImportError('tf_impl needs TensorFlow: pip install "gradport[tensorflow]"') from error


from tf_impl.replicas import on_replicas as on_replicas
