/* SPDX-License-Identifier: MIT */
/* Variants of transfer on OpenGL: each says where the array is, and how it gets there
 * (gl_mover.c). */
#include "lab/ops/transfer/transfer.h"

#define HOW(...)                       \
    .own = &(const struct qp_transfer) \
    {                                  \
        __VA_ARGS__                    \
    }
#define PIECES(...) HOW(__VA_ARGS__), .blocks = &qp_transfer_blocks

const struct qp_recipe qp_transfer_gl[] = {
    /* The calls every program of 2004 made. The host's values are copied into memory that the card
     * can reach, and the read waits for all that was drawn. */
    {.name = "transfer/plain",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 4, CPU-GPU memory transfers",
     .sentence = "glTexSubImage2D and glReadPixels: each returns when the host's array is free "
                 "again, and the read waits for all that was drawn",
     .engine = &qp_engine_transfer,
     QP_TRANSFER_STANDS({.format = QP_R32F}),
     HOW(.way = QP_TRANSFER_PLAIN)},

    /* + the papers' texels, which a driver may have to convert, for GL_LUMINANCE is no format of
     * cards. */
    {.name = "transfer/plain_luminance",
     .after = "transfer/plain",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours: the texels of papers 1 to 3",
     .sentence = "plain with luminance textures, which drivers may have to convert",
     .engine = &qp_engine_transfer,
     QP_TRANSFER_STANDS({.format = QP_LUMINANCE32F}),
     HOW(.way = QP_TRANSFER_PLAIN)},

    /* + a quarter of the texels, of four values each. The kernel would write what is left of a
     * row's last texel too. */
    {.name = "transfer/plain_rgba",
     .after = "transfer/plain",
     .backend = QP_GL,
     .layout = "four neighbours a texel",
     .place = "ours: the texels of papers 1 to 3",
     .sentence = "plain with a quarter of the texels",
     .engine = &qp_engine_transfer,
     QP_TRANSFER_STANDS({.format = QP_RGBA32F, .neighbours = 4}),
     HOW(.way = QP_TRANSFER_PLAIN),
     .not_kinds = 1 << QP_TRANSFER_OVERLAP},

    /* Plain with a call for each row: shows the cost of starting a transfer, and the gain of a
     * large one. */
    {.name = "transfer/small",
     .after = "transfer/plain",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 4, CPU-GPU memory transfers",
     .sentence = "plain with a call for every row, or for --block rows: shows the cost of starting "
                 "a transfer",
     .engine = &qp_engine_transfer,
     QP_TRANSFER_STANDS({.format = QP_R32F}),
     PIECES(.way = QP_TRANSFER_PLAIN, .rows = 1)},

    /* Through one buffer each way: the copy between buffer and texture is the card's, but the host
     * still waits for it before it maps. */
    {.name = "transfer/pixel_buffer",
     .after = "transfer/plain",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours: what came after",
     .sentence = "through a pixel buffer each way, in memory that the card can reach; the host "
                 "waits before it maps",
     .engine = &qp_engine_transfer,
     QP_TRANSFER_STANDS({.format = QP_R32F}),
     HOW(.way = QP_TRANSFER_BUFFERS)},

    /* + two buffers in turn: while the host copies one piece, the card is at the next, and a fence
     * shows when that one has come. */
    {.name = "transfer/asynchronous",
     .after = "transfer/pixel_buffer",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 4, CPU-GPU memory transfers",
     .sentence = "two pixel buffers in turn, and a fence for each: the host copies one piece while "
                 "the card is at the next",
     .engine = &qp_engine_transfer,
     QP_TRANSFER_STANDS({.format = QP_R32F}),
     PIECES(.way = QP_TRANSFER_BUFFERS, .pieces = 8, .turns = QP_TRANSFER_GL_TURNS)},

    /* + mapped once and for all: no call of the driver's for each copy, only fences. */
    {.name = "transfer/persistent",
     .after = "transfer/asynchronous",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours: what came after, OpenGL 4.4",
     .sentence = "asynchronous with buffers that stay mapped: no call for each copy, only fences",
     .engine = &qp_engine_transfer,
     QP_TRANSFER_STANDS({.format = QP_R32F}),
     PIECES(.way = QP_TRANSFER_MAPPED, .pieces = 8, .turns = QP_TRANSFER_GL_TURNS)},

    /* Persistent mapping to a buffer object, without a texture: shows the cost of a texture's tiled
     * layout. Shaders of the time could not write there. Some drivers keep a buffer that the host
     * reads in host memory, so that nothing crosses the bus; this one is touched by the device
     * alone. */
    {.name = "transfer/buffer",
     .after = "transfer/persistent",
     .backend = QP_GL,
     .layout = "a buffer object",
     .place = "ours: texture against buffer",
     .sentence = "persistent to an array that is no texture: nothing is tiled or converted",
     .engine = &qp_engine_transfer,
     QP_TRANSFER_STANDS({.format = QP_R32F}),
     PIECES(.way = QP_TRANSFER_MAPPED, .pieces = 8, .turns = QP_TRANSFER_GL_TURNS, .array = true),
     .not_kinds = 1 << QP_TRANSFER_OVERLAP},

    {0},
};
