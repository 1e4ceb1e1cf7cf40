/* SPDX-License-Identifier: MIT */
/* `quadpass solve poisson5` as a script sees it: what it takes, writes, refuses and says. No OpenGL
 * is needed. */
#include "support/watch.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/io/npy.h"

#define ARRAY "%%MatrixMarket matrix array real general\n"

static int make_files(void **state)
{
    if (make_folder_in_haste(state) != 0)
        return -1;
    write_file("f.mtx", ARRAY "2 3\n1\n2\n3\n4\n5\n6\n");
    write_file("nan.mtx", ARRAY "2 2\n1\n2\nnan\n4\n");
    write_file("huge.mtx", ARRAY "2 2\n1\n2\n1e300\n4\n");
    write_file("from.mtx", ARRAY "3 1\n1e-3\n2\n1e3\n");
    write_file("b0.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n0\n0\n");
    write_file("three.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 7\n1 1 4\n2 2 4\n"
                            "3 3 4\n2 1 -1\n1 2 -1\n3 2 -1\n2 3 -1\n");
    write_file("wide1.mtx", "%%MatrixMarket matrix coordinate real general\n"
                            "2147483647 2147483647 1\n1 1 2\n");
    write_file("sparse.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 2\n");
    return 0;
}

static void remove_file(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(remove(path), 0);
}

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Reads the numbers of an array file after its sizes; returns how many. */
static int read_values(const char *name, int *rows, int *columns, double *values, int most)
{
    char path[256], line[256];
    int k = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_true(file != NULL && fgets(line, sizeof line, file) != NULL);
    assert_int_equal(fscanf(file, "%d %d", rows, columns), 2);
    while (k < most && fscanf(file, "%lf", &values[k]) == 1)
        k++;
    assert_int_equal(fclose(file), 0);
    return k;
}

/* The command in the folder, without OpenGL. */
static void solve(const char *arguments, int code, const char *words)
{
    char line[1024];
    snprintf(line, sizeof line, "cd %s && " NO_DEVICES "quadpass solve poisson5 %s", folder,
             arguments);
    expect(line, code, words);
}

/* The six equations of the file, h = 1/4: u is written as f is read, a line of the grid in each
 * row. */
TEST(files_come_and_go)
{
    double u[8];
    int rows, columns;
    solve("--rhs f.mtx --size 3x2 --tolerance 1e-12 -o x.mtx", 0,
          "on a grid of 3 x 2, chebyshev\nseconds: ");
    assert_int_equal(read_values("x.mtx", &rows, &columns, u, 8), 6);
    assert_true(rows == 2 && columns == 3);
    for (int y = 0; y < 2; y++) {
        for (int x = 0; x < 3; x++) {
            const double left = x > 0 ? u[2 * x - 2 + y] : 0.0, other = u[2 * x + 1 - y];
            const double right = x < 2 ? u[2 * x + 2 + y] : 0.0, f = 1.0 + 2.0 * x + y;
            assert_true(fabs(4.0 * u[2 * x + y] - left - right - other - f / 16.0) < 1e-11);
        }
    }
    solve("--rhs sparse.mtx", 0, "on a grid of 2 x 2, chebyshev\nseconds: ");
    assert_ok(qp_npy_write(path_of("two.npy"),
                           &(struct qp_matrix){.width = 4, .height = 2, .values = (float[8]){0}},
                           2));
    solve("--rhs two.npy", 2, "two.npy: has 2 values a cell, and a right-hand side has one\n");
    solve("--rhs f.mtx --tolerance 1e-12 -o x.npy", 0, "on a grid of 3 x 2, chebyshev\nseconds: ");
    solve("--rhs x.npy --tolerance 1e-12 -o x.npy2", 2, "x.npy2: the name must end in");
    solve("--rhs x.npy --size 2x3", 2,
          "x.npy: has 3 columns and 2 rows, and --size asks for 2 x 3");
    char path[256];
    struct qp_matrix array;
    int channels;
    snprintf(path, sizeof path, "%s/x.npy", folder);
    assert_ok(qp_npy_read(path, &array, &channels));
    assert_true(array.width == 3 && array.height == 2 && array.precision == QP_DOUBLES);
    for (int i = 0; i < 6; i++)
        assert_true(array.doubles[i] == u[i % 3 * 2 + i / 3]);
    qp_matrix_destroy(&array);
    remove_file("x.npy");
    remove_file("x.mtx");
}

TEST(methods_and_outputs)
{
    solve("-n 31 --problem spike --method sor --picture p.png", 0,
          "poisson5/openmp_red_black on a grid of 31 x 31, sor with weight 1.8");
    assert_true(count("p.png: from ") == 1 && count("yellow") == 1);
    solve("-n 31 --method sor --json - 2>/dev/null | jq -r '.records[0] | [.variant, .method, "
          ".reason, "
          ".width, .iterations > 0, .rounds > 0, .residual < 1e-5, .ending] | join(\" \")'",
          0, "poisson5/openmp_red_black sor asked for 31 true true true converged");
    solve("-n 31 --double --refine --variant openmp_double", 0,
          "poisson5/openmp_double on a grid of 31 x 31, chebyshev\n");
    solve("-n 31 --problem sine -o - 2>/dev/null | wc -l", 0, "963\n");
    solve("-n 7 -o /dev/full", 2, "/dev/full: cannot be written: No space left on device");
    assert_int_equal(count("poisson5/"), 0);
    solve("-n 7 --picture /dev/full -o x.mtx", 2, "/dev/full: cannot be written: No space left");
    remove_file("x.mtx");
    solve("-n 63 --method jacobi --iterations 10", 1, "out of steps: residual ");
    solve("-n 63 --method jacobi --max-iterations 10 -o y.mtx", 1, "out of steps: residual ");
    assert_true(exists("y.mtx"));
    remove_file("p.png");
    remove_file("y.mtx");
}

TEST(bad_use_is_2_and_leaves_no_file)
{
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"--size 4 --method sro", ", not 'sro' (did you mean 'sor'?)"},
        {"", "poisson5 takes --size N or WxH, or --rhs with a file"},
        {"--size 4 f.mtx", "poisson5 takes its right-hand side by --rhs, not as 'f.mtx'"},
        {"--size 4 --x0 f.mtx", "--x0 belongs to a matrix from a file"},
        {"--size 4 --weight 0.5", "--weight belongs to a matrix from a file"},
        {"--size 4 --grid 2x2", "--grid belongs to a matrix from a file"},
        {"--size 4 --rhs f.mtx", "f.mtx: has 3 columns and 2 rows, and --size asks for 4 x 4"},
        {"--size 3x4 --rhs f.mtx", "f.mtx: has 3 columns and 2 rows, and --size asks for 3 x 4"},
        {"--size 4x2 --rhs f.mtx", "f.mtx: has 3 columns and 2 rows, and --size asks for 4 x 2"},
        {"--rhs f.mtx --problem spike", "--problem makes another; leave one out"},
        {"--rhs f.mtx --seed 2", "--seed makes another; leave one out"},
        {"--rhs nan.mtx", "nan.mtx:5: the value 'nan'"},
        {"--rhs huge.mtx", "row 1, column 2 of the right-hand side is 1e+300, beyond float; "
                           "refine, compute in double"},
        {"--rhs none.mtx", "none.mtx"},
        {"--size 4 --problem random", "poisson5 has no problem 'random'"},
        {"--size 4 --method sor --variant openmp", "sor updates red cells and then black ones"},
        {"--size 4 --double --variant openmp", "poisson5/openmp computes in float"},
        {"--size 4 --variant jacobi9/rgba", "jacobi9/rgba: is a variant of jacobi9"},
        {"--size 4 --variant opnmp", "opnmp"},
        {"--size 4 --method cg", "no method 'cg'"},
        {"--size 4 --precondition none", "belongs to a matrix from a file"},
        {"--size 4 --picture p.jpg", "pictures are written as PNG"}};
    char line[256];
    for (int i = 0; i < COUNT(cases); i++) {
        const char *picture = strstr(cases[i].arguments, "p.jpg") != NULL ? "" : "--picture p.png";
        snprintf(line, sizeof line, "solve poisson5 %s -o x.mtx %s", cases[i].arguments, picture);
        assert_refused(line, cases[i].words);
    }
    assert_refused("solve poisson5 --rhs f.mtx -o f.mtx", "would write over f.mtx");
    assert_refused("solve " GR " --method sor -o x.mtx", "is not solved by the method 'sor'");
    static const char *const made[] = {"--size 30", "--problem field", "--double", "--seed 2"};
    for (int i = 0; i < COUNT(made); i++) {
        snprintf(line, sizeof line, "solve " GR " %s -o x.mtx", made[i]);
        assert_refused(line, "belongs to 'quadpass solve poisson5'");
    }
}

/* Jacobi's iterate so far. */
TEST(interrupts_leave_the_iterate)
{
    char line[256];
    struct watched end = watch("solve poisson5 -n 511 --method jacobi --tolerance 1e-10 -o x.mtx",
                               "residual", SIGINT);
    assert_int_equal(end.code, 1);
    assert_int_equal(count("interrupted: residual "), 1);
    assert_int_equal(count("this is the iterate so far"), 1);
    snprintf(line, sizeof line, "wc -l <%s/x.mtx", folder);
    expect(line, 0, "261123");
    remove_file("x.mtx");
}

/* Accuracy that float, double and refinement reach, on a grid so small that threads would only wait
 * for each other; skipped without the judge. */
TEST(accuracy_is_told)
{
    char line[1024];
    snprintf(line, sizeof line,
             "cd %s && " NO_DEVICES
             "OMP_NUM_THREADS=1 quadpass accuracy poisson5/openmp poisson5/openmp_double "
             "poisson5/openmp_red_black --size 15 --json a.json >a.txt 2>&1; cat a.txt",
             folder);
    assert_int_equal(shell(line), 0);
    if (count("built without FFTW") > 0)
        skip();
    assert_int_equal(count("interrupted"), 0);
    snprintf(
        line, sizeof line,
        "cd %s && jq -r '[.records[] | select(.what == \"stuck\" or .what == \"steps\" or "
        ".what == \"refined\" or .what == \"thesis\") | .error != null and .error < (if .what == "
        "\"refined\" then "
        "1e-14 elif .variant == \"poisson5/openmp_double\" then 1e-14 else 1e-5 end) and (.what != "
        "\"stuck\" or (.iterations >= 100 and .iterations <= 300 and .error > 0))] | "
        "join(\" \")' a.json",
        folder);
    expect(line, 0, "true true true true true true true true true\n");
    snprintf(line, sizeof line,
             "cd %s && jq -r '[.records[] | select(.wanted)] | (map(.error <= .wanted and "
             ".iterations > 5) | join(\" \")), (group_by([.variant, .what])[] | "
             "map(.wanted) == [1e-4, 1e-6] and .[0].iterations <= .[1].iterations)' a.json",
             folder);
    expect(line, 0,
           "true true true true true true true true true true\ntrue\ntrue\ntrue\ntrue\ntrue\n");
    /* The first try that ends within a fifth of the error is taken, 457 steps; more tries would
     * find 456. */
    snprintf(line, sizeof line,
             "cd %s && jq -r '.records[] | select(.variant == \"poisson5/openmp_double\" and "
             ".what == \"jacobi\" and .wanted == 1e-4) | .iterations' a.json",
             folder);
    expect(line, 0, "457\n");
    /* The table's lines have the error that they are for, and end with the one that was reached. */
    snprintf(
        line, sizeof line,
        "cd %s && awk '$7 == \"to\" { print $4, ($8 == 1e-4 || $8 == 1e-6) && $(NF - 1) <= $8 }' "
        "a.txt | grep -c 'field 1$'",
        folder);
    expect(line, 0, "10\n");
    /* Steps of each line: equal iterates are looked for every hundred. */
    snprintf(line, sizeof line,
             "cd %s && awk '$1 ~ /^[0-9]/ { print $4, $5, $6, $(NF - 3) }' a.txt | sed "
             "s./openmp.. | tr '\\n' ';'",
             folder);
    assert_int_equal(shell(line), 0);
    assert_string_equal(
        output, "sine poisson5 stuck 200;sine poisson5 steps 192;sine poisson5 refined 232;"
                "spike poisson5 thesis 4096;sine poisson5_double steps 192;"
                "sine poisson5_double refined 240;spike poisson5_double thesis 4096;"
                "sine poisson5_red_black refined 1300;spike poisson5_red_black thesis 4096;"
                "field poisson5 jacobi 475;field poisson5 jacobi 700;field poisson5 chebyshev 64;"
                "field poisson5 chebyshev 96;field poisson5_double jacobi 457;"
                "field poisson5_double jacobi 694;field poisson5_double chebyshev 64;"
                "field poisson5_double chebyshev 96;field poisson5_red_black sor 50;"
                "field poisson5_red_black sor 50;");
    snprintf(line, sizeof line,
             "cd %s && jq -c '[.records[] | select(.what == \"thesis\") | .width, .height, "
             ".computed, .wanted, .seconds > 0]' a.json",
             folder);
    expect(line, 0, "[15,15,false,null,true,15,15,false,null,true,15,15,false,null,true]\n");
    snprintf(line, sizeof line, "cd %s && quadpass accuracy poisson5/openmp --iterations 3",
             folder);
    expect(line, 2, "--iterations does not go with these variants");
}

/* Residuals where b is 0 are ||A x|| in the units of b, as the manual says, and not 0 / 0. */
TEST(zero_right_sides_have_residuals)
{
    struct qp_market x;
    char path[256];
    assert_int_equal(run("solve three.mtx b0.mtx --x0 from.mtx --variant openmp --grid 3x1 "
                         "-o zero_x.mtx"),
                     0);
    const char *said = strstr(output, "converged: residual ");
    snprintf(path, sizeof path, "%s/zero_x.mtx", folder);
    assert_non_null(said);
    assert_ok(qp_market_read(path, &x));
    const double *v = x.value, told = strtod(said + 20, NULL),
                 norm =
                     hypot(4.0 * v[0] - v[1], hypot(4.0 * v[1] - v[0] - v[2], 4.0 * v[2] - v[1]));
    assert_true(norm > 0.0 && told <= 1e-5 && fabs(told - norm) < 0.01 * norm);
    qp_market_destroy(&x);
}

TEST(one_side_needs)
{
    char line[512];
    need_gl();
#ifdef __SANITIZE_ADDRESS__ /* which takes more memory than there is */
    skip();
#endif
    snprintf(line, sizeof line, "cd %s && ulimit -v 12000000 && quadpass solve wide1.mtx -o x.mtx",
             folder);
    expect(line, 2, "quadpass: 1 right-hand side needs about 17.2 GB, and may take ");
}

/* A uniform load has a solution worth a picture. */
TEST(a_load_of_ones)
{
    need_gl();
    assert_int_equal(run("solve " GR " --rhs ones --picture load.png -o one.mtx"), 0);
    assert_null(strstr(output, "may be rounding"));
    assert_int_equal(run("--version; (echo '%%MatrixMarket matrix array real general'; echo 900 1; "
                         "yes 1 | head -n 900) >ones.mtx"),
                     0);
    assert_int_equal(run("solve " GR " ones.mtx -o two.mtx && cmp one.mtx two.mtx"), 0);
    assert_int_equal(run("solve poisson5 --rhs ones -n 30 --picture u.png"), 0);
    assert_int_equal(count("rounding"), 0);
    assert_refused("solve " GR " ones.mtx --rhs ones -o x.mtx",
                   "--rhs ones is a right-hand side, and ones.mtx another; leave one out");
    assert_refused("solve poisson5 --rhs ones -o x.mtx", "takes --size N or WxH");
    assert_refused("solve " GR " --rhs one.mtx -o x.mtx",
                   "--rhs takes ones with a matrix from a file, not 'one.mtx'; name a file of");
}

GROUP(make_files, remove_folder)
