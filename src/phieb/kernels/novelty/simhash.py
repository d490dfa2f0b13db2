"""Random projections; their signs are a locality-sensitive hash (Charikar 2002)."""

from phieb.kernels.numba_support.jit import kernel


@kernel
def project(vector, columns, out):
    """Write A·g to `out` (bits,); `vector` is g, (size,), and `columns` is Aᵀ, (size, bits).

    Zeros of g cost nothing. Sums are in double precision and in the order of g, so that results are
    the same on every processor.
    """
    out[:] = 0.0
    for i in range(vector.size):
        value = vector[i]
        if value != 0.0:
            for k in range(out.size):
                out[k] += value * columns[i, k]
