/* SPDX-License-Identifier: MIT */
/* Outputs that are asked for: made, or refused before anything runs; each in a file of its own;
 * whole or not at all. And what a terminal gets that a pipe does not. */
#include "support/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "toolkit/io/output.h"
#include "tools/cmd/output/sentence.h"

/* In front of a command that must not begin: what it says first then shows that it did. */
#define BIG "bench jacobi9/openmp -n 4096 --iterations 100000 "

/* ---- Two names of one file ---- */

TEST(outputs_never_share_a_file)
{
    static const char *const shared[] = {
        BIG "--json same --csv same",
        BIG "--json same --csv ./same",
        BIG "--json same --csv \"$PWD/same\"",
        BIG "--json same --csv link",
        BIG "--json there --csv hard",
        BIG "--json there --csv sub/../there",
        BIG "--json - --csv /dev/stdout",
        BIG "--json there >there",
        "solve " GR " -o x.mtx --picture ./x.mtx",
        "solve " GR " -o x.mtx --json sub/../x.mtx",
        "check jacobi9/openmp --json same --csv same",
        "check jacobi9/openmp --junit same --tap ./same",
        "check jacobi9/openmp --json same --tap same",
        "accuracy --json same --csv same",
        "demo --json ./bidomain.png",
    };
    assert_int_equal(run("--version; mkdir sub; ln -s same link; echo kept >there; ln there hard"),
                     0);
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        assert_int_equal(run("--version; echo kept >there"), 0);
        assert_refused(shared[i], i == 6 ? "only one output" : "name one file");
        assert_false(exists("same") || exists("bidomain.png"));
    }
    assert_int_equal(run("check jacobi9/openmp -n 9 --json /dev/null --csv /dev/null"), 0);
}

TEST(no_output_replaces_an_input)
{
    static const char *const shared[] = {
        "solve a.mtx -o a.mtx",
        "solve a.mtx -o ./a.mtx",
        "solve a.mtx --json a.link",
        "solve a.mtx --csv a.hard",
        "solve " GR " a.mtx --picture a.mtx",
        "solve " GR " --x0 a.mtx -o a.hard",
        "solve - -o a.mtx <a.mtx",
        "invert a.mtx -o a.mtx",
    };
    assert_int_equal(run("--version; cp " GR " a.mtx; ln -s a.mtx a.link; ln a.mtx a.hard"), 0);
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        assert_refused(shared[i], "which is read");
        assert_int_equal(run("--version; cmp a.mtx " GR), 0);
    }
}

/* ---- Files that cannot be written are refused before anything runs ---- */

TEST(what_cannot_be_written_is_refused_first)
{
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {BIG "--json /nowhere/r", "/nowhere/r: cannot be written: No such file"},
        {BIG "--json ''", "--json takes the name of a file"},
        {BIG "--json dangling", "dangling: cannot be written: No such file"},
        {BIG "--json loop", "loop: cannot be written: Too many levels"},
        {BIG "--csv folder", "folder: cannot be written: Is a directory"},
        {BIG "--csv folder/", "folder/: cannot be written: Is a directory"},
        {"solve " GR " -o ''", "-o takes the name of a file"},
        {"solve " GR " -o dangling", "dangling: cannot be written"},
        {"solve " GR " --csv /nowhere/x", "/nowhere/x: cannot be written"},
        {"invert " GR " --json /nowhere/x", "/nowhere/x: cannot be written"},
        {"list --json /nowhere/x", "/nowhere/x: cannot be written"},
        {"info --csv /nowhere/x", "/nowhere/x: cannot be written"},
        {"accuracy --csv /nowhere/x", "/nowhere/x: cannot be written"},
        {"demo " QP_SOURCE_DIR "/data /nowhere", "/nowhere/bidomain.png: cannot be written"},
        {"demo /nowhere", "/nowhere/gr_30_30.mtx: cannot be opened"},
    };
    assert_int_equal(run("--version; mkdir folder; ln -s /nowhere/there dangling; ln -s loop loop"),
                     0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(cases[i].arguments, cases[i].words);
        assert_null(strstr(output, "1. A heart"));
    }
    assert_false(exists("bidomain.png"));
}

/* Nobody but root writes into a folder that is nobody's, even where a file in it may be written. */
TEST(a_folder_that_takes_no_file_is_seen)
{
    char name[128];
    snprintf(name, sizeof name, "%s/locked", folder);
    assert_int_equal(mkdir(name, 0755), 0);
    snprintf(name, sizeof name, "%s/locked/open", folder);
    close(open(name, O_CREAT | O_WRONLY, 0666));
    assert_true(chmod(name, 0666) == 0 && chmod(folder, 0755) == 0);
    assert_true(qp_output_is_possible(name));
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(2);
        if (getuid() != 65534) /* a folder of one's own is closed instead */
            _exit(chmod(strcat(strcpy(name, folder), "/locked"), 0555) == 0 ? 0 : 2);
        _exit(qp_output_is_possible(name) || errno != EACCES);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- Whole or not at all ---- */

static enum qp_status write_short(const char *path)
{
    struct qp_output out;
    bool good = qp_output_open(&out, path) && fputs("whole\n", out.file) >= 0;
    return qp_output_close(&out, good ? NULL : strerror(errno));
}

/* Part files that killed runs of the same number have left are in nobody's way, and stay. */
TEST(stale_part_files_do_no_harm)
{
    char name[128], part[160];
    snprintf(name, sizeof name, "%s/again", folder);
    for (int i = 0; i < 3; i++) {
        snprintf(part, sizeof part, "%s.%ld-%d.part", name, (long)getpid(), i);
        int file = open(part, O_CREAT | O_EXCL | O_WRONLY, 0600);
        assert_true(file >= 0 && close(file) == 0);
    }
    assert_ok(write_short(name));
    assert_true(exists("again") && access(part, F_OK) == 0);
}

TEST(names_may_be_as_long_as_names_are)
{
    char name[NAME_MAX + 64];
    for (int length = NAME_MAX - 12; length <= NAME_MAX; length++) {
        const int used = snprintf(name, sizeof name, "%s/", folder);
        memset(name + used, 'n', (size_t)length);
        name[used + length] = '\0';
        assert_ok(write_short(name));
        assert_int_equal(access(name, F_OK), 0);
    }
    strcat(name, "n");
    assert_int_equal(write_short(name), QP_BAD_INPUT);
    support_assert_sentence("File name too long");
}

/* Some file systems say as late as fclose() that there is no room: the file does not appear. */
TEST(a_file_that_does_not_close_is_lost)
{
    write_file("close.c", "#include <errno.h>\n#include <fcntl.h>\n#include <stdio.h>\n"
                          "#include <sys/stat.h>\n"
                          "int fclose(FILE *file)\n{\n    struct stat found;\n"
                          "    if (fstat(fileno(file), &found) != 0 || !S_ISREG(found.st_mode) ||\n"
                          "        (fcntl(fileno(file), F_GETFL) & O_ACCMODE) == O_RDONLY)\n"
                          "        return 0;\n    errno = ENOSPC;\n    return EOF;\n}\n");
    assert_int_equal(run("--version; cc -shared -fPIC -o close.so close.c; echo old >late.mtx"), 0);
    assert_refused(
        "--version >/dev/null; ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=./close.so "
        "quadpass solve " GR " --variant openmp -o late.mtx",
        "late.mtx: cannot be written: No space left on device");
    assert_int_equal(run("--version; cat late.mtx; ls late*"), 0);
    assert_true(ends_with(output, "old\nlate.mtx\n"));
}

/* A limit on files is no crash: what was begun goes, and a sentence says so. */
TEST(a_limit_on_files_is_told)
{
    assert_refused("--version >/dev/null; ulimit -f 4; quadpass solve " GR
                   " --variant openmp -o limit.mtx",
                   "limit.mtx: cannot be written: File too large");
    assert_int_equal(run("--version; ls limit*"), 2);
}

/* A link to what is not there yet stays, and what it names appears whole. */
TEST(a_link_leads_to_the_file)
{
    assert_int_equal(run("--version; ln -s sub/target to_be.mtx; mkdir -p sub"), 0);
    assert_int_equal(run("solve " GR " -o to_be.mtx; test -L to_be.mtx && test -s sub/target"), 0);
}

/* ---- Every output that is asked for is made ---- */

TEST(records_come_in_both_formats)
{
    assert_int_equal(run("list --csv - 2>/dev/null"), 0);
    assert_int_equal(strncmp(output, "variant,backend,layout,place,sentence,", 38), 0);
    assert_non_null(strstr(output, "\njacobi9/openmp,cpu,"));
    assert_int_equal(run("solve " GR " --variant openmp --csv s.csv --json s.json"), 0);
    assert_int_equal(run("--version; cat s.csv"), 0);
    assert_non_null(strstr(output, "variant,method,reason,iterations,"));
    assert_non_null(strstr(output, "\njacobi9/openmp,iteration,"));
    assert_int_equal(run("invert " GR " --variant gauss_jordan/loop --csv - 2>/dev/null | "
                         "grep -c '^gauss_jordan/loop,elimination,'"),
                     0);
    assert_string_equal(output, "900\n");
    need_gl();
    assert_int_equal(run("info --csv - 2>/dev/null"), 0);
    assert_int_equal(strncmp(output, "renderer,vendor,", 16), 0);
    assert_int_equal(count("\n"), 2);
}

/* Names as users type them; JSON is UTF-8 all the same. */
TEST(strange_words_do_no_harm)
{
    char *valid = sentence_valid("j\xff\xc3\xa9\xed\xa0\x80\xe2\x82");
    assert_string_equal(valid, "j\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                               "\xef\xbf\xbd\xef\xbf\xbd");
    free(valid);
    assert_int_equal(run("check jacobi9/openmp -n 9 --json \"$(printf 'j\\377.json')\" && "
                         "iconv -f UTF-8 -t UTF-8 j*.json"),
                     0);
    assert_non_null(strstr(output, "--json j\xef\xbf\xbd.json"));
    assert_refused("solve \"$(printf 'a\\033[31m\\nb')\"", "quadpass: a\\x1b[31m\\nb: cannot be");
}

/* ---- Standard output that is full ---- */

TEST(a_full_standard_output_is_2)
{
    static const char *const commands[] = {"list",
                                           "--help",
                                           "--version",
                                           "solve --help",
                                           "check jacobi9/openmp -n 9",
                                           "bench jacobi9/openmp -n 9 --repeats 1",
                                           "walk jacobi9/openmp",
                                           "accuracy jacobi9/openmp -n 8 --iterations 1",
                                           "solve " GR " --variant openmp",
                                           "solve " GR " --variant openmp -o -",
                                           "list --json -"};
    char line[256];
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        snprintf(line, sizeof line, "%s >/dev/full", commands[i]);
        assert_int_equal(run(line), 2);
        assert_int_equal(count("standard output: cannot be written: "), 1);
    }
    assert_int_equal(run("list >&-"), 2);
    assert_int_equal(run("list | head -n 1 >/dev/null"), 0);
}

/* ---- On a terminal ---- */

/* Runs the command in a terminal with this number of columns; returns the widest line that it
 * printed, colours not counted. */
static int on_terminal(const char *arguments, int columns)
{
    char line[2048];
    snprintf(
        line, sizeof line,
        "script -qec 'stty cols %d; quadpass %s 2>/dev/null' /dev/null </dev/null | tr -d '\\r'",
        columns, arguments);
    assert_int_equal(shell(line), 0);
    int widest = 0, width = 0;
    for (const char *at = output; *at != '\0'; at++) {
        if (*at == '\033')
            at += strcspn(at, "m");
        else
            width = *at == '\n' ? 0 : width + ((*at & 0xc0) != 0x80);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* A benchmark of an operation's variants with the longest names, whose table is the widest, and of
 * an opponent. */
static void name_widest(const char *opponent, char line[1024])
{
    const struct qp_variant *judged = qp_variant_find(opponent);
    size_t most = 0;
    int used = snprintf(line, 1024, "bench -n 8 --repeats 1 %s", opponent);
    assert_non_null(judged);
    for (size_t i = 0; i < 2 * qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i % qp_variant_count());
        const size_t length = strlen(variant->name);
        if (strcmp(variant->op, judged->op) != 0)
            continue;
        if (i < qp_variant_count())
            most = length > most ? length : most;
        else if (5 * length > 4 * most)
            used += snprintf(line + used, 1024 - (size_t)used, " %s", variant->name);
    }
    assert_true(used < 1024);
}

TEST(tables_fit_a_terminal)
{
    char eliminations[1024], sweeps[1024];
    const char *const commands[] = {"list",
                                    "list jacobi9",
                                    "check \"jacobi9/*_cpu\" jacobi9/openmp --problem random",
                                    eliminations,
                                    sweeps,
                                    "walk jacobi9/luminance -n 20",
                                    "accuracy -n 8 --iterations 1",
                                    "solve " GR " --variant gauss_jordan/loop",
                                    "info"};
    need_gl();
    if (shell("command -v script stty") != 0)
        skip();
    name_widest("gauss_jordan/sgesv", eliminations);
    name_widest("jacobi9/blas", sweeps);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const int widest = on_terminal(commands[i], 100);
        if (widest > 100)
            fail_msg("%s is %d columns wide:\n%s", commands[i], widest, output);
        assert_true((i >= 3 && i <= 5) || on_terminal(commands[i], 60) <= 60);
    }
}

TEST(verdicts_are_coloured_on_a_terminal_alone)
{
    if (shell("command -v script stty") != 0)
        skip();
    setenv("TERM", "xterm", 1);
    on_terminal("check jacobi9/openmp -n 9", 100);
    assert_non_null(strstr(output, "\033[32mpass \033[0m"));
    setenv("NO_COLOR", "1", 1);
    on_terminal("check jacobi9/openmp -n 9", 100);
    unsetenv("NO_COLOR");
    assert_true(strchr(output, '\033') == NULL && strstr(output, " pass ") != NULL);
    setenv("TERM", "dumb", 1);
    on_terminal("check jacobi9/openmp -n 9", 100);
    assert_null(strchr(output, '\033'));
    assert_int_equal(run("check jacobi9/openmp -n 9 | cat"), 0);
    assert_true(strchr(output, '\033') == NULL && strstr(output, " pass ") != NULL);
}

GROUP(make_folder_in_haste, remove_folder)
