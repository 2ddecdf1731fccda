"""From findings to causes: experiments on a pair that differs, and what they say."""
