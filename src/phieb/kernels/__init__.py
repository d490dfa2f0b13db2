"""Compiled functions: arrays in, arrays out.

Random state is an argument; there is no global state. The tests compare each kernel with a slow,
obvious twin, in `tests/naive/` or in the plain class of the same method.
"""
