/* SPDX-License-Identifier: MIT */
/* Checkpoints that are refused, since they are of another system, start or tolerance, or of a
 * variant that is not known. */
#include "support/stops.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/solve/walked.h"
#include "toolkit/base/values.h"

static char folder[] = "/tmp/quadpass-checkpoint-XXXXXX", file[64];
static struct qp_market laplace;
static double load[1800]; /* two right-hand sides */

static int prepare(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(file, sizeof file, "%s/c.qpc", folder);
    for (int i = 0; i < 1800; i++)
        load[i] = i % 11 - 4.0;
    return qp_market_read(QP_SOURCE_DIR "/data/gr_30_30.mtx", &laplace) == QP_OK ? 0 : -1;
}

static int clean_up(void **state)
{
    (void)state;
    qp_market_destroy(&laplace);
    unlink(file);
    return rmdir(folder);
}

/* The last value of the second side's start makes two solves differ. */
TEST(another_start_is_refused)
{
    static double start[1800];
    struct qp_answer got;
    struct qp_solve_desc desc = {.variant = qp_variant_find("jacobi9/openmp"),
                                 .tolerance = 1e-4,
                                 .interrupt = &stop,
                                 .on_progress = stops_look,
                                 .checkpoint = file};
    for (int i = 0; i < 1800; i++)
        start[i] = i % 7;
    stops_start(3);
    assert_ok(qp_solve_system(NULL, &laplace, load, 2, start, &desc, &got));
    qp_answer_destroy(&got);
    stops_start(0);
    desc.checkpoint = NULL;
    desc.resume = file;
    start[1799] += 1.0;
    assert_int_equal(qp_solve_system(NULL, &laplace, load, 2, start, &desc, &got), QP_BAD_INPUT);
    support_assert_sentence("with another start");
    start[1799] -= 1.0;
    assert_ok(qp_solve_system(NULL, &laplace, load, 2, start, &desc, &got));
    for (int k = 0; k < 2; k++)
        assert_non_null(strstr(got.side[k].sentence, "; it went on from /tmp/quadpass-check"));
    qp_answer_destroy(&got);
}

/* A start, a matrix, a weight, one side for two; and a file of another operation. */
TEST(other_systems_are_refused)
{
    struct qp_answer got;
    struct qp_solution one;
    struct qp_dense_solution dense;
    struct qp_solve_desc desc = {.variant = qp_variant_find("jacobi9/openmp"),
                                 .tolerance = 1e-4,
                                 .interrupt = &stop,
                                 .on_progress = stops_look,
                                 .checkpoint = file};
    stops_start(3);
    assert_ok(qp_solve_system(NULL, &laplace, load, 1, NULL, &desc, &got));
    qp_answer_destroy(&got);
    stops_start(0);
    desc.checkpoint = NULL;
    desc.resume = file;
    assert_int_equal(qp_solve_system(NULL, &laplace, load, 2, NULL, &desc, &got), QP_BAD_INPUT);
    support_assert_sentence("whose number of right-hand sides is 1, and here it is 2");
    assert_int_equal(qp_solve_system(NULL, &laplace, NULL, 1, NULL, &desc, &got), QP_BAD_INPUT);
    support_assert_sentence("with another right-hand side");
    assert_int_equal(qp_solve_system(NULL, &laplace, load, 1, load, &desc, &got), QP_BAD_INPUT);
    support_assert_sentence("with another start");
    desc.weight = 0.9;
    assert_int_equal(qp_solve_system(NULL, &laplace, load, 1, NULL, &desc, &got), QP_BAD_INPUT);
    support_assert_sentence("whose weight is chosen, and here it is 0.9");
    desc.weight = 0.0;
    laplace.value[17] = nextafter(laplace.value[17], 100.0);
    assert_int_equal(qp_solve_system(NULL, &laplace, load, 1, NULL, &desc, &got), QP_BAD_INPUT);
    support_assert_sentence("with another matrix");
    laplace.value[17] = nextafter(laplace.value[17], -100.0);
    assert_int_equal(qp_solve(NULL, &laplace, load, NULL, &desc, &one), QP_BAD_INPUT);
    support_assert_sentence("whose operation is choice of a method, and here it is iteration");
    assert_int_equal(
        qp_solve_dense(NULL, &laplace, load, 1, &(struct qp_dense_desc){.resume = file}, &dense),
        QP_BAD_INPUT);
    support_assert_sentence("and here it is elimination");
    assert_ok(qp_solve_system(NULL, &laplace, load, 1, NULL, &desc, &got));
    qp_answer_destroy(&got);
}

/* Each choice of an iteration that is in its file, by itself: numbers that were left to the solve,
 * and the grid's size. */
TEST(other_ways_of_iterations_are_refused)
{
    static const struct {
        struct qp_solve_desc made, read;
        const char *row, *words; /* row: of the solve that reads */
    } cases[] = {
        {{0}, {0}, "jacobi9/reference", "variant is jacobi9/openmp, and here it is jacobi9/ref"},
        {{0}, {.tolerance = 2e-4}, NULL, "tolerance is 0.0001, and here it is 0.0002"},
        {{0}, {.refine = true}, NULL, "refinement is off, and here it is on"},
        {{0}, {.weight = 0.9}, NULL, "weight is chosen, and here it is 0.9"},
        {{.weight = 0.9}, {0}, NULL, "weight is 0.9, and here it is chosen"},
        {{0}, {.most_steps = 7}, NULL, "largest number of steps is chosen, and here it is 7"},
        {{.most_steps = 70}, {0}, NULL, "largest number of steps is 70, and here it is chosen"},
        {{0}, {.width = 30, .height = 30}, NULL, "width of the grid is chosen, and here it is 30"},
        {{.width = 30, .height = 30}, {0}, NULL, "width of the grid is 30, and here it is chosen"},
        {{.width = 30, .height = 30},
         {.width = 30, .height = 31},
         NULL,
         "height of the grid is 30, and here it is 31"},
        {{0},
         {.pingpong = QP_COPY},
         NULL,
         "ping-pong style is two_attachments, and here it is cop"},
        {{0}, {.target = QP_2D}, NULL, "texture target is rect, and here it is 2d"},
    };
    struct qp_solution one;
    for (int k = 0; k < 2 * COUNT(cases); k++) {
        const bool reads = k % 2;
        struct qp_solve_desc desc = reads ? cases[k / 2].read : cases[k / 2].made;
        const char *other = reads ? cases[k / 2].row : NULL;
        desc.variant = qp_variant_find(other != NULL ? other : "jacobi9/openmp");
        desc.tolerance = desc.tolerance > 0.0 ? desc.tolerance : 1e-4;
        desc.checkpoint = reads ? NULL : file;
        desc.resume = reads ? file : NULL;
        desc.interrupt = &stop;
        desc.on_progress = stops_look;
        stops_start(!reads);
        assert_int_equal(qp_solve(NULL, &laplace, load, NULL, &desc, &one),
                         reads ? QP_BAD_INPUT : QP_OK);
        if (reads)
            support_assert_sentence(cases[k / 2].words);
        qp_solution_destroy(&one);
    }
}

/* A tolerance that is left out is the usual one: the files are of the same solve. */
TEST(usual_tolerances_are_the_same)
{
    struct qp_solution one = {0};
    struct qp_dense_solution dense = {0};
    struct qp_answer answer = {0};
    struct qp_poisson_desc poisson = {
        .width = 9, .height = 8, .interrupt = &stop, .on_progress = stops_look};
    struct qp_solve_desc desc = {.interrupt = &stop, .on_progress = stops_look};
    struct qp_dense_desc elimination = {.interrupt = &stop};
    for (int i = 0; i < 4 * 3; i++) { /* written without one, read with it, read with another */
        const int kind = i / 3, k = i % 3;
        const enum qp_status wanted = k < 2 ? QP_OK : QP_BAD_INPUT;
        const double tolerance = k == 0 ? 0.0 : k == 1 ? 1e-5 : 1e-4;
        stops_start(k == 0);
        stop = k == 0 && kind == 2;
        poisson.tolerance = desc.tolerance = elimination.tolerance = tolerance;
        poisson.checkpoint = desc.checkpoint = elimination.checkpoint = k == 0 ? file : NULL;
        poisson.resume = desc.resume = elimination.resume = k == 0 ? NULL : file;
        assert_int_equal(kind == 0   ? qp_solve_poisson(NULL, &poisson, &one)
                         : kind == 1 ? qp_solve(NULL, &laplace, load, NULL, &desc, &one)
                         : kind == 2
                             ? qp_solve_dense(NULL, &laplace, load, 1, &elimination, &dense)
                             : qp_solve_system(NULL, &laplace, load, 1, NULL, &desc, &answer),
                         wanted);
        if (wanted != QP_OK)
            support_assert_sentence("whose tolerance is 1e-05, and here it is 0.0001");
        qp_solution_destroy(&one);
        qp_dense_solution_destroy(&dense);
        qp_answer_destroy(&answer);
    }
}

/* A variant that was renamed, or of a build with other variants. */
TEST(unknown_rows_fail)
{
    static const char *const names[] = {"", "jacobi9/openmp", "jacobi9/nobodys"};
    for (int k = 0; k < COUNT(names); k++) {
        struct qp_archive archive = {0};
        const struct qp_variant *variant = NULL;
        char name[128];
        strcpy(name, names[k]);
        qp_archive_text(&archive, name, sizeof name);
        archive.reads = true;
        qp_archive_variant(&archive, &variant);
        assert_int_equal(archive.failed, k == 2);
        assert_ptr_equal(variant, k == 1 ? qp_variant_find(names[k]) : NULL);
        free(archive.bytes);
    }
}

/* Files of one format go on in every build: hashes are SplitMix64's numbers, for no bytes the first
 * after a seed of 0 and of 1 (Steele, Lea and Flood 2014). */
TEST(hashes_stay_the_same)
{
    static const struct {
        uint64_t before;
        const char *bytes;
        uint64_t hash;
    } cases[] = {{0, "", 0xe220a8397b1dcdafu},
                 {1, "", 0x910a2dec89025cc1u},
                 {0, "Quadpass", 0x72c70b47632419acu}, /* a word, of the low byte first */
                 {7, "Quadpass 1.2", 0x48d43a7f551ffdd0u}};
    const uint32_t order = 1;
    for (int k = 0; k < (*(const char *)&order == 1 ? 4 : 2); k++) {
        if (qp_archive_hash(cases[k].before, cases[k].bytes, strlen(cases[k].bytes)) !=
            cases[k].hash)
            fail_msg("'%s' after %d", cases[k].bytes, (int)cases[k].before);
    }
}

/* A value of which the last byte is missing, an archive that is used up, and all after them. */
TEST(missing_bytes_fail)
{
    for (int missing = 0; missing < 3; missing++) {
        struct qp_archive archive = {0};
        double one = 1.5, two = 2.5, three = 3.5;
        qp_archive_double(&archive, &one);
        qp_archive_double(&archive, &two);
        archive.reads = true;
        archive.count -= missing == 1 ? 1 : 0;
        qp_archive_double(&archive, &three);
        assert_true(!archive.failed && three == 1.5);
        archive.place += missing == 2 ? 9 : 0;
        qp_archive_double(&archive, &three);
        assert_int_equal(archive.failed, missing > 0);
        assert_true(three == (missing > 0 ? 1.5 : 2.5));
        archive.place = 0;
        qp_archive_double(&archive, &two);
        assert_int_equal(archive.failed, missing > 0);
        assert_true(two == (missing > 0 ? 2.5 : 1.5));
        free(archive.bytes);
    }
}

/* An iterate in the middle of a walk, of floats, of doubles, and of a precision that there is
 * not. */
TEST(unknown_precisions_fail)
{
    for (int precision = -1; precision <= QP_PRECISIONS; precision++) {
        struct qp_archive archive = {0};
        struct qp_walked walked = {0};
        int step = 7, stored = precision;
        unsigned char bytes[6 * sizeof(double)] = {1, 2, 3};
        qp_archive_int(&archive, &step);
        qp_archive_int(&archive, &stored);
        qp_archive_bytes(&archive, bytes, sizeof bytes);
        archive.reads = true;
        qp_archive_walked(&archive, &walked, 3, 2);
        const bool known = precision >= 0 && precision < QP_PRECISIONS;
        assert_int_equal(archive.failed, !known);
        assert_int_equal(walked.x.width, known ? 3 : 0);
        if (known)
            assert_memory_equal(qp_matrix_values(&walked.x), bytes, 6 * sizeof(float));
        qp_matrix_destroy(&walked.x);
        free(archive.bytes);
    }
}

GROUP(prepare, clean_up)
