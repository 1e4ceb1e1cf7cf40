/* SPDX-License-Identifier: MIT */
/* A check by several processes prints and writes what one does; who ends it, and how, is told. And
 * the cases of a row are as many as ever. */
#include "support/shell.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROWS       "check 'reduce/*' 'transpose/*' 'transfer/*' 'poisson5_batch/*'"
#define SEVERAL    "OMP_NUM_THREADS=16 quadpass " /* four processes */
#define UNTIL_FOUR "until test $(pgrep -c -P $!) = 4; do sleep 0.1; done; "
#define ALONE      "OMP_NUM_THREADS=1 quadpass "

static void processes_say_the_same(void **state)
{
    (void)state;
    expect(NO_DEVICES SEVERAL ROWS " --json many.json --tap many.tap >many.txt", 0, "");
    expect(NO_DEVICES ALONE ROWS " --json one.json --tap one.tap >one.txt", 0, "");
    expect("cmp many.txt one.txt && grep -c ' pass ' many.txt", 0, "10\n");
    expect("sed 's/# time.*//' many.tap >a; sed 's/# time.*//' one.tap | diff a -", 0, "");
    expect("for f in many one; do grep -o '\"variant\": *\"[^\"]*\"\\|\"error\": *[^,]*' $f.json "
           ">$f; done; "
           "cmp many one && test $(wc -l <one) -gt 64",
           0, "");
}

/* Four processes are there, and end with the command however it ends. */
static void they_end_with_the_command(void **state)
{
    (void)state;
    expect(NO_DEVICES "bash -c 'OMP_NUM_THREADS=16 quadpass check >cut.txt 2>told.txt & " UNTIL_FOUR
                      "kill -INT $!; wait $!; echo code $?; pgrep -c -P $!; tail -2 cut.txt'",
           0, "code 1\n0\ninterrupted after ");
    expect(NO_DEVICES "bash -c 'OMP_NUM_THREADS=16 quadpass check 2>&1 >cut.txt & " UNTIL_FOUR
                      "kill -9 $(pgrep -P $!); wait $!; echo code $?'",
           0, "has crashed\n");
    assert_non_null(strstr(output, "code 3"));
}

static void a_row_has_as_many_cases_as_ever(void **state)
{
    static const struct {
        const char *row;
        int cases;
    } expected[] = {{"jacobi9/bands_cpu", 165},      {"poisson5/sequential", 165},
                    {"gauss_jordan/reference", 140}, {"gauss_jordan_batch/loop", 40},
                    {"poisson5_batch/openmp", 60},   {"reduce/loop", 165},
                    {"access/loop", 1400},           {"transfer/memcpy", 132},
                    {"transpose/loop", 33}};
    (void)state;
    for (int i = 0; i < COUNT(expected); i++) {
        char line[256], words[64];
        snprintf(line, sizeof line, NO_DEVICES ALONE "check %s", expected[i].row);
        snprintf(words, sizeof words, " %d cases", expected[i].cases);
        expect(line, 0, words);
    }
}

/* What is written here lies in the folder. */
static int go_there(void **state)
{
    return make_folder(state) != 0 ? -1 : chdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(processes_say_the_same),
                                       cmocka_unit_test(they_end_with_the_command),
                                       cmocka_unit_test(a_row_has_as_many_cases_as_ever)};
    return cmocka_run_group_tests_name("workers", tests, go_there, remove_folder);
}
