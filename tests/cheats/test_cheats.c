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

/* Runs each command of the file in its folder. */
static void cheat_is_judged(const char *path, const char *text)
{
    char command[1024], *lines = strdup(text), *rest = lines, *line;
    int code = -1, commands = 0;
    while ((line = take_line(&rest)) != NULL) {
        int wanted;
        if (strncmp(line, "$ ", 2) == 0) {
            snprintf(command, sizeof command, "cd $(dirname '%s') && PATH=%s/" ALIVE ":$PATH; %s",
                     path, folder, line + 2);
            code = shell(command);
            commands++;
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

TEST(cheats_get_their_verdicts)
{
    need_gl();
    if (!on_llvmpipe())
        skip(); /* whose roundings others need not have */
    start_alive();
    each_file("tests/cheats/*/verdict", 30, cheat_is_judged);
    assert_int_equal(faults, 0);
    cheat_is_judged("tests/cheats/zeros/verdict", "$ quadpass check zeros.frag --size 1x1\n"
                                                  "0 passed, 1 failed\nexit code 0\n$ true\n");
    assert_int_equal(faults, 3); /* no such line, another code, and none */
    faults = 0;
    assert_int_equal(end_alive(), 0);
}

/* Kernels that a check without options passes: the right one, those whose heads say how they are
 * judged, and those that the page says it does not find. */
static const char passing[] = " honest tolerance own_size own_steps transposed no_effect "
                              "small_numbers many_steps on_the_host ";

static void whole_check_finds_it(const char *path, const char *text)
{
    enum { ONE_IN = 24 };
    static int number;
    char name[64], word[66], command[256];
    (void)text;
    assert_int_equal(sscanf(path, "tests/cheats/%63[a-z_]", name), 1);
    snprintf(word, sizeof word, " %s ", name);
    snprintf(command, sizeof command, "cd tests/cheats/%s && %s/" ALIVE "/quadpass check %s.frag",
             name, folder, name);
    const int wanted = strstr(passing, word) == NULL ? 1 : 0;
    if (!support_takes(number++, ONE_IN))
        return;
    const int code = shell(command);
    if (code != wanted)
        fault("%s: exit code %d, not %d, without options:\n%s", name, code, wanted, output);
}

TEST(whole_checks_find_them)
{
    need_gl();
    start_alive();
    each_file("tests/cheats/*/verdict", 30, whole_check_finds_it);
    assert_int_equal(end_alive(), 0);
}

static int make_files(void **state)
{
    return make_folder(state) != 0 ? -1 : compile_once(folder);
}

GROUP(make_files, remove_folder)
