"""Compiling kernels, and the primitives they are written in: SIMD lanes, bits, memory."""
