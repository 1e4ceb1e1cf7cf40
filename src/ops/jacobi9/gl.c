/* SPDX-License-Identifier: MIT */
/* Nine-band Jacobi in fragment shaders: each rung as data. The engine in engines/gl.c runs
 * them all. */
#include <limits.h>

#include "engines/engines.h"
#include "ops/jacobi9/arrays_kernels.h"
#include "ops/jacobi9/jacobi9.h"

/* ---- Paper 1: one value a texel, vectors that wrap at row ends ----
 * All of its rows compute x + w (b - A x) / DD, the diagonal's product inside A x.
 * Two rows of padding, because x[i - nx - 1] of the very first cell lies two rows down; one column,
 * because the last quad of a one-cell row reads it. */
#define ONE_VALUE_IN(bits)                                      \
    {                                                           \
        .format = QP_LUMINANCE##bits##F, .pad_x = 1, .pad_y = 2 \
    }
#define ONE_VALUE ONE_VALUE_IN(32)
#define FOUR_BANDS                                                            \
    {                                                                         \
        .format = QP_RGBA32F, .slots = QP_IN_CHANNELS, .pad_x = 1, .pad_y = 2 \
    }
#define FOUR_SYSTEMS FOUR_BANDS /* one in each channel */
#define BAND_IN(bits, sampler, id)                                                 \
    {                                                                              \
        .name = sampler, .shape = ONE_VALUE_IN(bits), .fields = 1, .field = { id } \
    }
#define BAND(sampler, id) BAND_IN(32, sampler, id)
#define OFF_DIAGONAL_BANDS_IN(bits)                                       \
    BAND_IN(bits, "band_ll", QP_LL), BAND_IN(bits, "band_ld", QP_LD),     \
        BAND_IN(bits, "band_lu", QP_LU), BAND_IN(bits, "band_dl", QP_DL), \
        BAND_IN(bits, "band_du", QP_DU), BAND_IN(bits, "band_ul", QP_UL), \
        BAND_IN(bits, "band_ud", QP_UD), BAND_IN(bits, "band_uu", QP_UU), \
        BAND_IN(bits, "rhs", QP_B)
#define ALL_BANDS             OFF_DIAGONAL_BANDS_IN(32), BAND("band_dd", QP_DD)
#define ALL_BANDS_AND_INVERSE ALL_BANDS, BAND("inverse_dd", QP_INVERSE_DD)

/* Limit of wrapped coordinates in float: row = floor(z / nx) of a cell's number z, then z - nx row. All are
 * whole numbers, exact up to 2^24; the quotient is not. GLSL lets a division be off by e = 2.5 units
 * of the last place, that is by e 2^-23 z / nx at most, and next to whole numbers the smallest error
 * gives the wrong row. (Half a cell added to z keeps clear of them only while
 * e 2^-23 z / nx < 0.5 / nx: up to 2^22 / e cells, 1.7 million.) But while the error is less
 * than one row, which holds for textures of fewer than 2^23 / e rows, 3.3 million, the row is wrong
 * by one at most; z - nx row is then exact, lies outside 0 to nx - 1, and its sign says which way. So the
 * shaders correct it once (`quotient`), and only the exactness of whole numbers sets the limit. */
static const struct qp_jacobi9_row computed = {.takes_wraps = true, .most_cells = 1 << 24};

/* The left and the right boundary line must be two. */
static const struct qp_jacobi9_row lines = {.takes_wraps = true, .least_width = 2};

/* The first port: bands and right-hand side in the channels of three textures. */
const struct qp_recipe qp_jacobi9_generic = {
    .state = ONE_VALUE,
    .input =
        {{.name = "bands_below", .shape = FOUR_BANDS, .fields = 3, .field = {QP_LL, QP_LD, QP_LU}},
         {.name = "bands_beside",
          .shape = FOUR_BANDS,
          .fields = 4,
          .field = {QP_DL, QP_DD, QP_DU, QP_B}},
         {.name = "bands_above", .shape = FOUR_BANDS, .fields = 3, .field = {QP_UL, QP_UD, QP_UU}}},
    .draw = {{.fragment = "jacobi9/generic.frag"}},
    .own = &computed,
    .flops = 20,
};

/* + one texture a band. */
const struct qp_recipe qp_jacobi9_bands = {
    .state = ONE_VALUE,
    .input = {ALL_BANDS},
    .draw = {{.fragment = "jacobi9/bands.frag"}},
    .own = &computed,
    .flops = 20,
};

/* + the inverse of the diagonal, a texture more: A x needs the diagonal itself. */
const struct qp_recipe qp_jacobi9_inverse = {
    .state = ONE_VALUE,
    .input = {ALL_BANDS_AND_INVERSE},
    .draw = {{.fragment = "jacobi9/inverse.frag"}},
    .own = &computed,
    .flops = 20,
};

/* + three passes, each with a shader that knows where it runs. */
const struct qp_recipe qp_jacobi9_multipass = {
    .state = ONE_VALUE,
    .input = {ALL_BANDS_AND_INVERSE},
    .draw = {{.fragment = "jacobi9/multipass_interior.frag", .cover = QP_COVER_INTERIOR},
             {.fragment = "jacobi9/multipass_left.frag", .cover = QP_COVER_LEFT},
             {.fragment = "jacobi9/multipass_right.frag", .cover = QP_COVER_RIGHT}},
    .own = &lines,
    .flops = 20,
};

/* + neighbour coordinates from the vertex shader; the fragment shader is one for all
 * three passes. */
const struct qp_recipe qp_jacobi9_vertex = {
    .state = ONE_VALUE,
    .input = {ALL_BANDS_AND_INVERSE},
    .draw = {{.vertex = "jacobi9/vertex.vert",
              .fragment = "jacobi9/vertex.frag",
              .cover = QP_COVER_INTERIOR},
             {.vertex = "jacobi9/vertex.vert",
              .fragment = "jacobi9/vertex.frag",
              .cover = QP_COVER_LEFT},
             {.vertex = "jacobi9/vertex.vert",
              .fragment = "jacobi9/vertex.frag",
              .cover = QP_COVER_RIGHT}},
    .own = &lines,
    .flops = 20,
};

/* ---- Paper 1, RGBA columns: the ladder again with four independent systems in the channels ----
 * Its first rung has no form of its own, since the channels are taken. */
#define BAND_OF_FOUR(sampler, id)                                            \
    {                                                                        \
        .name = sampler, .shape = FOUR_SYSTEMS, .fields = 1, .field = { id } \
    }
#define ALL_BANDS_OF_FOUR                                                                          \
    BAND_OF_FOUR("band_ll", QP_LL), BAND_OF_FOUR("band_ld", QP_LD),                                \
        BAND_OF_FOUR("band_lu", QP_LU), BAND_OF_FOUR("band_dl", QP_DL),                            \
        BAND_OF_FOUR("band_du", QP_DU), BAND_OF_FOUR("band_ul", QP_UL),                            \
        BAND_OF_FOUR("band_ud", QP_UD), BAND_OF_FOUR("band_uu", QP_UU), BAND_OF_FOUR("rhs", QP_B), \
        BAND_OF_FOUR("band_dd", QP_DD)
#define INVERSE_OF_FOUR BAND_OF_FOUR("inverse_dd", QP_INVERSE_DD)

const struct qp_recipe qp_jacobi9_bands_systems = {
    .state = FOUR_SYSTEMS,
    .input = {ALL_BANDS_OF_FOUR},
    .draw = {{.fragment = "jacobi9/bands_systems.frag"}},
    .systems = 4,
    .own = &computed,
    .flops = 20,
};

const struct qp_recipe qp_jacobi9_inverse_systems = {
    .state = FOUR_SYSTEMS,
    .input = {ALL_BANDS_OF_FOUR, INVERSE_OF_FOUR},
    .draw = {{.fragment = "jacobi9/inverse_systems.frag"}},
    .systems = 4,
    .own = &computed,
    .flops = 20,
};

const struct qp_recipe qp_jacobi9_multipass_systems = {
    .state = FOUR_SYSTEMS,
    .input = {ALL_BANDS_OF_FOUR, INVERSE_OF_FOUR},
    .draw = {{.fragment = "jacobi9/multipass_interior_systems.frag", .cover = QP_COVER_INTERIOR},
             {.fragment = "jacobi9/multipass_left_systems.frag", .cover = QP_COVER_LEFT},
             {.fragment = "jacobi9/multipass_right_systems.frag", .cover = QP_COVER_RIGHT}},
    .systems = 4,
    .own = &lines,
    .flops = 20,
};

const struct qp_recipe qp_jacobi9_vertex_systems = {
    .state = FOUR_SYSTEMS,
    .input = {ALL_BANDS_OF_FOUR, INVERSE_OF_FOUR},
    .draw = {{.vertex = "jacobi9/vertex.vert",
              .fragment = "jacobi9/vertex_systems.frag",
              .cover = QP_COVER_INTERIOR},
             {.vertex = "jacobi9/vertex.vert",
              .fragment = "jacobi9/vertex_systems.frag",
              .cover = QP_COVER_LEFT},
             {.vertex = "jacobi9/vertex.vert",
              .fragment = "jacobi9/vertex_systems.frag",
              .cover = QP_COVER_RIGHT}},
    .systems = 4,
    .own = &lines,
    .flops = 20,
};

/* ---- Paper 1, beyond its scope by its own words: one vector in squares of 2 x 2 cells ---- */

#define SQUARE                                                                   \
    {                                                                            \
        .format = QP_RGBA32F, .neighbours = 2, .rows = 2, .pad_x = 1, .pad_y = 1 \
    }
#define BAND_IN_SQUARES(sampler, id)                                   \
    {                                                                  \
        .name = sampler, .shape = SQUARE, .fields = 1, .field = { id } \
    }

const struct qp_recipe qp_jacobi9_rgba_2x2 = {
    .state = SQUARE,
    .input = {BAND_IN_SQUARES("band_ll", QP_LL), BAND_IN_SQUARES("band_ld", QP_LD),
              BAND_IN_SQUARES("band_lu", QP_LU), BAND_IN_SQUARES("band_dl", QP_DL),
              BAND_IN_SQUARES("band_du", QP_DU), BAND_IN_SQUARES("band_ul", QP_UL),
              BAND_IN_SQUARES("band_ud", QP_UD), BAND_IN_SQUARES("band_uu", QP_UU),
              BAND_IN_SQUARES("rhs", QP_B), BAND_IN_SQUARES("band_dd", QP_DD)},
    .draw = {{.fragment = "jacobi9/rgba_2x2.frag"}},
    .flops = 20,
};

/* ---- Paper 3: zeros in the bands make the border ---- */

#define BANDS_APART(bits)        \
    .state = ONE_VALUE_IN(bits), \
    .input = {OFF_DIAGONAL_BANDS_IN(bits), BAND_IN(bits, "band_dd", QP_DD)}, .flops = 36
#define LUMINANCE(bits, shader) BANDS_APART(bits), .draw = {{.fragment = shader}}

const struct qp_recipe qp_jacobi9_luminance = {LUMINANCE(32, "jacobi9/luminance.frag")};

#define FOUR_CELLS_IN(bits)                                                 \
    {                                                                       \
        .format = QP_RGBA##bits##F, .neighbours = 4, .pad_x = 1, .pad_y = 1 \
    }
#define FOUR_CELLS FOUR_CELLS_IN(32)
#define BAND4(bits, sampler, id)                                                    \
    {                                                                               \
        .name = sampler, .shape = FOUR_CELLS_IN(bits), .fields = 1, .field = { id } \
    }
#define RGBA(bits, shader)                                                   \
    .state = FOUR_CELLS_IN(bits),                                            \
    .input = {BAND4(bits, "band_ll", QP_LL), BAND4(bits, "band_ld", QP_LD),  \
              BAND4(bits, "band_lu", QP_LU), BAND4(bits, "band_dl", QP_DL),  \
              BAND4(bits, "band_du", QP_DU), BAND4(bits, "band_ul", QP_UL),  \
              BAND4(bits, "band_ud", QP_UD), BAND4(bits, "band_uu", QP_UU),  \
              BAND4(bits, "rhs", QP_B),      BAND4(bits, "band_dd", QP_DD)}, \
    .flops = 36, .draw = {{.fragment = shader}}

const struct qp_recipe qp_jacobi9_rgba = {RGBA(32, "jacobi9/rgba.frag")};

static const struct qp_jacobi9_row symmetric = {.needs_symmetry = true};

/* Symmetric matrices (paper 3, section 8) need store only half of their bands. The paper's textures end with the
 * grid, so conditionals keep the shader from bands of cells that are not there, at a loss of 10 %. Ours are padded
 * with zeros, and the first row does without conditionals. */
#define FIVE_BANDS(shader)                                                            \
    .state = ONE_VALUE,                                                               \
    .input = {BAND("band_dd", QP_DD), BAND("band_du", QP_DU), BAND("band_ul", QP_UL), \
              BAND("band_ud", QP_UD), BAND("band_uu", QP_UU), BAND("rhs", QP_B)},     \
    .draw = {{.fragment = shader}}, .own = &symmetric, .flops = 36

const struct qp_recipe qp_jacobi9_symmetric = {FIVE_BANDS("jacobi9/symmetric.frag")};
const struct qp_recipe qp_jacobi9_symmetric_conditionals = {
    FIVE_BANDS("jacobi9/symmetric_conditionals.frag")};

/* ---- Paper 2's bounds: rows unchanged but for the source of the shader's values ---- */

const struct qp_recipe qp_jacobi9_luminance_notex = {
    LUMINANCE(32, "jacobi9/luminance_notex.frag"),
    .bound = true,
};

const struct qp_recipe qp_jacobi9_luminance_alwayscache = {
    LUMINANCE(32, "jacobi9/luminance_alwayscache.frag"),
    .bound = true,
};

const struct qp_recipe qp_jacobi9_rgba_notex = {
    RGBA(32, "jacobi9/rgba_notex.frag"),
    .bound = true,
};

const struct qp_recipe qp_jacobi9_rgba_alwayscache = {
    RGBA(32, "jacobi9/rgba_alwayscache.frag"),
    .bound = true,
};

/* ---- The same in 16 bits: half the bytes, and 11 digits instead of 24 ---- */

const struct qp_recipe qp_jacobi9_luminance_half = {LUMINANCE(16, "jacobi9/luminance.frag")};
const struct qp_recipe qp_jacobi9_rgba_half = {RGBA(16, "jacobi9/rgba.frag")};

/* ---- Textures shared by OpenGL and CUDA ----
 * Beyond the papers, whose CUDA knew no textures of OpenGL. Rows differ in the cost of handing textures
 * over: nothing, mapping once a step, registering too. */
#define SHARED(entry, who)                                                    \
    .engine = &qp_engine_interop, .kernel = &qp_kernel_jacobi9_array_##entry, \
    .own = &(const struct qp_jacobi9_row)                                     \
    {                                                                         \
        .engine.shared = { QP_SHARE_##who }                                   \
    }
#define DRAWN     LUMINANCE(32, "jacobi9/luminance.frag")
#define NOT_DRAWN BANDS_APART(32)

const struct qp_recipe qp_jacobi9_cuda_halves = {DRAWN, SHARED(textures, HALVES)};
const struct qp_recipe qp_jacobi9_cuda_alternate = {DRAWN, SHARED(textures, ALTERNATE)};
const struct qp_recipe qp_jacobi9_cuda_arrays = {NOT_DRAWN, SHARED(textures, KEPT)};
const struct qp_recipe qp_jacobi9_cuda_arrays_surfaces = {NOT_DRAWN, SHARED(surfaces, KEPT)};
const struct qp_recipe qp_jacobi9_cuda_arrays_mapped = {NOT_DRAWN, SHARED(textures, MAPPED)};
const struct qp_recipe qp_jacobi9_cuda_arrays_registered = {NOT_DRAWN,
                                                            SHARED(textures, REGISTERED)};

/* ---- Compute shaders ----
 * With the two storages of bands that are best for drawing. Work groups that are rows read one stream of
 * memory a band; a stamp of 4 x 4 fragments reads four. */

/* LL/DD to UU/DD and b/DD. */
#define PRE_DIVIDED                                                                           \
    {                                                                                         \
        QP_PRE_LL, QP_PRE_LL + 1, QP_PRE_LL + 2, QP_PRE_LL + 3, QP_PRE_LL + 4, QP_PRE_LL + 5, \
            QP_PRE_LL + 6, QP_PRE_UU, QP_PRE_B                                                \
    }
#define BANDS_IN(place)                                                                    \
    {                                                                                      \
        .name = "bands", .shape = {.format = QP_RGBA32F, .neighbours = 4, .slots = place}, \
        .fields = 9, .field = PRE_DIVIDED                                                  \
    }

const struct qp_recipe qp_jacobi9_compute = {
    .state = FOUR_CELLS,
    .input = {BAND4(32, "band_ll", QP_PRE_LL), BAND4(32, "band_ld", QP_PRE_LL + 1),
              BAND4(32, "band_lu", QP_PRE_LL + 2), BAND4(32, "band_dl", QP_PRE_LL + 3),
              BAND4(32, "band_du", QP_PRE_LL + 4), BAND4(32, "band_ul", QP_PRE_LL + 5),
              BAND4(32, "band_ud", QP_PRE_LL + 6), BAND4(32, "band_uu", QP_PRE_UU),
              BAND4(32, "rhs", QP_PRE_B)},
    .draw = {{.compute = "jacobi9/compute.comp"}},
    .flops = 20,
};

const struct qp_recipe qp_jacobi9_compute_abreast = {
    .state = FOUR_CELLS,
    .input = {BANDS_IN(QP_ABREAST)},
    .draw = {{.compute = "jacobi9/compute_abreast.comp"}},
    .flops = 20,
};

/* ---- Ours ---- */

/* The order of paper 3's CPU storage in a texture: texel 9 X + k holds band k of cells 4 X to 4 X +
 * 3, already divided by the diagonal; k = 8 is the right-hand side. */
const struct qp_recipe qp_jacobi9_rgba_abreast = {
    .state = FOUR_CELLS,
    .input = {BANDS_IN(QP_ABREAST)},
    .draw = {{.fragment = "jacobi9/rgba_abreast.frag"}},
    .flops = 20,
};

/* rgba_abreast cut into tiles, for grids whose textures, or whose bands side by side, do not fit. */
const struct qp_recipe qp_jacobi9_rgba_tiles = {
    .engine = &qp_engine_tiles,
    .state = FOUR_CELLS,
    .input = {BANDS_IN(QP_ABREAST)},
    .draw = {{.fragment = "jacobi9/rgba_abreast.frag"}},
    .own = &(const struct qp_jacobi9_row){.engine.tiles = {INT_MAX}},
    .flops = 20,
};

/* rgba_abreast in the order of llvmpipe's stamps (4 x 4 fragments). Paddings of three texels put x's domain on a
 * cache line. */
const struct qp_recipe qp_jacobi9_rgba_stamps = {
    .state = {.format = QP_RGBA32F, .neighbours = 4, .pad_x = 3, .pad_y = 1},
    .input = {BANDS_IN(QP_IN_STAMPS)},
    .draw = {{.fragment = "jacobi9/rgba_stamps.frag", .loads_x = true}},
    .flops = 20,
};

/* Eight render targets: rows dealt out to eight textures of x, and each pre-divided band in a tall texture that
 * holds its eight sheets one above the other. So neighbouring fragments fetch neighbouring texels, which they
 * would not if a fragment's eight rows of a band stood together. */
#define EIGHT_SHEETS                                                               \
    {                                                                              \
        .format = QP_RGBA32F, .neighbours = 4, .sheets = 8, .pad_x = 1, .pad_y = 1 \
    }
#define BAND_IN_SHEETS(sampler, id)                                          \
    {                                                                        \
        .name = sampler, .shape = EIGHT_SHEETS, .fields = 1, .field = { id } \
    }

#define TARGETS(shader)                                                                           \
    .state = EIGHT_SHEETS,                                                                        \
    .input = {BAND_IN_SHEETS("band_ll", QP_PRE_LL),     BAND_IN_SHEETS("band_ld", QP_PRE_LL + 1), \
              BAND_IN_SHEETS("band_lu", QP_PRE_LL + 2), BAND_IN_SHEETS("band_dl", QP_PRE_LL + 3), \
              BAND_IN_SHEETS("band_du", QP_PRE_LL + 4), BAND_IN_SHEETS("band_ul", QP_PRE_LL + 5), \
              BAND_IN_SHEETS("band_ud", QP_PRE_LL + 6), BAND_IN_SHEETS("band_uu", QP_PRE_UU),     \
              BAND_IN_SHEETS("rhs", QP_PRE_B)},                                                   \
    .flops = 20, .draw = {{.fragment = shader}}

const struct qp_recipe qp_jacobi9_rgba_targets = {TARGETS("jacobi9/rgba_targets.frag")};

/* Bound of rgba_targets without fetches, as in paper 2. */
const struct qp_recipe qp_jacobi9_rgba_targets_notex = {
    TARGETS("jacobi9/rgba_targets_notex.frag"),
    .bound = true,
};
