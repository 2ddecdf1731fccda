"""The type bfloat16, which NumPy lacks: the type of ml_dtypes, or the plain bits if ml_dtypes is not installed."""

import numpy as np

try:
    import ml_dtypes

    BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
except ImportError:  # beside an old framework: nothing computes there with what this type holds
    BFLOAT16 = np.dtype([("bfloat16", np.uint16)])
