/* SPDX-License-Identifier: MIT */
/* Dense files in `quadpass solve`, and `quadpass invert`, as a script sees them. */
#include "support/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/exact.h"
#include "toolkit/base/random.h"
#include "toolkit/io/npy.h"

#define WEST    QP_SOURCE_DIR "/data/west0067.mtx"
#define IMPCOL  QP_SOURCE_DIR "/data/impcol_a.mtx"
#define ARRAY   "%%MatrixMarket matrix array real general\n"
#define ENTRIES "%%MatrixMarket matrix coordinate real general\n"

/* The last two are equal. */
#define EQUAL_COLUMNS                                                       \
    "-1\n1\n1\n-1\n0\n0\n1\n1\n1\n0\n0\n1\n0\n1\n1\n1\n1\n0\n0\n1\n"        \
    "-1\n0\n-1\n0\n0\n0\n-1\n0\n0\n-1\n-1\n0\n0\n0\n0\n-1\n1\n1\n-1\n1\n"   \
    "0\n0\n0\n-1\n-1\n-1\n-1\n1\n0\n1\n-1\n1\n1\n0\n1\n-1\n-1\n-1\n1\n-1\n" \
    "-1\n1\n0\n-1\n0\n0\n-1\n1\n-1\n1\n-1\n0\n0\n0\n-1\n0\n0\n1\n1\n0\n"    \
    "0\n1\n1\n1\n-1\n-1\n1\n1\n-1\n-1\n0\n1\n1\n1\n-1\n-1\n1\n1\n-1\n-1\n"

/* Random columns of `rows` rows. */
static void write_array(const char *name, int rows, int columns)
{
    char path[256];
    uint64_t seed = 3;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s%d %d\n", ARRAY, rows, columns);
    for (int i = 0; i < rows * columns; i++)
        fprintf(file, "%.9g\n", qp_random(&seed, -1.0, 1.0));
    assert_int_equal(fclose(file), 0);
}

static int make_systems(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    write_array("a.mtx", 9, 9);
    write_array("b.mtx", 9, 4);
    write_array("oblong.mtx", 5, 6);
    write_file("row.mtx", ARRAY "4 4\n1\n4\n5\n1\n2\n9\n7\n2\n3\n1\n2\n3\n4\n8\n1\n4\n");
    write_file("column.mtx", ARRAY "4 4\n1\n4\n5\n7\n2\n9\n7\n8\n0\n0\n0\n0\n4\n8\n1\n3\n");
    write_file("rank.mtx", ARRAY "4 4\n1\n2\n3\n4\n1\n1\n1\n1\n2\n3\n4\n5\n9\n8\n7\n1\n");
    write_file("equal.mtx", ARRAY "10 10\n" EQUAL_COLUMNS);
    write_file("laplacian.mtx",
               ENTRIES "4 4 12\n1 1 2\n2 2 2\n3 3 2\n4 4 2\n1 2 -1\n2 1 -1\n2 3 -1\n"
                       "3 2 -1\n3 4 -1\n4 3 -1\n1 4 -1\n4 1 -1\n");
    write_file("tiny.mtx", ENTRIES "4 4 5\n1 1 1e-310\n2 2 1e-310\n3 3 1e-310\n4 4 1e-310\n"
                                   "1 4 0.5e-310\n");
    write_file("ones.mtx", ARRAY "4 1\n1\n1\n1\n1\n");
    write_file("swap.mtx", ENTRIES "5 5 5\n1 5 1\n2 1 1\n3 4 1\n4 2 1\n5 3 1\n");
    write_file("large.mtx", ENTRIES "300000 300000 3\n1 300000 1\n300000 1 1\n5 77777 1\n");
    write_file("line.mtx", ENTRIES "3 3 7\n1 1 4\n1 2 1\n2 1 1\n2 2 4\n2 3 1\n3 3 4\n3 2 1\n");
    write_file("one.mtx", ARRAY "1 1\n4\n");
    write_file("zero.mtx", ARRAY "9 1\n0\n0\n0\n0\n0\n0\n0\n0\n0\n");
    write_file("empty.mtx", ARRAY "0 0\n");
    write_file("nan.mtx", ARRAY "1 1\nnan\n");
    write_file("huge.mtx", ARRAY "1 1\n1e309\n");
    return 0;
}

TEST(bad_input_is_2_and_leaves_no_file)
{
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"solve a.mtx --weight 1 -o x.mtx", "the matrix fits nine bands on no grid"},
        {"solve a.mtx --variant gauss_jordan/loop --x0 zero.mtx -o x.mtx", "--x0 belongs to"},
        {"solve a.mtx --method cg -o x.mtx", "the matrix is not symmetric"},
        {"solve a.mtx --method cg --precondition ilu -o x.mtx",
         "--precondition takes none, jacobi, block-jacobi, chebyshev or multigrid"},
        {"solve a.mtx --precondition chebyshev -o x.mtx", "goes with the method cg"},
        {"solve a.mtx --picture p.png -o x.mtx", "--picture shows a solution on its grid"},
        {"solve a.mtx --variant openmp --grid 3x3 -o x.mtx", "does not fit nine bands on a grid"},
        {"solve " GR " --variant branched --grid 30x31 -o x.mtx", "has 930 cells"},
        {"solve a.mtx zero.mtx zero.mtx -o x.mtx", "one too many"},
        {"solve a.mtx one.mtx -o x.mtx", "columns of 9 values are needed"},
        {"solve a.mtx --variant openmp -o x.mtx", "no grid"},
        {"solve a.mtx -o /nowhere/x.mtx", "/nowhere/x.mtx"},
        {"solve a.mtx --tolerance 0 -o x.mtx", "positive"},
        {"solve oblong.mtx --variant openmp -o x.mtx",
         "oblong.mtx: is 5 x 6, and only a square matrix"},
        {"solve empty.mtx -o x.mtx", "empty.mtx:2"},
        {"solve nan.mtx -o x.mtx", "nan.mtx:3"},
        {"solve huge.mtx -o x.mtx", "huge.mtx:3"},
        {"invert -o x.mtx", "one matrix file"},
        {"invert a.mtx b.mtx -o x.mtx", "one too many"},
        {"invert missing.mtx -o x.mtx", "missing.mtx"},
        {"invert oblong.mtx --variant loop -o x.mtx", "square"},
        {"invert a.mtx --x0 b.mtx -o x.mtx", "--x0 belongs to"},
        {"invert a.mtx --picture p.png -o x.mtx", "--picture belongs to"},
        {"invert a.mtx --variant nothing -o x.mtx", "nothing"},
        {"invert a.mtx --variant jacobi9/openmp -o x.mtx", "is a variant of jacobi9"},
        {"invert a.mtx --variant loop --refine=3 -o x.mtx", "--refine"},
        {"invert column.mtx --variant reference -o x.mtx", "column 3 is zero"},
        {"solve row.mtx --variant gauss_jordan/reference -o x.mtx", "the matrix is singular"},
        {"solve swap.mtx --variant gauss_jordan/loop -o x.mtx", "column 1 has no pivot"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].arguments, cases[i].words);
}

/* By the variants that are chosen where none is named. */
TEST(singular_is_bad_input)
{
    need_gl();
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"solve a.mtx --grid 3x3 -o x.mtx", "does not fit nine bands on a grid of 3 x 3"},
        {"solve oblong.mtx -o x.mtx --picture p.png",
         "oblong.mtx: is 5 x 6, and only a square matrix"},
        {"invert oblong.mtx -o x.mtx", "square"},
        {"solve row.mtx -o x.mtx", "the matrix is singular"},
        {"solve row.mtx --refine -o x.mtx", "the matrix is singular: rows 1 and 4 are equal"},
        {"solve column.mtx -o x.mtx", "the matrix is singular: column 3 is zero"},
        {"solve rank.mtx -o x.mtx", "the matrix is singular"},
        {"solve equal.mtx --refine -o x.mtx", "the matrix is singular: columns 9 and 10 are equal"},
        {"solve laplacian.mtx --variant gauss_jordan/blocked --refine -o x.mtx",
         "the matrix is singular"},
        {"solve tiny.mtx ones.mtx --variant gauss_jordan/blocked -o x.mtx",
         "of x is beyond what double holds"},
        {"invert rank.mtx -o x.mtx", "the matrix is singular"},
        {"solve swap.mtx --variant branched -o x.mtx", "the pivot of column 1 is 0"},
        {"invert swap.mtx --variant basic --refine -o x.mtx", "the pivot of column 1 is 0"},
        {"solve large.mtx -o x.mtx", "the matrix is singular: row 2 is zero"},
        {"invert large.mtx -o x.mtx", "the limit is about 16384;"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].arguments, cases[i].words);
}

static struct qp_market read_back(const char *name)
{
    struct qp_market x;
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(qp_market_read(path, &x));
    return x;
}

/* A times ones is solved by ones; refined to all the digits that a file has. */
TEST(real_files)
{
    need_gl();
    static const char *const files[] = {WEST, IMPCOL};
    for (int k = 0; k < 2; k++) {
        char arguments[512];
        snprintf(arguments, sizeof arguments, "solve %s --refine -o ones.mtx", files[k]);
        assert_int_equal(run(arguments), 0);
        assert_non_null(strstr(output, "\nconverged: residual "));
        assert_non_null(strstr(output, "; condition about "));
        struct qp_market x = read_back("ones.mtx");
        for (int i = 0; i < x.rows; i++)
            assert_true(fabs(x.value[i] - 1.0) < 1e-8);
        assert_int_equal(x.rows, k == 0 ? 67 : 207);
        qp_market_destroy(&x);
    }
    assert_int_equal(run("solve " IMPCOL " --tolerance 1e-4 --variant gauss_jordan/blocked"), 0);
    assert_non_null(strstr(output, "; --refine goes further"));
    assert_int_equal(run("solve " IMPCOL " --tolerance 1e-12"), 0);
    assert_int_equal(run("solve " IMPCOL " --tolerance 1e-30 -o floor.mtx"), 1);
    assert_non_null(strstr(output, "stagnated, --refine gains nothing more: residual "));
    assert_true(exists("floor.mtx"));
}

/* The variant is chosen by the matrix, unless one is named. */
TEST(rows_are_chosen)
{
    need_gl();
    assert_int_equal(run("solve a.mtx"), 0);
    assert_non_null(strstr(output, "gauss_jordan/blocked")); /* or its form for GPUs */
    assert_non_null(strstr(output, " with 9 unknowns\n"));
    assert_int_equal(run("solve " GR), 0);
    const bool by_jacobi = strncmp(output, "jacobi9/", 8) == 0; /* where short steps are quicker */
    assert_true(by_jacobi || strncmp(output, "cg with 900 unknowns, layout diagonals\n", 39) == 0);
    assert_false(by_jacobi && on_llvmpipe());
    assert_int_equal(run("solve " GR " --weight 1"), 0);
    assert_int_equal(strncmp(output, "jacobi9/", 8), 0);
    assert_int_equal(run("solve line.mtx"), 0);
    assert_int_equal(strncmp(output, "jacobi9/", 8), 0);
    assert_int_equal(run("solve line.mtx --variant branched -o dense.mtx"), 0);
    assert_non_null(strstr(output, "gauss_jordan/branched with 3 unknowns\n"));
    struct qp_market x = read_back("dense.mtx");
    for (int i = 0; i < 3; i++)
        assert_true(fabs(x.value[i] - 1.0) < 1e-6);
    qp_market_destroy(&x);
    assert_int_equal(run("solve swap.mtx --variant gauss_jordan/pivoted"), 0);
    assert_int_equal(run("solve one.mtx --variant gauss_jordan/basic -o 1.mtx"), 0);
    assert_int_equal(run("--version; tail -n 1 1.mtx"), 0);
    assert_true(ends_with(output, "\n1\n"));
}

/* Several columns come out as each alone, and of zeros zeros. */
TEST(columns_share_an_elimination)
{
    need_gl();
    assert_int_equal(run("solve a.mtx b.mtx -o xs.mtx"), 0);
    assert_non_null(strstr(output, "\n4 of 4 columns converged; the worst is column "));
    assert_non_null(strstr(output, "after 1 elimination in "));
    assert_int_equal(run("--version; (head -n 1 b.mtx; echo 9 1; sed -n '12,20p' b.mtx) >b2.mtx"),
                     0);
    assert_int_equal(run("solve a.mtx b2.mtx -o x2.mtx"), 0);
    assert_null(strstr(output, "columns"));
    struct qp_market all = read_back("xs.mtx"), one = read_back("x2.mtx");
    assert_true(all.columns == 4 && one.columns == 1);
    assert_memory_equal(all.value + 9, one.value, 9 * sizeof(double));
    qp_market_destroy(&all);
    qp_market_destroy(&one);
    assert_int_equal(run("solve a.mtx zero.mtx -o - 2>/dev/null | tail -n 9 | sort -u"), 0);
    assert_string_equal(output, "0\n");
}

/* Twice inverted is what it was; standard output holds a file and nothing else. */
TEST(inverses_of_inverses)
{
    need_gl();
    assert_int_equal(run("invert a.mtx --refine -o i.mtx"), 0);
    assert_non_null(strstr(output, "\n9 of 9 columns converged; the worst is column "));
    assert_non_null(strstr(output, "\n||A X - I|| is "));
    assert_int_equal(run("invert - --refine -o - <i.mtx 2>said >ii.mtx; grep -c converged said"),
                     0);
    assert_string_equal(output, "2\n");
    struct qp_market a = read_back("a.mtx"), again = read_back("ii.mtx");
    assert_true(again.rows == 9 && again.columns == 9);
    for (int k = 0; k < 81; k++)
        assert_true(fabs(a.value[k] - again.value[k]) < 1e-6);
    qp_market_destroy(&a);
    qp_market_destroy(&again);
    assert_int_equal(run("invert " IMPCOL " --tolerance 1e-30 -o half.mtx"), 1);
    assert_non_null(strstr(output, "of 207 columns converged"));
    assert_true(exists("half.mtx"));
    assert_int_equal(run("invert " IMPCOL), 0);
    assert_int_equal(run("invert " IMPCOL " --refine -o whole.mtx"), 0);
}

/* The residual A X - I, column by column: the claimed one is that of the file. */
TEST(the_residual_is_that_of_the_file)
{
    enum { N = 207 };
    static struct exact rest[N * N];
    double worst = 0.0, printed;
    struct qp_market a;
    need_gl();
    assert_int_equal(run("invert " IMPCOL " --refine -o whole.mtx --json whole.json"), 0);
    assert_int_equal(sscanf(strstr(output, "residual "), "residual %lf", &printed), 1);
    struct qp_market x = read_back("whole.mtx");
    assert_ok(qp_market_read(IMPCOL, &a));
    for (int j = 0; j < N; j++) {
        double squares = 0.0;
        exact_add(&rest[j * N + j], 1.0);
        for (size_t k = 0; k < a.count; k++) {
            const double other = x.value[j * N + a.column[k]], product = a.value[k] * other;
            exact_add(&rest[j * N + a.row[k]], -product);
            exact_add(&rest[j * N + a.row[k]], -fma(a.value[k], other, -product));
        }
        for (int i = 0; i < N; i++)
            squares += pow(rest[j * N + i].high + rest[j * N + i].low, 2.0);
        worst = fmax(worst, sqrt(squares));
    }
    const double half_a_digit = 0.005; /* half of the last of three printed digits */
    assert_true(worst <= 1e-5 && worst <= (1.0 + half_a_digit) * printed);
    assert_true(printed <= (1.0 + half_a_digit) * worst);
    assert_int_equal(run("--version; grep -c certain_digits whole.json; grep -c "
                         "'\"method\":.*\"elimination\"' whole.json"),
                     0);
    assert_non_null(strstr(output, "\n207\n207\n"));
    qp_market_destroy(&a);
    qp_market_destroy(&x);
}

/* NumPy's arrays all the way: A, b and the start of a solve, its solution, and an inverse. */
TEST(arrays)
{
    double a[] = {4, 1, 0, 1, 4, 1, 0, 2, 4}, b[] = {5, 5.75, 5}, far[] = {5, INFINITY, 5};
    const struct qp_matrix matrix = {3, 3, .precision = QP_DOUBLES, .doubles = a},
                           side = {1, 3, .precision = QP_DOUBLES, .doubles = b},
                           beyond = {1, 3, .precision = QP_DOUBLES, .doubles = far};
    char path[256];
    struct qp_matrix x;
    int channels;
    need_gl();
    snprintf(path, sizeof path, "%s/square.npy", folder);
    assert_ok(qp_npy_write(path, &matrix, 1));
    snprintf(path, sizeof path, "%s/far.npy", folder);
    assert_ok(qp_npy_write(path, &beyond, 1));
    snprintf(path, sizeof path, "%s/side.npy", folder);
    assert_ok(qp_npy_write(path, &side, QP_NPY_VECTOR));
    assert_int_equal(run("solve square.npy side.npy --variant openmp --grid 3x1 --x0 side.npy "
                         "--tolerance 1e-6 -o x.npy && quadpass solve square.npy side.npy "
                         "--refine -o y.npy && quadpass invert square.npy --refine -o z.NPY && "
                         "quadpass invert z.NPY -o /dev/stdout | head -1"),
                     0);
    assert_non_null(strstr(output, "%%MatrixMarket matrix array real general"));
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s.npy", folder, k ? "y" : "x");
        assert_ok(qp_npy_read(path, &x, &channels));
        assert_true(x.precision == QP_DOUBLES && x.width == 3 && x.height == 1);
        assert_true(fabs(x.doubles[0] - 1.0) < 1e-5 && fabs(x.doubles[1] - 1.0) < 1e-5 &&
                    fabs(x.doubles[2] - 0.75) < 1e-5);
        qp_matrix_destroy(&x);
        assert_int_equal(remove(path), 0);
    }
    snprintf(path, sizeof path, "%s/z.NPY", folder);
    assert_ok(qp_npy_read(path, &x, &channels));
    assert_true(x.width == 3 && x.height == 3 && fabs(x.doubles[2] - 1.0 / 52.0) < 1e-7);
    qp_matrix_destroy(&x);
    assert_refused("solve square.npy far.npy -o x.mtx", "far.npy: row 2, column 1 is inf");
    assert_refused("solve square.npy -o x.png", "x.png: the name must end in .mtx or .npy");
    assert_refused("invert square.npy -o x.txt", "x.txt: the name must end in .mtx or .npy");
    assert_refused("solve poisson5 -n 7 -o x.png", "x.png: the name must end in .mtx or .npy");
    assert_false(exists("x.png") || exists("x.txt"));
}

GROUP(make_systems, remove_folder)
