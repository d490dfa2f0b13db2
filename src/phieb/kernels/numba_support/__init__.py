"""How kernels are compiled, and the primitives they are written in: SIMD lanes, bits, memory."""
