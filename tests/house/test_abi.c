/* SPDX-License-Identifier: MIT */
/* The binary interface against the list of its SONAME, tests/house/abi-NUMBER.txt: programs that
 * are linked with an older library go on running. tools/abi.sh writes the lines: a key of two
 * words, and the numbers of a struct, member or enumerator. */
#include "support/files.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line that begins with these words, up to its end; NULL if there is none. */
static const char *find_line(const char *list, const char *key, size_t length)
{
    for (const char *line = list; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0 && (line[length] == ' ' || line[length] == '\n'))
            return line;
    }
    return NULL;
}

/* Length of the first two words of a line. */
static size_t measure_key(const char *line)
{
    const size_t first = strcspn(line, " \n") + 1;
    return first + strcspn(line + first, " \n");
}

/* True if programs find what an old line promised: the same numbers, but for a count, which may
 * grow. */
static bool keeps_promise(const char *line, const char *now)
{
    const size_t key = measure_key(line), length = strcspn(line, "\n");
    if (strncmp(line, "count ", 6) == 0)
        return strtol(now + key, NULL, 10) >= strtol(line + key, NULL, 10);
    return strcspn(now, "\n") == length && strncmp(line, now, length) == 0;
}

/* A fault for each line of the old list that the new one breaks. The first line has the version
 * that it was written for; additions are fine. */
static void compare_lists(const char *old, const char *now, const char *advice)
{
    for (const char *line = strchr(old, '\n') + 1; *line != '\0'; line = strchr(line, '\n') + 1) {
        const size_t key = measure_key(line);
        const char *found = find_line(now, line, key);
        if (found == NULL)
            fault("%.*s is gone: %s\n", (int)key, line, advice);
        else if (!keeps_promise(line, found))
            fault("%.*s was%.*s and is%.*s: %s\n", (int)key, line, (int)strcspn(line + key, "\n"),
                  line + key, (int)strcspn(found + key, "\n"), found + key, advice);
    }
}

/* Output of a shell command that runs in the source folder. */
static char *print(const char *command)
{
    char line[2048], *text = NULL;
    snprintf(line, sizeof line, "cd %s && %s", QP_SOURCE_DIR, command);
    if (run_for(line, &text) != 0 || *text == '\0')
        fail_msg("failed: %s", line);
    return text;
}

/* The number after SONAME's last point. */
static int find_number(void)
{
    char *text = print("sed -n 's/^SOVERSION := //p' Makefile");
    const int number = atoi(text);
    free(text);
    return number;
}

/* The advice about a fault: the list of the changelog's newest version may be written anew until
 * that has a tag. */
static void advise(const char *old, char *advice, size_t room)
{
    char heading[128], *found = NULL;
    int major = 0, minor = 0, patch = 0;
    assert_int_equal(sscanf(old, "version %d.%d.%d", &major, &minor, &patch), 3);
    snprintf(heading, sizeof heading,
             "grep -m1 '^## .[0-9]' %s/CHANGELOG.md | grep '^## .%d.%d.%d. '", QP_SOURCE_DIR, major,
             minor, patch);
    const bool released = run_for(heading, &found) != 0;
    const int number = find_number();
    free(found);
    if (released)
        snprintf(
            advice, room,
            "programs linked with libquadpass.so.%d would break; raise SONAME (SOVERSION := %d "
            "in Makefile) and write a new list: tools/abi.sh build/release "
            ">tests/house/abi-%d.txt",
            number, number + 1, number + 1);
    else
        snprintf(advice, room,
                 "until %d.%d.%d has a tag SONAME may stay; write the list anew if this is "
                 "meant: tools/abi.sh build/release >tests/house/abi-%d.txt",
                 major, minor, patch, number);
}

static char *read_list(void)
{
    char command[128];
    snprintf(command, sizeof command, "cat tests/house/abi-%d.txt", find_number());
    return print(command);
}

TEST(library_keeps_what_was_promised)
{
    char *old = read_list(), *now = print("tools/abi.sh " QP_BUILD_DIR), advice[512];
    if (sizeof(void *) != 8) {
        free(old);
        free(now);
        skip(); /* the list is that of 64-bit machines */
    }
    advise(old, advice, sizeof advice);
    compare_lists(old, now, advice);
    free(old);
    free(now);
    assert_int_equal(faults, 0);
}

/* ---- Changes that the comparison sees ---- */

/* How many faults an edited copy of the headers has, or an edited list. */
static int count_faults(const char *edit_headers, const char *edit_list)
{
    char command[1024];
    snprintf(
        command, sizeof command,
        "d=$(mktemp -d) && cp -r include $d && { cd $d/include/quadpass && %s; cd " QP_SOURCE_DIR
        "; } && tools/abi.sh " QP_BUILD_DIR " $d/include | sed '%s'; rm -rf $d",
        edit_headers, edit_list);
    char *old = print("tools/abi.sh " QP_BUILD_DIR), *now = print(command);
    const int before = faults;
    compare_lists(old, now, "(tried out)");
    free(old);
    free(now);
    const int found = faults - before;
    faults = before;
    return found;
}

TEST(changes_are_seen)
{
    assert_int_equal(count_faults("true", ""), 0);
    /* The struct, and each of its members after the new one; the lost one too. */
    assert_int_equal(count_faults("sed -i 's/.*passes; /    size_t more;\\n&/' context.h", ""),
                     1 + 3);
    assert_int_equal(count_faults("sed -i '/double condition; .*as in/d' method.h", ""), 1 + 6 + 1);
    assert_int_equal(count_faults("true", "/function qp_walk$/d"), 1);
    assert_int_equal(count_faults("sed -i 's/QP_FAIL, QP_SKIP/QP_SKIP, QP_FAIL/' walk.h", ""), 2);
    assert_int_equal(count_faults("sed -i 's/    QP_COPY, .*//' walk.h", ""), 2);
    assert_int_equal(count_faults("sed -i 's/AT_ONCE = 32/AT_ONCE = 33/' cuda.h", ""), 1);
}

TEST(additions_are_fine)
{
    assert_int_equal(count_faults("true", "$a function qp_more"), 0);
    assert_int_equal(count_faults("sed -i 's/QP_2D, /&QP_3D, /' walk.h", ""), 0);
    assert_int_equal(
        count_faults("sed -i 's/^struct qp_window {/struct qp_more { int a; };\\n&/' problem.h",
                     ""),
        0);
}

/* Another version is newer than this one, so it counts as released; the newest may change. */
TEST(advice_names_the_next_list)
{
    char advice[512], next[64];
    advise("version 0.0.1\n", advice, sizeof advice);
    snprintf(next, sizeof next, ">tests/house/abi-%d.txt", find_number() + 1);
    assert_non_null(strstr(advice, "raise SONAME"));
    assert_non_null(strstr(advice, next));
    char *now = read_list();
    advise(now, advice, sizeof advice);
    assert_non_null(strstr(advice, "SONAME may stay"));
    free(now);
}
