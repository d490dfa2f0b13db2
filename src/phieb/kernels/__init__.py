"""The compiled loops: arrays in, arrays out.

Random state is an argument; nothing is global. Each loop has a slow, obvious twin, in
`tests/naive/` or in the plain class of the same idea, that the tests compare it with.
"""
