/* SPDX-License-Identifier: MIT */
/* Mutants like those of tests/ops/reduce/test_sabotage_cuda.c, for the kernels of all operations
 * but reduce and transpose.
 *
 * A mutant computes wrong numbers, or writes too few cells, or a cell of its own array's padding;
 * it never leaves device memory, nor waits for what nobody sends. A fault on a GPU may take OpenGL
 * away from every other process of the machine. So no index is moved away from the domain, nothing
 * that is an index in memory (exchanges, tickets, mailboxes) is touched, and barriers stay where
 * they are, or the next one does their work: without one a result may be right by chance. */
#include "support/kernel_mutants.h"
#include "support/support.h"

/* ---- Jacobi ---- */

#define JACOBI(rung, file, entry, after, old, instead)                                           \
    {                                                                                            \
        "jacobi9/cuda_" #rung, "lab/ops/jacobi9/" file, "qp_kernel_jacobi9_" #entry, after, old, \
            instead                                                                              \
    }
#define UPDATE(old, instead) JACOBI(simple, "kernels.cuh", flat, "T update(", old, instead)
#define PLAIN(rung, entry, after, old, instead) \
    JACOBI(rung, "simple.cu", entry, after, old, instead)
#define SHARED(old, instead) JACOBI(shared, "shared.cu", shared, "void shared(", old, instead)
#define DIAGONAL(old, instead) \
    JACOBI(shared_diagonal, "shared.cu", shared_diagonal, "void shared(", old, instead)
#define SYMMETRIC(old, instead) \
    JACOBI(symmetric, "shared.cu", symmetric, "void symmetric(", old, instead)
#define STREAM(old, instead) \
    JACOBI(streaming, "streaming.cu", streaming, "void stream(", old, instead)
#define RESIDENT(after, old, instead) JACOBI(resident, "resident.cu", resident, after, old, instead)

/* After a row's last cell, in its padding. */
#define SPILL "if (column == nx) out[i] = 1.0f; "

/* Terms dropped, or shifted towards the middle; bands mistaken, weights, edges. */
static const struct kernel_mutant jacobi9[] = {
    UPDATE("a[LL][i] * x(i - row - 1)", "0"),
    UPDATE("x(i - row - 1)", "x(i - row)"),
    UPDATE("a[LD][i] * x(i - row)", "0"),
    UPDATE("a[LD][i] * x(i - row)", "a[LD][i] * x(i)"),
    UPDATE("x(i - row + 1)", "x(i - row)"),
    UPDATE("a[DL][i] * x(i - 1)", "0"),
    UPDATE("a[DL][i]", "a[DU][i]"),
    UPDATE("x(i + 1)", "x(i)"),
    UPDATE("a[UL][i] * x(i + row - 1)", "0"),
    UPDATE("a[UD][i] * x(i + row)", "a[UD][i] * x(i)"),
    UPDATE("a[UU][i] * x(i + row + 1)", "0"),
    UPDATE("x(i + row + 1)", "x(i + row)"),
    UPDATE("(T(1) - weight)", "T(1)"),
    UPDATE("weight * (a[B][i]", "(a[B][i]"),
    UPDATE("a[B][i] - sum", "a[B][i] + sum"),
    UPDATE(" / a[DD][i]", ""),
    PLAIN(aligned, flat, "void flat(", "i < cells", "i + 1 < cells"),
    PLAIN(2d, pitched, "void pitched(", "column < nx", "column + 1 < nx"),
    PLAIN(2d, pitched, "void pitched(", "if (column < nx)", SPILL "if (column < nx)"),
    PLAIN(2d, pitched, "launch_pitched(", "(T)l->weight", "(T)1"),
    PLAIN(double, double, "void pitched(", "return x[j]", "return (float)x[j]"),
    PLAIN(double, double, "launch_pitched(", "(T)l->weight", "(float)l->weight"),
    PLAIN(texture, texture, "void textured(", "fetch<float>(x, j)", "fetch<float>(x, j + 1)"),
    PLAIN(texture, texture, "launch_textured(", "l->x == own", "l->x != own"),
    SHARED("below[at] = x[i - pitch]", "below[at] = x[i]"),
    SHARED("below[0] = x[i - pitch - 1]", "below[0] = x[i - pitch]"),
    SHARED("here[0] = x[i - 1]", "here[0] = 0.0f"),
    SHARED("here[at + 1] = x[i + 1]", "here[at + 1] = x[i]"),
    SHARED("above[at + 1] = x[i + pitch + 1]", "above[at + 1] = x[i + 1]"),
    SHARED("a[LU][i] * below[at + 1]", "0.0f"),
    SHARED("here[at + 1] + a[UL]", "here[at] + a[UL]"),
    SHARED("a[UL][i] * above[at - 1]", "0.0f"),
    SHARED("a[UU][i]", "a[UD][i]"),
    SHARED("if (column >= nx)", SPILL "if (column >= nx)"),
    DIAGONAL("du[0] = a[DU][i - 1]", "du[0] = a[DU][i]"),
    DIAGONAL("du[at - 1]", "du[at]"),
    SYMMETRIC("tile[S_UU][v - 1][u - 1]", "tile[S_UU][v][u]"),
    SYMMETRIC("tile[S_UD][v - 1][u]", "tile[S_UD][v][u]"),
    SYMMETRIC("tile[S_UL][v - 1][u + 1]", "tile[S_UL][v][u]"),
    SYMMETRIC("tile[S_DU][v][u - 1]", "tile[S_DU][v][u]"),
    SYMMETRIC("tile[S_UU][v][u] * tile[X][v + 1][u + 1]", "0.0f"),
    SYMMETRIC("column >= nx || row", "column + 1 >= nx || row"),
    STREAM("a[S_LL][k] * below.x[k]", "0.0f"),
    STREAM("below.x[k + 2]", "below.x[k + 1]"),
    STREAM("a[S_DU][k] * here.x[k + 2]", "0.0f"),
    STREAM("a[S_UL][k] * above.x[k]", "a[S_UU][k] * above.x[k]"),
    STREAM("above.x[k + 2]", "above.x[k]"),
    STREAM("if (column + CELLS <= nx)",
           "if (column + CELLS > nx) out[i + nx - column] = 1.0f; if (column + CELLS <= nx)"),
    STREAM("column + k < nx", "column + k + 1 < nx"),
    JACOBI(streaming_divided, "streaming.cu", streaming_divided, "void stream(",
           "DIVIDED ? a[S_B][k] - sum", "DIVIDED ? a[S_B][k]"),
    RESIDENT("void add_own(", "add(sum, h.band(R_DL, r), here, 0);", ""),
    RESIDENT("void add_own(", "add(sum, h.band(R_LU, r), below, 2);", ""),
    RESIDENT("void add_own(", "h.band(R_UD, r), above, 1", "h.band(R_UD, r), above, 0"),
    RESIDENT("void add_own(", "below = here", "below = above"),
    RESIDENT("void add_others(", "add(h.x[0], h.band(R_LL, 0), below, 0);", ""),
    RESIDENT("void add_others(", "h.band(R_UU, top), above, 2", "h.band(R_UU, top), above, 1"),
    RESIDENT("void add_others(", "widen(low, side[-1])", "widen(low, 0.0f)"),
    RESIDENT("void add_others(", "side[r + 1] *", "side[r] *"),
    RESIDENT("reside(const task t", "1.0f - t.weight", "1.0f"),
    RESIDENT("reside(const task t", "b == R_B ? t.weight : -t.weight", "-t.weight"),
    RESIDENT("constexpr int input[BANDS]", "{1, 6, 8, 3, 4,", "{1, 6, 8, 4, 3,"),
};

/* ---- Interop ---- */

#define ARRAYS(rung, entry, old, instead)                                                      \
    {                                                                                          \
        "jacobi9/cuda_" #rung, "lab/ops/jacobi9/arrays.cu", "qp_kernel_jacobi9_array_" #entry, \
            "void jacobi9(", old, instead                                                      \
    }

/* A surface's fetch beyond its edge is a fault, a texture's is not. */
static const struct kernel_mutant interop[] = {
    ARRAYS(halves, textures, "+ arrays.first_row", "+ arrays.first_row + 1"),
    ARRAYS(halves, textures, "row >= height", "row + 1 >= height"),
    ARRAYS(alternate, textures, "k < 8", "k < 7"),
    ARRAYS(arrays, textures, "k < 4 ? k : k + 1", "k"),
    ARRAYS(arrays, textures, "place % 3 - 1", "place % 3"),
    ARRAYS(arrays_surfaces, surfaces, "arrays.input[k]", "arrays.input[0]"),
    ARRAYS(arrays_surfaces, surfaces, "(1.0f - weight)", "1.0f"),
    ARRAYS(arrays_mapped, textures, "arrays.input[8], x, y) - sum", "arrays.input[8], x, y)"),
    ARRAYS(arrays_registered, textures, "column >= width", "column + 1 >= width"),
};

/* ---- Eliminations ---- */

#define COLUMN(rung, entry, after, old, instead)                      \
    {                                                                 \
        "gauss_jordan/cuda_" #rung, "lab/ops/gauss_jordan/column.cu", \
            "qp_kernel_gauss_jordan_" #entry, after, old, instead     \
    }
#define BLOCKED(part, after, old, instead)                               \
    {                                                                    \
        "gauss_jordan/cuda_blocked", "lab/ops/gauss_jordan/" part ".cu", \
            "qp_kernel_gauss_jordan_blocked", after, old, instead        \
    }

#define TENSOR(after, old, instead)                                                                \
    {                                                                                              \
        "gauss_jordan/cuda_tf32", "lab/ops/gauss_jordan/tensor.cu", "qp_kernel_gauss_jordan_tf32", \
            after, old, instead                                                                    \
    }

/* Pivots mistaken, exchanges left out, signs, columns skipped, edges. */
static const struct kernel_mutant gauss_jordan[] = {
    COLUMN(column, column, "void eliminate(", "other[j] - other[k]", "other[j] + other[k]"),
    COLUMN(column, column, "void eliminate(", "i == k ? divided", "i == k ? row[j]"),
    COLUMN(column, column, "void eliminate(", "j >= width", "j + 1 >= width"),
    COLUMN(column, column, "enum qp_status launch(", "k < unknowns(l)", "k + 1 < unknowns(l)"),
    COLUMN(column, column, "enum qp_status launch(", "int k = 0", "int k = 2"),
    COLUMN(column_pivoted, column_pivoted, "int stands_in(", "i == pivot ? k : i", "i"),
    COLUMN(column_pivoted, column_pivoted, "void search(", "{fabsf(", "{-fabsf("),
    COLUMN(column_pivoted, column_pivoted, "void search(", "(float)(row - k)", "0"),
    BLOCKED("panel", "candidate candidate_of(", "fabsf(value)", "0.0f"),
    BLOCKED("panel", "void update_strip(", "a[c] - factor * v.x", "a[c] + factor * v.x"),
    BLOCKED("panel", "void update_strip(", "a[c + 3] - factor * v.w", "a[c + 3]"),
    BLOCKED("panel", "void update_right(", "v[i] -= s.u", "v[i] += s.u"),
    BLOCKED("panel", "void update_right(", "a[c + 2] -= factor * v.z;", ""),
    BLOCKED("panel", "factor(matrix m", "? a[0] / u[0]", "? a[0]"),
    BLOCKED("blocked", "update_next(matrix m", "substitute(v, s.lower);", ""),
    BLOCKED("blocked", "void multiply_next(", "sum[c] -= l", "sum[c] += l"),
    BLOCKED("blocked", "exchange(matrix m", "column[(size_t)rows.from[i] * m.pitch]",
            "column[(size_t)(k + i) * m.pitch]"),
    BLOCKED("blocked", "exchange(matrix m", "rows.to[i] >= 0", "false"),
    BLOCKED("blocked", "void substitute(", "i > j ? f.x * v[j] : 0", "0"),
    BLOCKED("blocked", "void multiply(", "-= l[i] * u[j]", "+= l[i] * u[j]"),
    BLOCKED("blocked", "product(matrix m", "multiply<1>(f, row, column, sum);", ""),
    BLOCKED("blocked", "void update_rest(", "rows > 0", "rows > TILE"),
    BLOCKED("blocked", "void fill(", "start[(size_t)i * width + m.n + side]", "1.0f"),
    BLOCKED("back", "void subtract_tile(", "-= u[i] * x[j]", "+= u[i] * x[j]"),
    BLOCKED("back", "void solve_strip(", "v[0][side] -= above * x", "v[0][side] -= 0"),
    BLOCKED("back", "void solve_strip(", "v[1][side] -= below * x", "v[1][side] += below * x"),
    BLOCKED("back", "void write_strip(", "row + i < m.n", "row + i + 1 < m.n"),
    TENSOR("parts split(", "x - __uint_as_float(high)", "0.0f"),
    TENSOR("product(matrix m", "multiply(sum[r][n], low[r], u_high);", ""),
    TENSOR("product(matrix m", "old[n].x - sum", "old[n].x + sum"),
};

#define BATCH(after, old, instead)                                                       \
    {                                                                                    \
        "gauss_jordan_batch/cuda_registers", "lab/ops/gauss_jordan_batch/registers.cuh", \
            "qp_kernel_gauss_jordan_batch_built", after, old, instead                    \
    }

static const struct kernel_mutant batch[] = {
    BATCH("int vote(", "column[r] < 0 && value", "value"),
    BATCH("int vote(", "row = better ? r : row", "row = 0"),
    BATCH("void share(", "to[N] = a[r][N]", "to[N] = 0.0f"),
    BATCH("void eliminate(", "pivot.divide(at", "-pivot.divide(at"),
    BATCH("void eliminate(", "int j0 = k0;", "int j0 = k0 + 4;"),
    BATCH("float substitute(", "? at(r, k0, q) : pivot", "? 1.0f : pivot"),
    BATCH("float substitute(", "fmaf(-at(", "fmaf(at("),
    BATCH("void solve(float *answer", "q >= 0", "q >= 1"),
    BATCH("void solve(float *answer", "answer[n] = (float)failed", "answer[n] = 1.0f"),
    BATCH("struct divisor", "a * scale * inverse", "a * inverse"),
};

/* ---- Transfer and access ---- */

#define MOVE(rung, old, instead)                                                            \
    {                                                                                       \
        "transfer/cuda_" #rung, "lab/ops/transfer/additions.cu", "qp_kernel_transfer_move", \
            "void move(", old, instead                                                      \
    }

static const struct kernel_mutant transfer[] = {
    MOVE(pageable, "k < additions", "k + 1 < additions"),
    MOVE(mapped, "i < count", "i + 1 < count"),
    MOVE(pinned, "i += all", "i += 2 * all"),
    MOVE(overlap, "out[i] = sum", "out[i] = x[i]"),
};

#define ACCESS(rung, file, entry, after, old, instead)                                         \
    {                                                                                          \
        "access/cuda_" #rung, "lab/ops/access/" file ".cu", "qp_kernel_access_" #entry, after, \
            old, instead                                                                       \
    }
#define INDEX(rung, header, entry, after, old, instead)                                         \
    {                                                                                           \
        "access/cuda_" #rung, "lab/ops/access/" header, "qp_kernel_access_" #entry, after, old, \
            instead                                                                             \
    }
#define GLOBAL(rung, after, old, instead) ACCESS(rung, "global", rung, after, old, instead)
#define STEPS(rung, after, old, instead)  ACCESS(rung, "instructions", rung, after, old, instead)

/* A place or step of one kind at a time; the other kinds of a variant still pass. */
static const struct kernel_mutant access_kinds[] = {
    INDEX(simple, "indices.h", simple, "qp_access_cell(", "order->parameter",
          "order->parameter + 1"),
    INDEX(simple, "indices.h", simple, "qp_access_cell(", "row * order->columns + column : i",
          "i : i"),
    INDEX(simple, "indices.h", simple, "qp_access_cell(", "i ^ order->parameter", "i"),
    GLOBAL(no_l1, "unsigned place(", "+ (unsigned)w.u[i]", ""),
    GLOBAL(no_l1, "float value(", "QP_ACCESS_WARP - w.order.parameter",
           "QP_ACCESS_WARP - 1 - w.order.parameter"),
    GLOBAL(ldg, "void copy(", "if (i < w.order.cells)", "if (i + 1 < w.order.cells)"),
    GLOBAL(ldg, "void copy(", "first += at_once", "first += 2 * at_once"),
    GLOBAL(four, "void copy(", "w.out[i] = values[k]", "w.out[i] = values[0]"),
    ACCESS(8_bytes, "words", 8_bytes, "void copy_words(", "(x + from)", "(x + to)"),
    ACCESS(16_bytes, "words", 16_bytes, "void copy_words(", "i + offset", "i"),
    ACCESS(staged, "words", staged, "void copy_staged(", "columns + column)]", "columns)]"),
    ACCESS(staged, "words", staged, "void copy_staged(", "out[rest] = x[rest]", "out[rest] = 0"),
    INDEX(shared, "banks.h", shared, "qp_access_first(", "t * parameter % QP_ACCESS_TILE", "t"),
    INDEX(shared, "banks.h", shared, "qp_access_first(", "t / parameter", "t"),
    ACCESS(shared_padded, "shared", padded, "unsigned sum(", "first + k)", "first)"),
    ACCESS(shared_padded, "shared", padded, "void sums(", "t % QP_ACCESS_TILE", "t"),
    ACCESS(shared_pairs, "shared", pairs, "unsigned sum(", "pairs[k].x + pairs[k].y", "pairs[k].x"),
    STEPS(operators, "struct operators", "u / by.parameter", "u / by.parameter + 1"),
    STEPS(operators, "struct operators", "u % by.parameter", "u"),
    STEPS(operators, "struct operators", "(u & QP_ACCESS_BITS_24) *", "u *"),
    STEPS(shifts, "struct shifts", "u >> by.shift", "u >> (by.shift + 1)"),
    STEPS(shifts, "struct shifts", "by.parameter - 1", "by.parameter"),
    STEPS(shifts, "struct shifts", "<< by.shift", "<< (by.shift + 1)"),
    STEPS(reciprocals, "struct reciprocals", "by.divider.shift", "(by.divider.shift + 1)"),
    STEPS(reciprocals, "struct reciprocals", "u - quotient", "u + quotient"),
    STEPS(umul24, "struct bits_24", "__umul24(u, by.parameter)", "u * by.parameter"),
    STEPS(branches, "take_way(unsigned", "2 * way", "way"),
    STEPS(branches, "void branch(", "way = 0", "way = 1"),
    STEPS(branchless, "unsigned way_of(", "i / QP_ACCESS_WARP", "i"),
    STEPS(branchless, "unsigned way_of(", "== QP_ACCESS_DIVERGENT ? i",
          "== QP_ACCESS_DIVERGENT ? i / 2"),
    STEPS(rolled, "void loop(", "k < by.parameter", "k + 1 < by.parameter"),
    STEPS(unrolled, "void loop(", "u >> 7)", "u >> 6)"),
    ACCESS(chase, "chase", chase, "void chase(", "i < steps", "i + 1 < steps"),
    ACCESS(chase, "chase", chase, "void chase(", "- 0x1p23f", "- 0x1p23f + 1.0f"),
    ACCESS(chase_no_l1, "chase", chase_no_l1, "void chase(", "= __float_as_uint(L1",
           "= true ? bits : __float_as_uint(L1"),
    ACCESS(local, "local", local, "void local(", "j + 1 < words", "j + 2 < words"),
    ACCESS(local, "local", local, "void local(", "word[j] = u = mix", "u = mix"),
    ACCESS(local_unrolled, "local", registers, "void registers(", "word[k] = k", "word[k] = 0"),
    ACCESS(local_unrolled, "local", registers, "void registers(", "u = mix(u, word[j])",
           "u = mix(u, word[0])"),
    ACCESS(functions, "functions", accurate, "struct accurate", "sinf(u)", "cosf(u)"),
    ACCESS(functions, "functions", accurate, "struct accurate", "sine + cosine", "sine - cosine"),
    ACCESS(functions, "functions", accurate, "struct accurate", "1.0f / sqrtf(u)", "sqrtf(u)"),
    ACCESS(functions, "functions", accurate, "void functions(", "k < count", "k + 1 < count"),
    ACCESS(fast_functions, "functions", fast, "struct fast", "__logf(u)", "__log2f(u)"),
    ACCESS(fast_functions, "functions", fast, "struct fast", "sine + cosine", "sine + sine"),
    ACCESS(fast_functions, "functions", fast, "struct fast", "__expf(u)", "__exp10f(u)"),
};

/* ---- The hunts ---- */

#define ALL(table) table, COUNT(table)

static const char *const with_and_without_symmetry[] = {"random", "symmetric", NULL};
static const char *const with_zeros_too[] = {"dominant", "permuted", NULL};
static const char *const with_exchanges_too[] = {"dominant", "general", NULL};
static const char *const with_arithmetic[] = {"overlap", NULL};

/* Sizes are no multiples of anything. A resident tile has two rows a warp, a panel needs a cluster
 * at first (one higher than that takes too long here), threads have more than one cell to move. */
static const struct qp_size of_grids[] = {{301, 797}, {0}}, of_textures[] = {{67, 29}, {0}},
                            of_eliminations[] = {{303, 300}, {0}}, of_batches[] = {{13, 101}, {0}},
                            of_transfers[] = {{701, 1001}, {0}}, of_access[] = {{501, 301}, {0}};

static const struct kernel_hunt hunts[] = {
    {ALL(jacobi9), 3, of_grids, with_and_without_symmetry, {.weight = 0.9}},
    {ALL(interop), 3, of_textures, with_and_without_symmetry, {.weight = 0.9}},
    {ALL(gauss_jordan), 1, of_eliminations, with_zeros_too, {.op = "gauss_jordan"}},
    {ALL(batch), 1, of_batches, with_exchanges_too, {.op = "gauss_jordan_batch"}},
    {ALL(transfer), 1, of_transfers, with_arithmetic, {.op = "transfer"}},
    {ALL(access_kinds), 1, of_access, NULL, {.op = "access", .parameter = 4}},
};

TEST(all_places_are_there)
{
    for (int h = 0; h < COUNT(hunts); h++)
        kernel_hunt_check(&hunts[h]);
}

#define HUNT(name, number)                      \
    CLEAN_TEST(name##_is_judged)                \
    {                                           \
        kernel_hunt_run(state, &hunts[number]); \
    }
HUNT(jacobi9, 0)
HUNT(interop, 1)
HUNT(gauss_jordan, 2)
HUNT(batch, 3)
HUNT(transfer, 4)
HUNT(access, 5)

GROUP(support_open_context, support_close_context)
