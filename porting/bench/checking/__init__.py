"""Measures what a proof costs, beside what people use now: ``gradcheck`` and ``tf.test.compute_gradient``."""
