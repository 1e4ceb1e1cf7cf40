/* SPDX-License-Identifier: MIT */
/* The command as a script sees it: exit codes, what goes where, and no output file on bad input. */
#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#define QUADPASS QP_BUILD_DIR "/quadpass"
#define GR       QP_SOURCE_DIR "/data/gr_30_30.mtx"

static char folder[] = "/tmp/quadpass-test-XXXXXX";
static char output[1 << 18];

/* Runs through a shell in the scratch folder, gathers both streams; returns the exit code. */
static int run(const char *arguments)
{
    char line[2048];
    snprintf(line, sizeof line, "cd %s && { %s %s; } 2>&1", folder, QUADPASS, arguments);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t got = fread(output, 1, sizeof output - 1, pipe);
    output[got] = '\0';
    while (fgetc(pipe) != EOF)
        continue;
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static bool exists(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static bool have_gl(void)
{
    return run("info") == 0;
}

static void need_gl(void)
{
    if (have_gl())
        return;
    if (getenv("REQUIRE") != NULL && strstr(getenv("REQUIRE"), "gl") != NULL)
        fail_msg("REQUIRE=gl, but: %s", output);
    skip();
}

/* ---- Bad usage and bad input: exit code 2, a sentence, no file ---- */

static void bad_use_is_2_and_leaves_no_file(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"", "Usage"},
        {"dance", "no command 'dance'"},
        {"check --bogus", "bogus"},
        {"check nothing", "no variant matches 'nothing'"},
        {"bench --variant nothing", "no variant is called 'nothing'"},
        {"bench --size 0", "whole number"},
        {"bench --size 12y", "whole number"},
        {"bench --size 99999999999", "whole number"},
        {"check --pingpong serve", "serve"},
        {"check --target 3d", "3d"},
        {"check --require tpu", "tpu"},
        {"check --device toaster", "toaster"},
        {"bench --weight 2.5", "between 0 and 2"},
        {"bench --json - --csv -", "standard output"},
        {"list more less", "no variant matches 'more'"},
        {"info extra", "takes no 'extra'"},
        {"walk", "takes a variant"},
        {"walk nothing", "no variant is called"},
        {"bench openmp --size 20000x20000", "limit"},
        {"bench openmp --json /nowhere/r.json --size 8 --repeats 1", "/nowhere/r.json"},
        {"solve -o x.mtx --picture p.png", "takes a matrix file"},
        {"solve missing.mtx -o x.mtx --picture p.png", "missing.mtx"},
        {"solve " QP_SOURCE_DIR "/data -o x.mtx", "data"},
        {"solve oblong.mtx -o x.mtx --picture p.png", "square"},
        {"solve zero.mtx -o x.mtx --picture p.png", "row 2"},
        {"solve wide.mtx -o x.mtx --picture p.png", "no grid"},
        {"solve nan.mtx -o x.mtx --picture p.png", "nan.mtx:3"},
        {"solve skew.mtx -o x.mtx", "skew"},
        {"solve twice.mtx -o x.mtx", "twice.mtx:5"},
        {"solve " GR " short.mtx -o x.mtx --picture p.png", "900"},
        {"solve " GR " --x0 short.mtx -o x.mtx", "900"},
        {"solve " GR " --x0 two.mtx -o x.mtx", "2 columns for 1 right-hand side"},
        {"solve " GR " --grid 7x7 -o x.mtx", "49"},
        {"solve " GR " --grid 900 -o x.mtx", "WxH"},
        {"solve " GR " --variant nothing -o x.mtx", "nothing"},
        {"solve " GR " --tolerance -1 -o x.mtx", "positive"},
        {"solve " GR " --variant openmp -o /nowhere/x.mtx", "/nowhere/x.mtx"},
        {"solve - - -o x.mtx </dev/null", "standard input"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int code = run(cases[i].arguments);
        if (code != 2 || strstr(output, cases[i].words) == NULL)
            fail_msg("'quadpass %s' gave %d and said: %s", cases[i].arguments, code, output);
        assert_false(exists("x.mtx"));
        assert_false(exists("p.png"));
    }
}

static void no_device_is_3(void **state)
{
    (void)state;
    if (run("info --device nvidia") == 0)
        skip(); /* there is one */
    assert_int_equal(run("info --device nvidia"), 3);
    assert_non_null(strstr(output, "10_nvidia.json"));
    assert_int_equal(run("check luminance --device nvidia"), 3);
    assert_int_equal(run("solve " GR " --device nvidia -o x.mtx"), 3);
    assert_false(exists("x.mtx"));
    assert_int_equal(run("check luminance --device 30"), 3);
    assert_non_null(strstr(output, "device number 30"));
}

/* ---- Good runs ---- */

static void help_and_version_are_0_everywhere(void **state)
{
    (void)state;
    static const char *const commands[] = {"", "list", "info", "check", "bench", "walk", "solve"};
    char arguments[64];
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        snprintf(arguments, sizeof arguments, "%s --help", commands[i]);
        assert_int_equal(run(arguments), 0);
        assert_non_null(strstr(output, "Usage: quadpass"));
        snprintf(arguments, sizeof arguments, "%s --version", commands[i]);
        assert_int_equal(run(arguments), 0);
        assert_string_equal(output, "quadpass " QP_VERSION "\n");
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void last_line_counts(void **state)
{
    (void)state;
    assert_int_equal(run("check 'jacobi9/*_cpu' --size 9"), 0);
    assert_true(ends_with(output, "0 bounds\n2 passed, 0 failed, 0 skipped\n"));
    assert_int_equal(run("bench jacobi9/openmp --size 16x9 --repeats 2 --iterations 3"), 0);
    assert_true(ends_with(output, "1 passed, 0 failed, 0 skipped\n"));
    need_gl();
    unsetenv("REQUIRE"); /* the command reads it too */
    assert_int_equal(run("check luminance --size 9 --problem wraps"), 0);
    assert_true(ends_with(output, "0 passed, 0 failed, 1 skipped\n"));
    assert_int_equal(run("check luminance --size 9 --problem wraps --require gl"), 1);
    assert_true(ends_with(output, "0 passed, 1 failed, 0 skipped\n"));
}

/* A kind of problem chooses the operations that have it. */
static void problems_are_chosen_by_name(void **state)
{
    static const char *const kinds[] = {"sum", "squares", "dot", "max", "index"};
    (void)state;
    for (int i = 0; i < 5; i++) {
        char words[64];
        snprintf(words, sizeof words, "check '*/openmp' --problem %s --size 33x7", kinds[i]);
        assert_int_equal(run(words), 0);
        assert_non_null(strstr(output, "reduce/openmp                pass    3 cases"));
        assert_null(strstr(output, "jacobi9"));
        assert_true(ends_with(output, "1 passed, 0 failed, 0 skipped\n"));
    }
    assert_int_equal(
        run("bench reduce/loop --problem dot --size 9 --repeats 1 --csv - 2>/dev/null"), 0);
    assert_non_null(strstr(output, "reduce/loop"));
    assert_int_equal(run("bench 'jacobi9/*' --problem dot --size 9"), 2);
    assert_non_null(strstr(output, "no variant asked for has a problem 'dot'"));
    assert_int_equal(run("check reduce --problem product"), 2);
    assert_non_null(strstr(output, "--problem does not take 'product'"));
    assert_int_equal(run("walk reduce/tree --problem wraps"), 2);
    assert_non_null(strstr(output, "reduce has no problem 'wraps'; it has sum, squares, dot"));
    assert_int_equal(run("walk reduce/openmp --problem index -n 5"), 0);
    assert_true(ends_with(output, "reduce/openmp: pass\n"));
    assert_int_equal(run("solve " GR " --variant reduce/loop"), 2);
    assert_non_null(strstr(output, "reduce/loop: is a variant of reduce"));
}

/* Level after level, down to one texel. */
static void walk_shows_a_reduction(void **state)
{
    (void)state;
    need_gl();
    assert_int_equal(run("walk reduce/compensated --problem dot -n 8"), 0);
    assert_non_null(strstr(output, "shaders/reduce/compensated_dot.frag"));
    assert_non_null(strstr(output, "shaders/reduce/compensated_next.frag"));
    assert_non_null(strstr(output, "level 1, drawn as a quad over 2 x 2 texels of RGBA32F"));
    assert_non_null(strstr(output, "level 2, drawn as a quad over 1 x 1 texels of RGBA32F"));
    assert_null(strstr(output, "level 3"));
    assert_true(ends_with(output, "reduce/compensated: pass\n"));
}

static void json_on_standard_output_is_alone(void **state)
{
    (void)state;
    assert_int_equal(run("bench jacobi9/openmp --size 16 --repeats 1 --json - 2>/dev/null"), 0);
    cJSON *tree = cJSON_Parse(output);
    assert_non_null(tree);
    const cJSON *records = cJSON_GetObjectItem(tree, "records");
    assert_int_equal(cJSON_GetArraySize(records), 1);
    const cJSON *name = cJSON_GetObjectItem(cJSON_GetArrayItem(records, 0), "variant");
    assert_string_equal(name->valuestring, "jacobi9/openmp");
    cJSON_Delete(tree);
}

static void a_broken_shader_fails_and_shows_no_rate(void **state)
{
    (void)state;
    need_gl();
    assert_int_equal(
        run("--version; mkdir -p s && cp -r " QP_SOURCE_DIR "/shaders/. s && "
            "echo 'void main() { gl_FragColor = vec4(0.0); }' >s/jacobi9/luminance.frag"),
        0);
    setenv("QUADPASS_SHADER_DIR", "s", 1);
    int code = run("bench luminance --size 16 --repeats 1 --json -");
    unsetenv("QUADPASS_SHADER_DIR");
    assert_int_equal(code, 1);
    assert_non_null(strstr(output, "\"glups\":\tnull"));
    assert_non_null(strstr(output, "0 passed, 1 failed, 0 skipped"));
}

/* The steps are right, but the residual that the device reports is not: only whole solves show it. */
static void a_solve_that_goes_wrong_fails(void **state)
{
    (void)state;
    need_gl();
    assert_int_equal(
        run("--version; mkdir -p r && cp -r " QP_SOURCE_DIR "/shaders/. r && "
            "sed -i 's/gl_FragColor = .*/gl_FragColor = vec4(1.0e30);/' r/reduce/change.frag"),
        0);
    assert_int_equal(run("check openmp luminance"), 0);
    bool solves = strstr(output, "built without SuiteSparse") == NULL;
    assert_int_equal(strstr(output, "solved to") != NULL, solves);
    if (!solves)
        skip();
    setenv("QUADPASS_SHADER_DIR", "r", 1);
    int code = run("check openmp luminance --json j.json; cat j.json");
    unsetenv("QUADPASS_SHADER_DIR");
    assert_int_equal(code, 0); /* of cat */
    assert_non_null(strstr(output, "1 passed, 1 failed, 0 skipped"));
    assert_non_null(strstr(output, "solving random: diverging"));
    assert_non_null(strstr(output, "\"glups\":\tnull"));
}

static void walk_shows_ten_rooms(void **state)
{
    (void)state;
    need_gl();
    assert_int_equal(run("walk jacobi9/luminance -n 8"), 0);
    for (int room = 1; room <= 10; room++) {
        char heading[32];
        snprintf(heading, sizeof heading, "room %d,", room);
        assert_non_null(strstr(output, heading));
    }
    assert_true(ends_with(output, "jacobi9/luminance: pass\n"));
}

/* ---- Solving ---- */

static void solve_writes_solution_and_picture(void **state)
{
    (void)state;
    need_gl();
    assert_int_equal(run("solve " GR " -o x.mtx --picture p.png"), 0);
    assert_non_null(strstr(output, "converged"));
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
    assert_int_equal(run("solve " GR " --max-iterations 50 -o y.mtx"), 1);
    assert_non_null(strstr(output, "out of steps"));
    assert_true(exists("y.mtx"));
    assert_int_equal(run("solve " GR " --variant amorim_cpu --tolerance 1e-13 --refine"), 0);
}

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
static void columns_are_solved_in_turn(void **state)
{
    (void)state;
    need_gl();
    write_columns("b.mtx", 0, 3);
    assert_int_equal(run("solve " GR " b.mtx -o xs.mtx --picture first.png"), 0);
    assert_non_null(strstr(output, "\n3 of 3 columns converged; the worst is column "));
    struct qp_market all = read_back("xs.mtx");
    assert_int_equal(all.columns, 3);
    for (int k = 0; k < 3; k++) {
        write_columns("b1.mtx", k, 1);
        assert_int_equal(run("solve " GR " b1.mtx -o x1.mtx --picture p1.png"), 0);
        assert_null(strstr(output, "columns"));
        struct qp_market one = read_back("x1.mtx");
        assert_memory_equal(one.value, all.value + 900 * k, 900 * sizeof(double));
        qp_market_destroy(&one);
        assert_int_equal(run("--version; cmp first.png p1.png"), k == 0 ? 0 : 1);
    }
    qp_market_destroy(&all);
    assert_int_equal(run("solve " GR " b.mtx --x0 xs.mtx"), 0);
    assert_non_null(strstr(output, "after 0 steps"));
}

/* Few steps are enough for the zero column alone. */
static void unconverged_columns_are_named(void **state)
{
    (void)state;
    write_columns("b.mtx", 0, 3);
    assert_int_equal(run("solve " GR " b.mtx --variant openmp --max-iterations 25 -o few.mtx"), 1);
    assert_non_null(strstr(output, "\n1 of 3 columns converged; the worst is column "));
    assert_non_null(strstr(output, "\nout of steps: "));
    struct qp_market x = read_back("few.mtx");
    assert_int_equal(x.columns, 3);
    assert_true(x.value[0] != 0.0 && x.value[900] == 0.0 && x.value[1800] != 0.0);
    qp_market_destroy(&x);
}

/* A five-point Laplacian that Jacobi needs minutes for. */
static void write_slow_system(void)
{
    enum { N = 300 };
    char path[256];
    snprintf(path, sizeof path, "%s/slow.mtx", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", N * N, N * N,
            N * N + 2 * N * (N - 1));
    for (int i = 0; i < N * N; i++) {
        fprintf(file, "%d %d 4\n", i + 1, i + 1);
        if (i % N > 0)
            fprintf(file, "%d %d -1\n", i + 1, i);
        if (i >= N)
            fprintf(file, "%d %d -1\n", i + 1, i + 1 - N);
    }
    assert_int_equal(fclose(file), 0);
}

static void interrupt_writes_the_iterate(void **state)
{
    (void)state;
    write_slow_system();
    write_file("interrupt.sh", QUADPASS " solve slow.mtx --tolerance 1e-7 --variant openmp "
                                        "--max-iterations 100000000 -o z.mtx & pid=$!\n"
                                        "sleep 2; kill -INT $pid; wait $pid\n");
    assert_int_equal(run("--version; bash -m interrupt.sh"), 1);
    assert_non_null(strstr(output, "interrupted: residual"));
    assert_true(exists("z.mtx"));
}

/* Of three columns, the first keeps the program busy: the others stay as they start. */
static void interrupt_leaves_later_columns(void **state)
{
    (void)state;
    write_slow_system();
    write_file("three.sh", "printf '%%%%MatrixMarket matrix array real general\n90000 3\n' >t.mtx; "
                           "yes 1 | head -n 270000 >>t.mtx\n" QUADPASS
                           " solve slow.mtx t.mtx --x0 t.mtx --tolerance 1e-7 --variant openmp "
                           "--max-iterations 100000000 -o w.mtx & pid=$!\n"
                           "sleep 2; kill -INT $pid; wait $pid\n");
    assert_int_equal(run("--version; bash -m three.sh"), 1);
    assert_non_null(strstr(output, "0 of 3 columns converged, 2 not begun; the worst is column 1\n"
                                   "interrupted: residual"));
    assert_int_equal(run("--version; sed -n '2p;3p;90003p;$p' w.mtx"), 0);
    assert_non_null(strstr(output, "\n90000 3\n"));
    assert_null(strstr(output, "\n90000 3\n1\n"));
    assert_true(ends_with(output, "\n1\n1\n"));
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    write_file("oblong.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n");
    write_file("zero.mtx",
               "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 1 1\n3 3 1\n");
    write_file("wide.mtx", "%%MatrixMarket matrix coordinate real general\n7 7 8\n1 1 1\n2 2 1\n"
                           "3 3 1\n4 4 1\n5 5 1\n6 6 1\n7 7 1\n1 5 1\n");
    write_file("nan.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 nan\n");
    write_file("skew.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n");
    write_file("twice.mtx",
               "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 2 1\n1 1 1\n");
    write_columns("two.mtx", 0, 2);
    write_file("short.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char line[256];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_use_is_2_and_leaves_no_file),
        cmocka_unit_test(no_device_is_3),
        cmocka_unit_test(help_and_version_are_0_everywhere),
        cmocka_unit_test(last_line_counts),
        cmocka_unit_test(json_on_standard_output_is_alone),
        cmocka_unit_test(problems_are_chosen_by_name),
        cmocka_unit_test(walk_shows_a_reduction),
        cmocka_unit_test(a_broken_shader_fails_and_shows_no_rate),
        cmocka_unit_test(a_solve_that_goes_wrong_fails),
        cmocka_unit_test(walk_shows_ten_rooms),
        cmocka_unit_test(solve_writes_solution_and_picture),
        cmocka_unit_test(columns_are_solved_in_turn),
        cmocka_unit_test(unconverged_columns_are_named),
        cmocka_unit_test(interrupt_writes_the_iterate),
        cmocka_unit_test(interrupt_leaves_later_columns),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
