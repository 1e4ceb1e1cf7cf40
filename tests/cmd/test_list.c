/* SPDX-License-Identifier: MIT */
/* Lists of variants to the letter: the short one, one by one, as a table, and as records. */
#include "support/fake_runs.h"

#include "cmd/cmd.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
