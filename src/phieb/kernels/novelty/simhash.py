"""Random projections, whose signs are a hash that near vectors share (Charikar 2002)."""

from phieb.kernels.numba_support.jit import kernel


@kernel
def project(vector, columns, out):
    """A·g for the columns of A, a row of `columns` each; those where g is 0 cost nothing.

    Sums are double, and added up in one order, that of g: the same on every processor.
    """
    out[:] = 0.0
    for i in range(vector.size):
        value = vector[i]
        if value != 0.0:
            for k in range(out.size):
                out[k] += value * columns[i, k]
