/* SPDX-License-Identifier: MIT */
/* Nine-band Jacobi in fragment shaders: each rung as data. The engine in engines/gl.c runs
 * them all. */
#include <limits.h>

#include "engines/engines.h"
#include "ops/jacobi9/jacobi9.h"
#include "ops/jacobi9/kernels.h"

/* ---- Paper 1: one value a texel, vectors that wrap at row ends ----
 * All of its rows compute x + w (b - A x) / DD, the diagonal's product inside A x.
 * Two rows of padding, because x[i - nx - 1] of the very first cell lies two rows down; one column,
 * because the last quad of a one-cell row reads it. */
#define ONE_VALUE(bits)                                         \
    {                                                           \
        .format = QP_LUMINANCE##bits##F, .pad_x = 1, .pad_y = 2 \
    }
#define FOUR_SYSTEMS                                                          \
    {                                                                         \
        .format = QP_RGBA32F, .slots = QP_IN_CHANNELS, .pad_x = 1, .pad_y = 2 \
    }

/* Bands beside the diagonal, from field `first` on, and the right-hand side; + the diagonal; + its
 * inverse. */
#define BANDS(first, side, ...)                                                                   \
    QP_ARRAY("band_ll", first, __VA_ARGS__), QP_ARRAY("band_ld", first + 1, __VA_ARGS__),         \
        QP_ARRAY("band_lu", first + 2, __VA_ARGS__), QP_ARRAY("band_dl", first + 3, __VA_ARGS__), \
        QP_ARRAY("band_du", first + 4, __VA_ARGS__), QP_ARRAY("band_ul", first + 5, __VA_ARGS__), \
        QP_ARRAY("band_ud", first + 6, __VA_ARGS__), QP_ARRAY("band_uu", first + 7, __VA_ARGS__), \
        QP_ARRAY("rhs", side, __VA_ARGS__)
#define ALL_BANDS(...) \
    BANDS(QP_JACOBI9_LL, QP_JACOBI9_B, __VA_ARGS__), QP_ARRAY("band_dd", QP_JACOBI9_DD, __VA_ARGS__)
#define BANDS_AND_INVERSE(...) \
    ALL_BANDS(__VA_ARGS__), QP_ARRAY("inverse_dd", QP_JACOBI9_INVERSE_DD, __VA_ARGS__)

/* Limit of wrapped coordinates in float: row = floor(z / nx) of a cell's number z, then z - nx row.
 * All are whole numbers, exact up to 2^24; the quotient is not. GLSL lets a division be off by e
 * = 2.5 units of the last place, that is by e 2^-23 z / nx at most, and next to whole numbers the
 * smallest error gives the wrong row. (Half a cell added to z keeps clear of them only while e
 * 2^-23 z / nx < 0.5 / nx: up to 2^22 / e cells, 1.7 million.) But while the error is less than one
 * row, which holds for textures of fewer than 2^23 / e rows, 3.3 million, the row is wrong by one
 * at most; z - nx row is then exact, lies outside 0 to nx - 1, and its sign says which way. So the
 * shaders correct it once (`quotient`), and only the exactness of whole numbers sets the limit. */
static const struct qp_jacobi9_row computed = {.takes_wraps = true, .most_cells = 1 << 24};

/* The left and the right boundary line must be two. */
static const struct qp_jacobi9_row lines = {.takes_wraps = true, .least_width = 2};

/* Settings that rows of paper 1 share, with equal layouts of their arrays. */
#define PAPER1(bands, limits, ...) \
    .state = __VA_ARGS__, .input = {bands(__VA_ARGS__)}, .own = &limits, .flops = 20

#define ROW(name, ...) const struct qp_recipe qp_jacobi9_##name = {__VA_ARGS__}

/* The first port: bands and right-hand side in the channels of three textures. */
ROW(generic, .state = ONE_VALUE(32),
    .input = {{.name = "bands_below",
               .shape = FOUR_SYSTEMS,
               .fields = 3,
               .field = {QP_JACOBI9_LL, QP_JACOBI9_LD, QP_JACOBI9_LU}},
              {.name = "bands_beside",
               .shape = FOUR_SYSTEMS,
               .fields = 4,
               .field = {QP_JACOBI9_DL, QP_JACOBI9_DD, QP_JACOBI9_DU, QP_JACOBI9_B}},
              {.name = "bands_above",
               .shape = FOUR_SYSTEMS,
               .fields = 3,
               .field = {QP_JACOBI9_UL, QP_JACOBI9_UD, QP_JACOBI9_UU}}},
    .draw = {{.fragment = "jacobi9/generic.frag"}}, .own = &computed, .flops = 20);

/* + one texture a band. */
ROW(bands, PAPER1(ALL_BANDS, computed, ONE_VALUE(32)),
    .draw = {{.fragment = "jacobi9/bands.frag"}});

/* + the inverse of the diagonal, a texture more: A x needs the diagonal itself. */
ROW(inverse, PAPER1(BANDS_AND_INVERSE, computed, ONE_VALUE(32)),
    .draw = {{.fragment = "jacobi9/inverse.frag"}});

/* + three passes, each with a shader that knows where it runs. */
ROW(multipass, PAPER1(BANDS_AND_INVERSE, lines, ONE_VALUE(32)),
    .draw = {{.fragment = "jacobi9/multipass_interior.frag", .cover = QP_COVER_INTERIOR},
             {.fragment = "jacobi9/multipass_left.frag", .cover = QP_COVER_LEFT},
             {.fragment = "jacobi9/multipass_right.frag", .cover = QP_COVER_RIGHT}});

#define WITH_VERTICES(shader, part)                                                   \
    {                                                                                 \
        .vertex = "jacobi9/vertex.vert", .fragment = shader, .cover = QP_COVER_##part \
    }

/* + neighbour coordinates from the vertex shader; the fragment shader is one for all
 * three passes. */
ROW(vertex, PAPER1(BANDS_AND_INVERSE, lines, ONE_VALUE(32)),
    .draw = {WITH_VERTICES("jacobi9/vertex.frag", INTERIOR),
             WITH_VERTICES("jacobi9/vertex.frag", LEFT),
             WITH_VERTICES("jacobi9/vertex.frag", RIGHT)});

/* ---- Paper 1, RGBA columns: the ladder again with four independent systems in the channels ----
 * Its first rung has no form of its own, since the channels are taken. */

ROW(bands_systems, PAPER1(ALL_BANDS, computed, FOUR_SYSTEMS),
    .draw = {{.fragment = "jacobi9/bands_systems.frag"}}, .systems = 4);
ROW(inverse_systems, PAPER1(BANDS_AND_INVERSE, computed, FOUR_SYSTEMS),
    .draw = {{.fragment = "jacobi9/inverse_systems.frag"}}, .systems = 4);

ROW(multipass_systems, PAPER1(BANDS_AND_INVERSE, lines, FOUR_SYSTEMS),
    .draw = {{.fragment = "jacobi9/multipass_interior_systems.frag", .cover = QP_COVER_INTERIOR},
             {.fragment = "jacobi9/multipass_left_systems.frag", .cover = QP_COVER_LEFT},
             {.fragment = "jacobi9/multipass_right_systems.frag", .cover = QP_COVER_RIGHT}},
    .systems = 4);
ROW(vertex_systems, PAPER1(BANDS_AND_INVERSE, lines, FOUR_SYSTEMS),
    .draw = {WITH_VERTICES("jacobi9/vertex_systems.frag", INTERIOR),
             WITH_VERTICES("jacobi9/vertex_systems.frag", LEFT),
             WITH_VERTICES("jacobi9/vertex_systems.frag", RIGHT)},
    .systems = 4);

/* ---- Paper 1, beyond its scope by its own words: one vector in squares of 2 x 2 cells ---- */

#define SQUARE                                                                   \
    {                                                                            \
        .format = QP_RGBA32F, .neighbours = 2, .rows = 2, .pad_x = 1, .pad_y = 1 \
    }

ROW(rgba_2x2, .state = SQUARE, .input = {ALL_BANDS(SQUARE)},
    .draw = {{.fragment = "jacobi9/rgba_2x2.frag"}}, .flops = 20);

/* ---- Paper 3: zeros in the bands make the border ---- */

#define BANDS_APART(...)        .state = __VA_ARGS__, .input = {ALL_BANDS(__VA_ARGS__)}, .flops = 36
#define LUMINANCE(bits, shader) BANDS_APART(ONE_VALUE(bits)), .draw = {{.fragment = shader}}

ROW(luminance, LUMINANCE(32, "jacobi9/luminance.frag"));

#define FOUR_CELLS(bits)                                                    \
    {                                                                       \
        .format = QP_RGBA##bits##F, .neighbours = 4, .pad_x = 1, .pad_y = 1 \
    }
#define RGBA(bits, shader) BANDS_APART(FOUR_CELLS(bits)), .draw = {{.fragment = shader}}

ROW(rgba, RGBA(32, "jacobi9/rgba.frag"));

static const struct qp_jacobi9_row symmetric = {.needs_symmetry = true};

/* Symmetric matrices (paper 3, section 8) need store only half of their bands. The paper's textures
 * end with the grid, so conditionals keep the shader from bands of cells that are not there, at a
 * loss of 10 %. Ours are padded with zeros, and the first row does without conditionals. */
#define UPPER(name, id) QP_ARRAY(name, id, ONE_VALUE(32))
#define UPPER_BANDS(shader)                                                     \
    .state = ONE_VALUE(32),                                                     \
    .input = {UPPER("band_dd", QP_JACOBI9_DD), UPPER("band_du", QP_JACOBI9_DU), \
              UPPER("band_ul", QP_JACOBI9_UL), UPPER("band_ud", QP_JACOBI9_UD), \
              UPPER("band_uu", QP_JACOBI9_UU), UPPER("rhs", QP_JACOBI9_B)},     \
    .draw = {{.fragment = shader}}, .own = &symmetric, .flops = 36

ROW(symmetric, UPPER_BANDS("jacobi9/symmetric.frag"));
ROW(symmetric_conditionals, UPPER_BANDS("jacobi9/symmetric_conditionals.frag"));

/* ---- Paper 2's bounds: rows unchanged but for the source of the shader's values ---- */

ROW(luminance_notex, LUMINANCE(32, "jacobi9/luminance_notex.frag"), .bound = true);
ROW(luminance_alwayscache, LUMINANCE(32, "jacobi9/luminance_alwayscache.frag"), .bound = true);

ROW(rgba_notex, RGBA(32, "jacobi9/rgba_notex.frag"), .bound = true);
ROW(rgba_alwayscache, RGBA(32, "jacobi9/rgba_alwayscache.frag"), .bound = true);

/* ---- The same in 16 bits: half the bytes, and 11 digits instead of 24 ---- */

ROW(luminance_half, LUMINANCE(16, "jacobi9/luminance.frag"));
ROW(rgba_half, RGBA(16, "jacobi9/rgba.frag"));

/* ---- Textures shared by OpenGL and CUDA ----
 * Beyond the papers, whose CUDA knew no textures of OpenGL. Rows differ in the cost of handing
 * textures over: nothing, mapping once a step, registering too. */
#define SHARED(entry, who)                                                    \
    .engine = &qp_engine_interop, .kernel = &qp_kernel_jacobi9_array_##entry, \
    .own = &(const struct qp_jacobi9_row)                                     \
    {                                                                         \
        .engine.shared = { QP_SHARE_##who }                                   \
    }

ROW(cuda_halves, LUMINANCE(32, "jacobi9/luminance.frag"), SHARED(textures, HALVES));
ROW(cuda_alternate, LUMINANCE(32, "jacobi9/luminance.frag"), SHARED(textures, ALTERNATE));
ROW(cuda_arrays, BANDS_APART(ONE_VALUE(32)), SHARED(textures, KEPT));
ROW(cuda_arrays_surfaces, BANDS_APART(ONE_VALUE(32)), SHARED(surfaces, KEPT));
ROW(cuda_arrays_mapped, BANDS_APART(ONE_VALUE(32)), SHARED(textures, MAPPED));
ROW(cuda_arrays_registered, BANDS_APART(ONE_VALUE(32)), SHARED(textures, REGISTERED));

/* ---- Compute shaders ----
 * With the two storages of bands that are best for drawing. Work groups that are rows read one
 * stream of memory a band; a stamp of 4 x 4 fragments reads four. */

/* LL/DD to UU/DD and b/DD. */
#define PRE_DIVIDED                                                                             \
    {                                                                                           \
        QP_JACOBI9_PRE_LL, QP_JACOBI9_PRE_LL + 1, QP_JACOBI9_PRE_LL + 2, QP_JACOBI9_PRE_LL + 3, \
            QP_JACOBI9_PRE_LL + 4, QP_JACOBI9_PRE_LL + 5, QP_JACOBI9_PRE_LL + 6,                \
            QP_JACOBI9_PRE_UU, QP_JACOBI9_PRE_B                                                 \
    }
#define BANDS_IN(place)                                                                    \
    {                                                                                      \
        .name = "bands", .shape = {.format = QP_RGBA32F, .neighbours = 4, .slots = place}, \
        .fields = 9, .field = PRE_DIVIDED                                                  \
    }

ROW(compute, .state = FOUR_CELLS(32),
    .input = {BANDS(QP_JACOBI9_PRE_LL, QP_JACOBI9_PRE_B, FOUR_CELLS(32))},
    .draw = {{.compute = "jacobi9/compute.comp"}}, .flops = 20);
ROW(compute_abreast, .state = FOUR_CELLS(32), .input = {BANDS_IN(QP_ABREAST)},
    .draw = {{.compute = "jacobi9/compute_abreast.comp"}}, .flops = 20);

/* ---- Ours ---- */

/* The order of paper 3's CPU storage in a texture: texel 9 X + k holds band k of cells 4 X to 4 X +
 * 3, already divided by the diagonal; k = 8 is the right-hand side. */
ROW(rgba_abreast, .state = FOUR_CELLS(32), .input = {BANDS_IN(QP_ABREAST)},
    .draw = {{.fragment = "jacobi9/rgba_abreast.frag"}}, .flops = 20);

/* rgba_abreast cut into tiles, for grids whose textures, or whose bands side by side, do not
 * fit. */
ROW(rgba_tiles, .engine = &qp_engine_parts, .state = FOUR_CELLS(32),
    .input = {BANDS_IN(QP_ABREAST)}, .draw = {{.fragment = "jacobi9/rgba_abreast.frag"}},
    .own = &(const struct qp_jacobi9_row){.engine.parts = {.runs = {{&qp_jacobi9_rgba_abreast,
                                                                     QP_GL}},
                                                           .texels = INT_MAX}},
    .flops = 20);

/* rgba_abreast in the order of llvmpipe's stamps (4 x 4 fragments). Paddings of three texels put
 * x's domain on a cache line. */
ROW(rgba_stamps, .state = {.format = QP_RGBA32F, .neighbours = 4, .pad_x = 3, .pad_y = 1},
    .input = {BANDS_IN(QP_IN_STAMPS)},
    .draw = {{.fragment = "jacobi9/rgba_stamps.frag", .loads_x = true}}, .flops = 20);

/* Eight render targets: rows dealt out to eight textures of x, and each pre-divided band in a tall
 * texture that holds its eight sheets one above the other. So neighbouring fragments fetch
 * neighbouring texels, which they would not if a fragment's eight rows of a band were stored
 * together. */
#define EIGHT_SHEETS                                                               \
    {                                                                              \
        .format = QP_RGBA32F, .neighbours = 4, .sheets = 8, .pad_x = 1, .pad_y = 1 \
    }

#define TARGETS(shader)                                                                         \
    .state = EIGHT_SHEETS, .input = {BANDS(QP_JACOBI9_PRE_LL, QP_JACOBI9_PRE_B, EIGHT_SHEETS)}, \
    .flops = 20, .draw = {{.fragment = shader}}

ROW(rgba_targets, TARGETS("jacobi9/rgba_targets.frag"));

/* Bound of rgba_targets without fetches, as in paper 2. */
ROW(rgba_targets_notex, TARGETS("jacobi9/rgba_targets_notex.frag"), .bound = true);
