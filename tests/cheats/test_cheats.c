/* SPDX-License-Identifier: MIT */
/* Cheats: kernels that are wrong on purpose get the verdicts that docs/cheats.md shows. A file
 * `verdict` beside each has commands, what each prints, and its exit code. */
#include "support/alive.h"
#include "support/files.h"
#include "support/once.h"
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A cheat, of its file `verdict`; its kernel's file ends in .frag, .comp, .c or .cu. */
struct cheat {
    char name[64];
    const char *ending;
};

static struct cheat cheat_of(const char *path)
{
    static const char *const endings[] = {".frag", ".comp", ".cu", ".c"}; /* or a reference's */
    struct cheat cheat;
    assert_int_equal(sscanf(path, "tests/cheats/%63[a-z_]", cheat.name), 1);
    for (int k = 0; k < COUNT(endings); k++) {
        char file[256];
        cheat.ending = endings[k];
        snprintf(file, sizeof file, "tests/cheats/%s/%s%s", cheat.name, cheat.name, endings[k]);
        if (access(file, R_OK) == 0)
            return cheat;
    }
    fail_msg("%s is of no kernel", path);
    return cheat;
}

/* Runs a command in the cheat's folder, by the process that lives on, or on a CUDA device that is
 * made up. */
static int judge(const struct cheat *cheat, const char *command)
{
    char line[1024];
    if (strcmp(cheat->ending, ".cu") == 0)
        snprintf(line, sizeof line,
                 "cd tests/cheats/%s && LD_LIBRARY_PATH=" QP_BUILD_DIR "/tests/fake_device %s",
                 cheat->name, command);
    else
        snprintf(line, sizeof line, "cd tests/cheats/%s && PATH=%s/" ALIVE ":$PATH && %s",
                 cheat->name, folder, command);
    return shell(line);
}

/* True if a cheat's turn has come: those that a compiler has to do with take long. */
static bool is_taken(const struct cheat *cheat, int each)
{
    static int drawn, compiled;
    return strcmp(cheat->ending, ".frag") == 0 ? support_takes(drawn++, each)
                                               : support_takes(compiled++, 3 * each);
}

/* ---- Verdicts ---- */

/* The next line of a text, without its end; NULL after the last one. */
static char *take_line(char **text)
{
    char *line = *text;
    const size_t length = strcspn(line, "\n");
    if (*line == '\0')
        return NULL;
    *text = line + length + (line[length] == '\n');
    line[length] = '\0';
    return line;
}

/* True if the last run printed this line, as a whole. */
static bool is_printed(const char *line)
{
    const size_t length = strlen(line);
    for (const char *at = output; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, line, length) == 0 && (at[length] == '\n' || at[length] == '\0'))
            return true;
    }
    return false;
}

static void lines_hold(const char *path, const char *text)
{
    const struct cheat cheat = cheat_of(path);
    char *lines = strdup(text), *rest = lines, *line;
    int code = -1, commands = 0, wanted;
    bool left = false; /* mutants that survive are tried on a hundred inputs, in seconds */
    while ((line = take_line(&rest)) != NULL) {
        if (strncmp(line, "$ ", 2) == 0) {
            left = strstr(line, "--mutants") != NULL && !support_takes_long();
            code = left ? -1 : judge(&cheat, line + 2);
            commands++;
        } else if (left) {
            continue;
        } else if (sscanf(line, "exit code %d", &wanted) == 1) {
            if (code != wanted)
                fault("%s: exit code %d, not %d:\n%s", path, code, wanted, output);
            code = -1;
        } else if (!is_printed(line)) {
            fault("%s: not printed: '%s'\n%s", path, line, output);
        }
    }
    if (commands == 0 || code >= 0)
        fault("%s: a command has no exit code\n", path);
    free(lines);
}

static void cheat_is_judged(const char *path, const char *text)
{
    const struct cheat cheat = cheat_of(path);
    if (is_taken(&cheat, 1))
        lines_hold(path, text);
}

TEST(cheats_get_their_verdicts)
{
    need_gl();
    if (!on_llvmpipe())
        skip(); /* whose roundings others need not have */
    start_alive();
    each_file("tests/cheats/*/verdict", 50, cheat_is_judged);
    lines_hold("tests/cheats/zeros/verdict", "$ quadpass check zeros.frag --size 1x1\n"
                                             "0 passed, 1 failed\nexit code 0\n$ true\n");
    assert_int_equal(faults, 3); /* no such line, another code, and none */
    faults = 0;
    assert_int_equal(end_alive(), 0);
}

/* ---- Checks without options ---- */

/* Kernels that pass: the right one, those whose heads say how they are judged, and those that the
 * page says are not found. */
static const char passing[] = " honest tolerance own_size own_steps transposed no_effect "
                              "small_numbers many_steps on_the_host by_clock race ";

static void whole_check_finds_it(const char *path, const char *text)
{
    enum { ONE_IN = 24 };
    const struct cheat cheat = cheat_of(path);
    char word[80], command[256];
    (void)text;
    snprintf(word, sizeof word, " %s ", cheat.name);
    snprintf(command, sizeof command, "quadpass check %s%s%s", cheat.name, cheat.ending,
             strcmp(cheat.name, "endless") == 0 ? " --time-limit 0.1" : "");
    const int wanted = strstr(passing, word) == NULL ? 1 : 0;
    if (!is_taken(&cheat, ONE_IN))
        return;
    const int code = judge(&cheat, command);
    if (code != wanted)
        fault("%s: exit code %d, not %d, without options:\n%s", cheat.name, code, wanted, output);
}

TEST(whole_checks_find_them)
{
    need_gl();
    start_alive();
    each_file("tests/cheats/*/verdict", 50, whole_check_finds_it);
    assert_int_equal(end_alive(), 0);
}

static int make_files(void **state)
{
    if (make_folder(state) != 0 || compile_once(folder) != 0)
        return -1;
    return setenv("CFLAGS", "-O0", 1);
}

GROUP(make_files, remove_folder)
