/* SPDX-License-Identifier: MIT */
/* Rows of transfer on OpenGL: each says where the array is, and how it gets there (gl_mover.c). */
#include "ops/transfer/transfer.h"

#define HOW(...)                       \
    .own = &(const struct qp_transfer) \
    {                                  \
        __VA_ARGS__                    \
    }
#define PIECES(...) HOW(__VA_ARGS__), .blocks = &qp_transfer_blocks
#define ROW(label, texels, ...)                    \
    const struct qp_recipe qp_transfer_##label = { \
        .engine = &qp_engine_transfer, QP_TRANSFER_STANDS({.format = texels}), __VA_ARGS__}

/* The calls every program of 2004 made. The host's values are copied into memory that the card can
 * reach, and the read waits for all that was drawn. */
ROW(plain, QP_R32F, HOW(.way = QP_TRANSFER_PLAIN));

/* + the papers' texels, which a driver may have to convert, for GL_LUMINANCE is no format of
 * cards. */
ROW(plain_luminance, QP_LUMINANCE32F, HOW(.way = QP_TRANSFER_PLAIN));

/* + a quarter of the texels, of four values each. The kernel would write what is left of a row's
 * last texel too. */
const struct qp_recipe qp_transfer_plain_rgba = {
    .engine = &qp_engine_transfer,
    QP_TRANSFER_STANDS({.format = QP_RGBA32F, .neighbours = 4}),
    HOW(.way = QP_TRANSFER_PLAIN),
    .not_kinds = 1 << QP_TRANSFER_OVERLAP};

/* Plain with a call for each row: shows the cost of starting a transfer, and the gain of a large
 * one. */
ROW(small, QP_R32F, PIECES(.way = QP_TRANSFER_PLAIN, .rows = 1));

/* Through one buffer each way: the copy between buffer and texture is the card's, but the host
 * still waits for it before it maps. */
ROW(pixel_buffer, QP_R32F, HOW(.way = QP_TRANSFER_BUFFERS));

/* + two buffers in turn: while the host copies one piece, the card is at the next, and a fence
 * shows when that one has come. */
ROW(asynchronous, QP_R32F,
    PIECES(.way = QP_TRANSFER_BUFFERS, .pieces = 8, .turns = QP_TRANSFER_GL_TURNS));

/* + mapped once and for all: no call of the driver's for each copy, only fences. */
ROW(persistent, QP_R32F,
    PIECES(.way = QP_TRANSFER_MAPPED, .pieces = 8, .turns = QP_TRANSFER_GL_TURNS));

/* Persistent mapping to a buffer object, without a texture: shows the cost of a texture's tiled
 * layout. Shaders of the time could not write there. Some drivers keep a buffer that the host reads
 * in host memory, so that nothing crosses the bus; this one is touched by the device alone. */
ROW(buffer, QP_R32F,
    PIECES(.way = QP_TRANSFER_MAPPED, .pieces = 8, .turns = QP_TRANSFER_GL_TURNS, .array = true),
    .not_kinds = 1 << QP_TRANSFER_OVERLAP);
