/* SPDX-License-Identifier: MIT */
/* Rows of transfer on OpenGL: each says where the array stands, and how it gets there
 * (gl_mover.c). */
#include "ops/transfer/transfer.h"

/* The calls every program of 2004 made. The host's values are copied into memory that the card can
 * reach, and the read waits for all that was drawn. */
static const struct qp_transfer once = {.way = QP_TRANSFER_PLAIN};

const struct qp_recipe qp_transfer_plain = {
    .engine = &qp_engine_transfer, QP_TRANSFER_STANDS({.format = QP_R32F}), .own = &once};

/* + the papers' texels, which a driver may have to convert, for GL_LUMINANCE is no format of cards. */
const struct qp_recipe qp_transfer_plain_luminance = {
    .engine = &qp_engine_transfer, QP_TRANSFER_STANDS({.format = QP_LUMINANCE32F}), .own = &once};

/* + a quarter of the texels, of four values each. The kernel would write what is left of a row's last
 * texel too. */
const struct qp_recipe qp_transfer_plain_rgba = {
    .engine = &qp_engine_transfer,
    QP_TRANSFER_STANDS({.format = QP_RGBA32F, .neighbours = 4}),
    .own = &once,
    .not_kinds = 1 << QP_TRANSFER_OVERLAP};

/* Plain with a call for each row: what starting a transfer costs, and what one large saves. */
static const struct qp_transfer row_by_row = {.way = QP_TRANSFER_PLAIN, .rows = 1};

const struct qp_recipe qp_transfer_small = {.engine = &qp_engine_transfer,
                                            QP_TRANSFER_STANDS({.format = QP_R32F}),
                                            .own = &row_by_row,
                                            .blocks = &qp_transfer_blocks};

/* Through one buffer each way: the copy between buffer and texture is the card's, but the host still
 * waits for it before it maps. */
static const struct qp_transfer one_buffer = {.way = QP_TRANSFER_BUFFERS};

const struct qp_recipe qp_transfer_pixel_buffer = {
    .engine = &qp_engine_transfer, QP_TRANSFER_STANDS({.format = QP_R32F}), .own = &one_buffer};

/* + two buffers in turn: while the host copies one piece, the card is at the next, and a fence tells
 * when that one has come. */
static const struct qp_transfer in_turn = {
    .way = QP_TRANSFER_BUFFERS, .pieces = 8, .turns = QP_TRANSFER_GL_TURNS};

const struct qp_recipe qp_transfer_asynchronous = {.engine = &qp_engine_transfer,
                                                   QP_TRANSFER_STANDS({.format = QP_R32F}),
                                                   .own = &in_turn,
                                                   .blocks = &qp_transfer_blocks};

/* + mapped once and for all: no call of the driver's for each copy, only fences. */
static const struct qp_transfer for_life = {
    .way = QP_TRANSFER_MAPPED, .pieces = 8, .turns = QP_TRANSFER_GL_TURNS};

const struct qp_recipe qp_transfer_persistent = {.engine = &qp_engine_transfer,
                                                 QP_TRANSFER_STANDS({.format = QP_R32F}),
                                                 .own = &for_life,
                                                 .blocks = &qp_transfer_blocks};

/* Persistent mapping to a buffer object, without a texture: shows the cost of a texture's tiled layout. Shaders of
 * the time could not write there. Some drivers keep a buffer that the host reads in host memory, so that nothing
 * crosses the bus; this one is touched by the device alone. */
static const struct qp_transfer to_array = {
    .way = QP_TRANSFER_MAPPED, .pieces = 8, .turns = QP_TRANSFER_GL_TURNS, .array = true};

const struct qp_recipe qp_transfer_buffer = {.engine = &qp_engine_transfer,
                                             QP_TRANSFER_STANDS({.format = QP_R32F}),
                                             .own = &to_array,
                                             .blocks = &qp_transfer_blocks,
                                             .not_kinds = 1 << QP_TRANSFER_OVERLAP};
