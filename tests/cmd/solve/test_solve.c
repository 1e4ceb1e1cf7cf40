/* SPDX-License-Identifier: MIT */
/* `quadpass solve` as a script sees it: what it reads, writes, refuses and says. */
#include "support/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/exact.h"

/* `columns` vectors of 900 values from number `first` on; number 1 is zero. */
static void write_columns(const char *name, int first, int columns)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix array real general\n900 %d\n", columns);
    for (int i = 900 * first; i < 900 * (first + columns); i++)
        fprintf(file, "%d\n", i / 900 == 1 ? 0 : i % 7 - 2);
    assert_int_equal(fclose(file), 0);
}

static int make_systems(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    write_file("oblong.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n");
    write_file("zero.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 1\n1 2 1\n2 "
                           "1 1\n3 3 1\n3 2 1\n");
    write_file("wide.mtx", "%%MatrixMarket matrix coordinate real general\n7 7 8\n1 1 1\n2 2 1\n"
                           "3 3 1\n4 4 1\n5 5 1\n6 6 1\n7 7 1\n1 5 1\n");
    write_file("nan.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 nan\n");
    write_file("both.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 4\n1 1 2\n"
                           "1 2 1\n2 1 1\n2 2 2\n");
    write_columns("one.mtx", 0, 1);
    write_columns("two.mtx", 0, 2);
    write_file("packed.mtx", "\x1f\x8b\x08\x08zip");
    write_file("list.csv", "1,2,3\n");
    write_file("array.npy", "\x93NUMPY\x01");
    write_file("word.mtx", "%%MatrixMarket\n");
    write_file("short3.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n");
    write_file("far.mtx", "%%MatrixMarket matrix coordinate real general\n7 7 8\n1 1 2\n2 2 2\n"
                          "3 3 2\n4 4 2\n5 5 2\n6 6 2\n7 7 2\n1 5 1\n");
    write_file("swap.mtx", "%%MatrixMarket matrix coordinate real general\n6 6 6\n1 2 1\n2 1 1\n"
                           "3 4 1\n4 3 1\n5 6 1\n6 5 1\n");
    write_file("many.mtx",
               "%%MatrixMarket matrix coordinate real general\n900 2000000000 1\n1 1 1\n");
    write_file("short.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n");
    return 0;
}

TEST(bad_input_is_2_and_leaves_no_file)
{
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"solve -o x.mtx --picture p.png", "takes a matrix file"},
        {"solve " GR " -o x.mtx --picture p.JPG",
         "p.JPG: pictures are written as PNG; name it p.png"},
        {"solve missing.mtx -o x.mtx --picture p.png", "missing.mtx"},
        {"solve " QP_SOURCE_DIR "/data -o x.mtx", "data"},
        {"solve oblong.mtx --variant openmp -o x.mtx --picture p.png", "square"},
        {"solve zero.mtx --variant openmp -o x.mtx --picture p.png", "row 2"},
        {"solve wide.mtx --variant openmp --grid 7x1 -o x.mtx", "does not fit nine bands"},
        {"solve nan.mtx -o x.mtx --picture p.png", "nan.mtx:3"},
        {"solve both.mtx -o x.mtx", "both.mtx:5: row 2, column 1 is below the diagonal, and both"},
        {"solve " GR " short.mtx -o x.mtx --picture p.png", "900"},
        {"solve " GR " --x0 short.mtx -o x.mtx", "900"},
        {"solve " GR " many.mtx -o x.mtx",
         "many.mtx: 2000000000 columns of 900 values need about 14400.0 GB, and may take "},
        {"solve " GR " --x0 two.mtx -o x.mtx", "2 columns for 1 right-hand side"},
        {"solve " GR " --variant openmp --grid 7x7 -o x.mtx", "49"},
        {"solve " GR " --grid 900 -o x.mtx", "WxH"},
        {"solve " GR " --variant nothing -o x.mtx", "nothing"},
        {"solve " GR " --tolerance -1 -o x.mtx", "positive"},
        {"solve " GR " --variant openmp -o /nowhere/x.mtx", "/nowhere/x.mtx"},
        {"solve - - -o x.mtx </dev/null", "only one file can come from standard input"},
        {"solve " GR " - --x0 - -o x.mtx </dev/null", "only one file can come from"},
        {"solve " GR " - -o x.mtx <nan.mtx", "standard input:3"},
        {"solve " GR " - -o x.mtx <short.mtx", "standard input: is 2 x 1 where columns of 900"},
        {"solve " GR " --x0 - -o x.mtx <two.mtx", "standard input: has 2 columns for 1"},
        {"solve " GR " two.mtx --x0 one.mtx -o x.mtx", "one.mtx: has 1 columns for 2"},
        {"solve " GR " one.mtx one.mtx -o x.mtx", "one too many"},
        {"solve " GR " -o - --picture -", "only one output can go to standard output"},
        {"solve " GR " --refine=3 -o x.mtx", "--refine"},
        {"solve packed.mtx -o x.mtx", "packed.mtx:1: this is a gzip file, and no Matrix Market"},
        {"solve " GR " list.csv -o x.mtx", "list.csv:1: this looks like CSV"},
        {"solve - -o x.mtx <array.npy", "standard input:1: this is a NumPy array"},
        {"solve word.mtx -o x.mtx", "word.mtx:1: 1 word on this line"},
        {"solve zero.mtx --weight 0.5 -o x.mtx", "row 2 (in float), and Jacobi divides by it"},
        {"solve zero.mtx --x0 short3.mtx -o x.mtx", "leave out what only iterations have: --x0"},
        {"solve far.mtx --picture p.png -o x.mtx", "name one by --grid WxH"},
        {"solve far.mtx --variant gauss_jordan/loop --grid 2x3 -o x.mtx",
         "2 x 3 has 6 cells, but the matrix"},
        {"solve " GR " --max-iterations 0 -o x.mtx", "at least 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].arguments, cases[i].words);
}

TEST(entries_of_one_place_are_added)
{
    write_file("twice.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 5\n1 1 1\n2 2 1\n"
                            "1 1 3\n2 2 6\n1 1 -2\n");
    assert_int_equal(run("solve twice.mtx --variant gauss_jordan/loop"), 0);
    assert_non_null(strstr(output, "twice.mtx: 3 of its entries are at a place of another one, and "
                                   "added to it\n"));
}

TEST(solve_writes_solution_and_picture)
{
    need_gl();
    assert_refused("solve oblong.mtx -o x.mtx --picture p.png", "square");
    assert_refused("solve wide.mtx --grid 7x1 -o x.mtx --picture p.png", "does not fit nine bands");
    assert_int_equal(run("solve " GR " -o x.mtx --picture p.png"), 0);
    assert_non_null(strstr(output, "converged"));
    assert_non_null(strstr(output, "p.png: from 0.99"));
    assert_non_null(strstr(output, "p.png: the picture shows differences of "));
    assert_non_null(strstr(output, " in values of 1: they may be rounding\n"));
    assert_non_null(strstr(output, ", violet, by green to "));
    struct qp_market x;
    char path[256];
    snprintf(path, sizeof path, "%s/x.mtx", folder);
    assert_ok(qp_market_read(path, &x));
    assert_int_equal(x.rows, 900);
    for (int i = 0; i < 900; i++)
        assert_true(x.value[i] > 0.999 && x.value[i] < 1.001);
    qp_market_destroy(&x);
    assert_true(exists("p.png"));
    assert_int_equal(run("solve - -o - <" GR " 2>/dev/null"), 0);
    assert_int_equal(strncmp(output, "%%MatrixMarket matrix array real general", 40), 0);
    assert_int_equal(run("solve " GR " --x0 x.mtx"), 0);
    assert_non_null(strstr(output, "after 0 steps"));
    assert_int_equal(run("solve " GR " --max-iterations 50 --variant rgba -o y.mtx"), 1);
    assert_non_null(strstr(output, "out of steps"));
    assert_true(exists("y.mtx"));
    assert_int_equal(run("solve " GR " --variant amorim_cpu --tolerance 1e-13 --refine"), 0);
}

/* Unknowns are on the grid that was named or found, whichever method takes them. */
TEST(eliminations_have_pictures)
{
    need_gl();
    assert_int_equal(run("solve swap.mtx --picture line.png"),
                     0); /* 6 x 1, zeros on the diagonal */
    assert_non_null(strstr(output, " was taken"));
    assert_int_equal(
        run("solve " GR " --variant gauss_jordan/loop --grid 30x30 --picture named.png"), 0);
    assert_int_equal(run("solve " GR " --variant gauss_jordan/loop --picture found.png"), 0);
    assert_int_equal(run("--version; cmp named.png found.png"), 0);
    assert_int_equal(
        run("solve " GR " --variant gauss_jordan/loop --grid 45x20 --picture other.png"), 0);
    assert_int_equal(run("--version; file named.png other.png line.png | tr -d '\n'; cmp named.png "
                         "other.png"),
                     1);
    assert_true(exists("line.png") && exists("found.png") && exists("other.png"));
}

/* The processor eliminates, and says so, where OpenGL lacks what the variants need, or textures are
 * too small. */
TEST(eliminations_on_the_processor)
{
    need_gl();
    write_file("wide.sh",
               "printf '%%%%MatrixMarket matrix array real general\n7 140000\n' >many.mtx;"
               "yes 1 | head -n 980000 >>many.mtx\n");
    assert_int_equal(run("--version; bash wide.sh"), 0);
    assert_int_equal(run("solve far.mtx many.mtx -o x.mtx"), 0);
    assert_non_null(strstr(output, "; on the processor, for OpenGL cannot: needs a texture of "));
    assert_non_null(strstr(output, "140000 of 140000 columns converged"));
    assert_non_null(strstr(output, "--json reports the residual of each"));
    assert_int_equal(run("info"), 0);
    if (strstr(output, "llvmpipe") == NULL)
        return; /* Mesa alone lets an extension be taken away */
    setenv("MESA_EXTENSION_OVERRIDE", "-GL_ARB_texture_rectangle", 1);
    int code = run("solve " QP_SOURCE_DIR "/data/west0067.mtx");
    unsetenv("MESA_EXTENSION_OVERRIDE");
    assert_int_equal(code, 0);
    if (strstr(output, "gauss_jordan/sgesv with") == NULL)
        assert_non_null(strstr(output, "gauss_jordan/reference with"));
}

static struct qp_market read_back(const char *name)
{
    struct qp_market x;
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(qp_market_read(path, &x));
    assert_int_equal(x.rows, 900);
    return x;
}

/* Together they come out as each alone does, bit for bit; and solved ones are good starts. */
TEST(columns_are_solved_in_turn)
{
    write_columns("b.mtx", 0, 3);
    assert_int_equal(run("solve " GR " b.mtx --variant openmp -o xs.mtx --picture first.png"), 0);
    assert_non_null(strstr(output, "\n3 of 3 columns converged; the worst is column "));
    struct qp_market all = read_back("xs.mtx");
    assert_int_equal(all.columns, 3);
    for (int k = 0; k < 3; k++) {
        write_columns("b1.mtx", k, 1);
        assert_int_equal(run("solve " GR " b1.mtx --variant openmp -o x1.mtx --picture p1.png"), 0);
        assert_null(strstr(output, "columns"));
        struct qp_market one = read_back("x1.mtx");
        assert_memory_equal(one.value, all.value + 900 * k, 900 * sizeof(double));
        qp_market_destroy(&one);
        assert_int_equal(run("--version; cmp first.png p1.png"), k == 0 ? 0 : 1);
    }
    qp_market_destroy(&all);
    assert_int_equal(run("solve " GR " b.mtx --variant openmp --x0 xs.mtx"), 0);
    assert_non_null(strstr(output, "after 0 steps"));
}

/* Standard input and output are files like others, and standard output holds nothing else. */
TEST(dashes_are_files)
{
#define SOLVE "; " QUADPASS " solve --variant openmp "
    assert_int_equal(run("--version" SOLVE GR " one.mtx -o from_one.mtx"), 0);
    assert_int_equal(run("--version" SOLVE GR " two.mtx --x0 two.mtx -o from_two.mtx"), 0);
    assert_int_equal(run("--version >log" SOLVE "- one.mtx -o - <" GR
                         " 2>said | cmp - from_one.mtx" SOLVE GR
                         " - -o - <one.mtx 2>>said | cmp - from_one.mtx" SOLVE GR
                         " two.mtx --x0 - -o - <two.mtx 2>>said | cmp - from_two.mtx" SOLVE GR
                         " one.mtx --picture - 2>>said | { cmp -n 8 - " QP_SOURCE_DIR
                         "/docs/pictures/bidomain.png; cat >/dev/null; }; grep -c converged said"),
                     0);
    assert_string_equal(output, "7\n"); /* cmp is silent; two columns make four lines */
#undef SOLVE
}

/* Refinement reaches residuals below float's, and not below double's: each with its sentence. */
TEST(refinement_goes_below_float)
{
    const char *hard = "solve " GR " one.mtx --variant openmp --tolerance 1e-10";
    char arguments[256];
    assert_int_equal(run(hard), 1);
    assert_non_null(strstr(output, "stagnated at the floor of float: residual "));
    assert_non_null(strstr(output, "; --refine goes below it"));
    snprintf(arguments, sizeof arguments, "%s --refine -o fine.mtx", hard);
    assert_int_equal(run(arguments), 0);
    snprintf(arguments, sizeof arguments, "%s --x0 fine.mtx", hard);
    assert_int_equal(run(arguments), 0); /* the file holds what was in memory */
    assert_non_null(strstr(output, "after 0 steps"));
    assert_int_equal(run("solve " GR " one.mtx --variant openmp --refine --tolerance 1e-18"), 1);
    assert_non_null(strstr(output, "stagnated at the floor of double: residual "));
    assert_non_null(strstr(output, "; --refine gains nothing more"));
}

/* The residual of the file's x, summed in pairs of doubles. */
static double residual_of_file(const char *name, const double *b)
{
    struct qp_market a, x = read_back(name);
    struct exact rest[900] = {{0}};
    double left = 0.0, all = 0.0;
    assert_ok(qp_market_read(GR, &a));
    for (int i = 0; i < 900; i++)
        exact_add(&rest[i], b[i]);
    for (size_t k = 0; k < a.count; k++) {
        const double product = a.value[k] * x.value[a.column[k]];
        exact_add(&rest[a.row[k]], -product);
        exact_add(&rest[a.row[k]], -fma(a.value[k], x.value[a.column[k]], -product));
    }
    for (int i = 0; i < 900; i++) {
        left += pow(rest[i].high + rest[i].low, 2.0);
        all += b[i] * b[i];
    }
    qp_market_destroy(&a);
    qp_market_destroy(&x);
    return sqrt(left / all);
}

/* The claimed residual is that of the file; records hold it too, with the method taken and its
 * reason. */
TEST(the_residual_is_that_of_the_file)
{
    double b[900], printed, recorded;
    for (int i = 0; i < 900; i++)
        b[i] = i % 7 - 2;
    assert_int_equal(run("solve " GR
                         " one.mtx --refine --variant openmp --tolerance 1e-12 -o f.mtx "
                         "--json f.json"),
                     0);
    const double exact = residual_of_file("f.mtx", b);
    assert_int_equal(sscanf(strstr(output, "residual "), "residual %lf", &printed), 1);
    assert_true(exact <= 1e-12 && fabs(exact - printed) <= 0.006 * printed);
    assert_int_equal(run("--version; cat f.json"), 0);
    assert_int_equal(sscanf(strstr(output, "\"residual\":"), "\"residual\": %lf", &recorded), 1);
    assert_true(exact <= recorded * (1.0 + 1e-6) && recorded <= exact * (1.0 + 1e-6) + 1e-17);
    static const char *const lines[] = {"\"records\": [\n\t\t{",
                                        "\"variant\":\"jacobi9/openmp\"",
                                        "\"method\":\"iteration\"",
                                        "\"reason\":\"jacobi9/openmp was asked for\"",
                                        "\"eliminations\":0,",
                                        "\"condition\":null",
                                        "\"certain_digits\":1",
                                        "\"ending\":\"converged\"",
                                        "--json f.json"};
    must_print(lines, COUNT(lines));
}

/* Either method, with its reason; an iteration that ends too early goes on as elimination. */
TEST(the_method_is_told)
{
    need_gl();
    const char *reason = on_llvmpipe() ? "\ncg was taken, for the matrix is symmetric and "
                                       : " was taken, for "; /* short steps may be quicker */
    assert_int_equal(run("solve " GR), 0);
    assert_non_null(strstr(output, reason));
    assert_int_equal(run("solve " GR " --weight 1"), 0);
    assert_non_null(strstr(output, "\niteration was taken, for after "));
    write_columns("zero_first.mtx", 1, 2);
    assert_int_equal(
        run("solve " GR
            " zero_first.mtx --weight 1 --tolerance 1e-4 --max-iterations 50 --json - 2>table"),
        0);
    static const char *const lines[] = {"\"method\":\"iteration\"",
                                        "\"method\":\"elimination\"",
                                        "\"iterations\":50",
                                        "\"eliminations\":1",
                                        "for iteration ran out of steps: residual ",
                                        "\"certain_digits\":",
                                        "\"condition\":"};
    must_print(lines, COUNT(lines));
    assert_int_equal(count("\"ending\":\"converged\""), 2);
    assert_int_equal(count("\"certain_digits\":null"), 0);
    assert_int_equal(run("--version; cat table"), 0);
    assert_non_null(strstr(output, " was taken, for iteration ran out of steps: "));
    assert_int_equal(run("solve " GR " --variant rgba"), 0);
    assert_null(strstr(output, "was taken"));
}

/* Few steps are enough for the zero column alone. */
TEST(unconverged_columns_are_named)
{
    write_columns("b.mtx", 0, 3);
    assert_int_equal(run("solve " GR " b.mtx --variant openmp --max-iterations 25 -o few.mtx"), 1);
    assert_non_null(strstr(output, "\n1 of 3 columns converged; the worst is column "));
    assert_non_null(strstr(output, "\nout of steps: "));
    struct qp_market x = read_back("few.mtx");
    assert_int_equal(x.columns, 3);
    assert_true(x.value[0] != 0.0 && x.value[900] == 0.0 && x.value[1800] != 0.0);
    qp_market_destroy(&x);
}

/* A right-hand side by its entries is the one that has zeros in between. */
TEST(sparse_sides_are_sides)
{
    write_file("entries.mtx", "%%MatrixMarket matrix coordinate real general\n900 2 3\n1 1 1\n"
                              "900 1 -2\n31 2 4\n");
    assert_int_equal(run("--version; (echo '%%MatrixMarket matrix array real general'; echo 900 2; "
                         "awk 'BEGIN { for (i = 1; i <= 1800; i++) print i == 1 ? 1 : i == 900 ? "
                         "-2 : i == 931 ? 4 : 0 }') >values.mtx"),
                     0);
    assert_int_equal(run("solve " GR " entries.mtx --variant openmp -o by_entries.mtx"), 0);
    assert_int_equal(run("solve " GR " values.mtx --variant openmp -o by_values.mtx"), 0);
    assert_int_equal(run("--version; cmp by_entries.mtx by_values.mtx"), 0);
}

GROUP(make_systems, remove_folder)
