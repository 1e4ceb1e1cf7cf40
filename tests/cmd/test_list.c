/* SPDX-License-Identifier: MIT */
/* Lists of variants to the letter: the short one, one by one, as a table, and as records. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "ops/table.h"

static void list(const char *line)
{
    fake_append(cmd_list, line);
}

static void lists(void **state)
{
    (void)state;
    list("list --problem kinetics");
    list("list --problem copy");
    list("list --problem kinetics --long");
    list("list jacobi9/rgba gauss_jordan/sgesv jacobi9/amorim_cpu blend_elimination_pivoted");
    list("list --variant luminance_half");
    list("list --markdown jacobi9/rgba gauss_jordan/loop");
    list("list jacobi9/rgba gauss_jordan/loop gauss_jordan/sgesv --csv -");
    list("list jacobi9/rgba --json -");
    list("list jacobi9/rgba --problem sum");
    fake_compare_all("list");
}

static int count_words(const char *line)
{
    int words = 0;
    for (; *line != '\n'; line++)
        words += line[0] == ' ' && line[1] != ' ' && line[1] != '\n';
    return words;
}

/* Names of an operation take as few lines as their columns allow, none of them too long. */
static void columns_are_full(void **state)
{
    const char *at = fake_command(cmd_list, "list");
    int operations = 0, names;
    (void)state;
    for (; sscanf(at, "%*[^,], %d variants:", &names) == 1; operations++) {
        int lines = 0, columns = 0, listed = 0;
        for (at = strchr(at, '\n') + 1; *at != '\n'; at = strchr(at, '\n') + 1) {
            const int words = count_words(at);
            assert_in_range(strcspn(at, "\n"), 3, 98);
            columns = words > columns ? words : columns;
            listed += words;
            lines++;
        }
        at++;
        assert_int_equal(listed, names);
        assert_int_equal(lines, (names - 1) / columns + 1);
    }
    assert_true(operations > 0 && qp_op_at((size_t)operations) == NULL);
}

static void all_commands(void)
{
    fake_command(cmd_list, "list --long jacobi9 --json -");
    fake_command(cmd_list, "list --kinds --csv -");
    fake_command(cmd_list, "list --markdown");
    fake_command(cmd_shaders, "shaders jacobi9/*");
}

static void nothing_is_left(void **state)
{
    (void)state;
    fake_leaves_nothing(all_commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists), cmocka_unit_test(columns_are_full),
                                       cmocka_unit_test(nothing_is_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
