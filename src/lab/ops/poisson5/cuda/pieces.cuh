/* SPDX-License-Identifier: MIT */
/* Pieces of a row, 16 bytes each, which a thread reads and writes at once. */
#ifndef QP_OPS_POISSON5_PIECES_CUH
#define QP_OPS_POISSON5_PIECES_CUH

namespace poisson5
{

constexpr int PIECE = 16; /* bytes */

template <typename T> struct piece_of;

template <> struct piece_of<float> {
    typedef float4 type;
};

template <> struct piece_of<double> {
    typedef double2 type;
};

} // namespace poisson5

#endif
