/* SPDX-License-Identifier: MIT */
/* Reading of many lines: the same entries, and the same first line that is wrong, in blocks and in
 * threads as in one piece through a pipe; places that come twice, in every order of entries. LONG=1
 * reports the speed. No OpenGL is needed here. */
#include "support/support.h"
#include "toolkit/io/market.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "toolkit/base/random.h"

static char folder[] = "/tmp/quadpass-lines-XXXXXX", path[64];

static FILE *begin_file(const char *kind, const char *sizes)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate real %s\n%% a comment\n\n%s\n", kind, sizes);
    return file;
}

static void refuse(const char *words)
{
    struct qp_market a;
    assert_int_equal(qp_market_read(path, &a), QP_BAD_INPUT);
    support_assert_sentence(words);
    assert_null(a.value);
}

/* ---- Places ---- */

enum order { BY_ROWS, BY_COLUMNS, FROM_BEHIND, MIXED };
enum { SIDE = 9 };

/* Place k of the lower triangle of a square. */
static void place(int k, enum order order, int *row, int *column)
{
    const int count = SIDE * (SIDE + 1) / 2;
    k = order == FROM_BEHIND ? count - 1 - k : order == MIXED ? k * 7 % count : k;
    for (int i = 0; i < SIDE; i++) {
        const int in_line = order == BY_COLUMNS ? SIDE - i : i + 1;
        if (k < in_line) {
            *row = order == BY_COLUMNS ? i + k : i;
            *column = order == BY_COLUMNS ? i : k;
            return;
        }
        k -= in_line;
    }
}

/* All places, and after `after` of them one of those once more, on a line of its own. */
static void write_twice(enum order order, bool symmetric, int after, int again)
{
    const int count = SIDE * (SIDE + 1) / 2;
    FILE *file = begin_file(symmetric ? "symmetric" : "general", "9 9 45");
    for (int k = 0; k < count - (again >= 0); k++) {
        int row = 0, column = 0;
        if (k == after && again >= 0) {
            place(again, order, &row, &column);
            fprintf(file, "%%\n%d %d 7\n \t\n", row + 1, column + 1);
        }
        place(k, order, &row, &column);
        fprintf(file, "%d %d %d\n", row + 1, column + 1, k + 1);
    }
    fclose(file);
}

/* The value at a place of a matrix whose rows are in order, with no place twice. */
static double value_at(const struct qp_market *a, int row, int column)
{
    double found = NAN;
    for (size_t k = 0; k < a->count; k++) {
        assert_true(k == 0 || a->row[k] > a->row[k - 1] ||
                    (a->row[k] == a->row[k - 1] && a->column[k] > a->column[k - 1]));
        if (a->row[k] == row && a->column[k] == column)
            found = a->value[k];
    }
    return found;
}

TEST(a_place_twice_in_any_order)
{
    for (int i = 0; i < 8; i++) {
        struct qp_market a;
        write_twice(i % 4, i / 4, 0, -1);
        assert_ok(qp_market_read(path, &a));
        assert_true(a.count == (i / 4 ? 81 : 45));
        qp_market_destroy(&a);
        for (int after = 1; after < 44; after += 6) {
            for (int again = 0; again < after; again += again + 8 < after ? 7 : 1) {
                int row = 0, column = 0;
                size_t added;
                write_twice(i % 4, i / 4, after, again);
                place(again, i % 4, &row, &column);
                assert_ok(qp_market_read_adding(path, &a, &added));
                assert_true(added == 1 && value_at(&a, row, column) == again + 1 + 7);
                qp_market_destroy(&a);
            }
        }
    }
}

/* ---- Large files, by their blanks ---- */

enum { LINES = 52000, BLANKS = 1000 };

static double value_of(int k)
{
    uint64_t seed = (uint64_t)k;
    return qp_random(&seed, -1e3, 1e3);
}

/* Entries of a symmetric matrix, their places falling; blank lines and comments between. Lines
 * `bad` and `worse`, from 0, are no entries, and line `twice` has the place of line 5. */
static void write_large(int bad, int worse, int twice)
{
    FILE *file = begin_file("symmetric", "52000 52000 52000");
    for (int k = 0; k < LINES; k++) {
        const int like = k == twice ? 5 : k, row = LINES - like;
        const int column = like % 3 == 0 ? row : (row + 1) / 2;
        const char *word = k == bad || k == worse ? "x" : "";
        fprintf(file, "%d %d %s%.17g%*s\n", row, column, word, value_of(k), BLANKS, "");
        if (k % 1000 == 7)
            fputs(" \n% between\n", file);
    }
    fclose(file);
}

static void read_piped(struct qp_market *out)
{
    char command[96];
    snprintf(command, sizeof command, "cat %s", path);
    FILE *old = stdin;
    stdin = popen(command, "r");
    assert_non_null(stdin);
    assert_ok(qp_market_read("-", out));
    pclose(stdin);
    stdin = old;
}

TEST(large_files_in_threads)
{
    struct qp_market a, b;
    char words[80];
    size_t added;
    omp_set_num_threads(4);
    write_large(-1, -1, -1);
    assert_ok(qp_market_read(path, &a));
    read_piped(&b);
    assert_true(a.rows == LINES && a.count == b.count && a.count > LINES);
    for (size_t k = 0, line = 0; k < a.count; k++, line++) {
        assert_true(a.row[k] == LINES - 1 - (int)line && a.value[k] == value_of((int)line));
        k += a.row[k] != a.column[k];
    }
    assert_memory_equal(a.value, b.value, a.count * sizeof *a.value);
    assert_memory_equal(a.row, b.row, a.count * sizeof *a.row);
    assert_memory_equal(a.column, b.column, a.count * sizeof *a.column);
    qp_market_destroy(&a);
    qp_market_destroy(&b);
    for (int k = 36000; k < 40000;
         k += 700) { /* in all parts of a block; four lines come before the first entry */
        write_large(k, k + 4321, k + 1);
        snprintf(words, sizeof words, ":%d: the value 'x", 5 + k + 2 * ((k + 992) / 1000));
        refuse(words);
    }
    write_large(-1, -1, 40320);
    assert_ok(qp_market_read_adding(path, &a, &added));
    assert_true(added == 1 &&
                value_at(&a, LINES - 6, (LINES - 5 + 1) / 2 - 1) == value_of(5) + value_of(40320));
    qp_market_destroy(&a);
    omp_set_num_threads(1);
}

/* ---- Speed ---- */

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds to read the file with `threads` threads. */
static double time_threads(int threads, clockid_t clock)
{
    struct qp_market a;
    omp_set_num_threads(threads);
    const double begin = seconds_of(clock);
    assert_ok(qp_market_read(path, &a));
    const double seconds = seconds_of(clock) - begin;
    qp_market_destroy(&a);
    omp_set_num_threads(1);
    return seconds;
}

/* The obvious loop. */
static double read_plainly(void)
{
    char line[256];
    double sum = 0.0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char *at;
        sum += (double)strtol(line, &at, 10);
        sum += (double)strtol(at, &at, 10);
        sum += strtod(at, NULL);
    }
    fclose(file);
    return sum;
}

/* Nine bands of 17 digits, in order or not: a stride that has no factor of their number goes
 * through all. */
static void time_a_file(bool in_order)
{
    enum { ROWS = 250000, WIDTH = 500, STRIDE = 1000003 };
    static const int offset[9] = {-WIDTH - 1, -WIDTH,    -WIDTH + 1, -1,       0,
                                  1,          WIDTH - 1, WIDTH,      WIDTH + 1};
    const long all = 9L * ROWS;
    uint64_t seed = 1;
    FILE *file = begin_file("general", "250000 250000 2246998");
    for (long k = 0; k < all; k++) {
        const long entry = in_order ? k : k * STRIDE % all, row = entry / 9,
                   column = row + offset[entry % 9];
        if (column >= 0 && column < ROWS)
            fprintf(file, "%ld %ld %.17g\n", row + 1, column + 1, qp_random(&seed, -1.0, 1.0));
    }
    const double bytes = (double)ftell(file);
    fclose(file);
    const int cores = omp_get_num_procs();
    for (int k = 0; k < 5; k++) {
        const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        assert_true(read_plainly() != 0.0);
        const double plain = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin,
                     one = time_threads(1, CLOCK_PROCESS_CPUTIME_ID),
                     all_cores = time_threads(cores, CLOCK_MONOTONIC);
        print_message("%.1f MB in %s: %.0f MB/s, fgets and strtod %.0f MB/s; %d cores %.0f MB/s\n",
                      bytes * 1e-6, in_order ? "order" : "no order", bytes * 1e-6 / one,
                      bytes * 1e-6 / plain, cores, bytes * 1e-6 / all_cores);
    }
}

TEST(speed)
{
    if (!support_takes_long())
        skip();
    time_a_file(true);
    time_a_file(false);
}

static int make_file(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/a.mtx", folder);
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

GROUP(make_file, remove_file)
