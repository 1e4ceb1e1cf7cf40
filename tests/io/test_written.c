/* SPDX-License-Identifier: MIT */
/* Files that SciPy, NumPy, Eigen and mmwrite.m write are read to the value, or refused by the right
 * sentence: some that are kept, and, where SciPy is, hundreds that it writes now. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/files.h"
#include "support/support.h"
#include "support/written.h"

ADD_TEST(files_note_open)

static char folder[] = "/tmp/quadpass-written-XXXXXX";
static const char *form = "%.9g";

static void check(const char *path, const char *expected)
{
    const char *found = content_of(path, form);
    const bool good = strstr(expected, " x ") != NULL && expected[0] >= '0' && expected[0] <= '9'
                          ? strcmp(found, expected) == 0
                          : strstr(found, expected) != NULL;
    if (!good)
        fault("%s:\nwanted %s\nfound  %s\n", path, expected, found);
}

TEST(kept)
{
    faults = 0;
    assert_true(each_written("written.txt", folder, check) >= 80);
    assert_int_equal(faults, 0);
}

TEST(written_now)
{
    static char line[1 << 16], path[128];
    char command[512];
    snprintf(command, sizeof command, "%s/tests/io/write_files.py %s", QP_SOURCE_DIR, folder);
    snprintf(line, sizeof line, "/usr/bin/python3 %s || test $? != 77 || exit 77", command);
    char *said;
    const int code = run_for(line, &said);
    if (code == 77 || code == 127) {
        print_message("skipped: /usr/bin/python3 has no SciPy (Debian: python3-scipy): %s", said);
        free(said);
        skip();
    }
    if (code != 0)
        fail_msg("%s", said);
    free(said);
    faults = 0;
    form = "%.17g";
    snprintf(path, sizeof path, "%s/list", folder);
    FILE *list = fopen(path, "r");
    assert_non_null(list);
    int count = 0;
    for (; fgets(line, sizeof line, list) != NULL; count++) {
        char *end = strstr(line, ": ");
        assert_non_null(end);
        line[strcspn(line, "\n")] = '\0';
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)(end - line), line);
        check(path, end + 2);
    }
    fclose(list);
    assert_true(count > 1000);
    assert_int_equal(faults, 0);
}

static int make(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int clear(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

ADD_TEST(files_are_closed)

GROUP(make, clear)
