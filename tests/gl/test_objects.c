/* SPDX-License-Identifier: MIT */
/* The table of objects that live, against a list of what should be in it; and contexts in it, which
 * alone need OpenGL. */
#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "toolkit/base/random.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/objects.h"

enum { OBJECTS = 3000, CONTEXTS = 3, ROUNDS = 40000, THREADS = 4 };

static struct object {
    bool lives;
    int abandoned;
    struct qp_context *context;
} objects[OBJECTS];

static struct qp_context contexts[CONTEXTS];

static void abandon(void *object)
{
    ((struct object *)object)->abandoned++;
}

static enum qp_object_kind kind_of(const struct object *object)
{
    return (enum qp_object_kind)((object - objects) % QP_OBJECT_KINDS);
}

static void bear(struct object *object, int context)
{
    assert_ok(qp_object_born(object, kind_of(object), &contexts[context], abandon));
    *object = (struct object){.lives = true, .context = &contexts[context]};
}

/* Each object is known with its context, as what it is, if it lives. */
static void table_is_right(void)
{
    for (int i = 0; i < OBJECTS; i++) {
        struct qp_context *found = qp_object_context(&objects[i], kind_of(&objects[i]), "x");
        assert_ptr_equal(found, objects[i].lives ? objects[i].context : NULL);
        const enum qp_object_kind other = (kind_of(&objects[i]) + 1) % QP_OBJECT_KINDS;
        assert_null(qp_object_context(&objects[i], other, "x"));
    }
}

TEST(knows_what_lives)
{
    uint64_t seed = 5;
    for (int round = 0; round < ROUNDS; round++) {
        struct object *object = &objects[(int)qp_random(&seed, 0.0, OBJECTS)];
        if (object->lives) {
            qp_object_gone(object);
            object->lives = false;
        } else if (round < ROUNDS / 2 || round % 8 == 0) {
            bear(object, (int)qp_random(&seed, 0.0, CONTEXTS));
        }
        if (round % (ROUNDS / 8) == 0)
            table_is_right();
    }
    qp_object_gone(&seed);
    table_is_right();
    for (int i = 0; i < OBJECTS; i++) {
        if (objects[i].lives)
            qp_object_gone(&objects[i]);
        objects[i].lives = false;
    }
    table_is_right();
}

/* A context that ends takes its own objects with it, each once. */
TEST(a_context_abandons_its_own)
{
    for (int i = 0; i < OBJECTS; i++)
        bear(&objects[i], i % 7 % CONTEXTS);
    for (int c = 0; c < CONTEXTS; c++) {
        qp_objects_forget(&contexts[c]);
        for (int i = 0; i < OBJECTS; i++) {
            objects[i].lives = objects[i].lives && objects[i].context != &contexts[c];
            assert_int_equal(objects[i].abandoned, !objects[i].lives);
        }
        table_is_right();
    }
}

/* Each thread has a part of the objects. */
static void *be_busy(void *first)
{
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < OBJECTS / THREADS; i++) {
            struct object *object = (struct object *)first + i;
            if (qp_object_born(object, QP_OBJECT_ARRAY, &contexts[0], abandon) != QP_OK ||
                qp_object_context(object, QP_OBJECT_ARRAY, "x") != &contexts[0])
                return (void *)"an object that was born is not known";
            if (i % 3 != 0)
                qp_object_gone(object);
        }
        for (int i = 0; i < OBJECTS / THREADS; i += 3)
            qp_object_gone((struct object *)first + i);
    }
    return NULL;
}

TEST(threads_share_the_table)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < OBJECTS; i++)
        objects[i] = (struct object){0};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, be_busy, &objects[i * (OBJECTS / THREADS)]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *trouble;
        pthread_join(threads[i], &trouble);
        if (trouble != NULL)
            fail_msg("%s", (const char *)trouble);
    }
    table_is_right();
}

TEST(sentences)
{
    int other;
    assert_null(qp_object_context(NULL, QP_OBJECT_KERNEL, "kernel"));
    support_assert_sentence("'kernel' is NULL, and a kernel is needed");
    assert_null(qp_object_context(&other, QP_OBJECT_ARRAY, "input"));
    support_assert_sentence("'input' is not an array that lives");
    static const char *const names[QP_OBJECT_KINDS] = {
        "a context",      "an array",    "a kernel", "a list", "a download",
        "a texture pool", "a reduction", "a mask",   "a depth"};
    for (int kind = 0; kind < QP_OBJECT_KINDS; kind++) {
        char sentence[160];
        struct object *object = &objects[kind]; /* kind_of says that kind */
        snprintf(sentence, sizeof sentence,
                 "'it' is not %s that lives: it was destroyed,%s or it is something else",
                 names[kind], kind == 0 ? "" : " or its context was,");
        assert_int_equal(qp_object_check(&other, kind_of(object), NULL, "it"), QP_BAD_USE);
        assert_string_equal(qp_error(), sentence);
        bear(object, 0);
        assert_ok(qp_object_check(object, kind_of(object), NULL, "it"));
        assert_ok(qp_object_check(object, kind_of(object), &contexts[0], "it"));
        snprintf(sentence, sizeof sentence, "'it' is %s of another context", names[kind]);
        assert_int_equal(qp_object_check(object, kind_of(object), &contexts[1], "it"), QP_BAD_USE);
        assert_string_equal(qp_error(), sentence);
        assert_true(qp_object_gone(object));
        assert_false(qp_object_gone(object));
        object->lives = false;
    }
}

TEST(knows_which_is_older)
{
    assert_false(qp_object_is_older(&objects[0], &objects[1]));
    bear(&objects[0], 0);
    bear(&objects[1], 0);
    assert_true(qp_object_is_older(&objects[0], &objects[1]));
    assert_false(qp_object_is_older(&objects[1], &objects[0]));
    assert_false(qp_object_is_older(&objects[0], &objects[0]));
    qp_object_gone(&objects[0]);
    assert_false(qp_object_is_older(&objects[0], &objects[1]));
    bear(&objects[0], 0);
    assert_true(qp_object_is_older(&objects[1], &objects[0]));
    qp_object_gone(&objects[0]);
    assert_false(qp_object_is_older(&objects[1], &objects[0]));
    qp_object_gone(&objects[1]);
    objects[0].lives = objects[1].lives = false;
}

/* ---- Contexts ---- */

static struct qp_context *open_own(void **state)
{
    struct qp_context *context = NULL;
    support_need_context(state);
    assert_ok(qp_context_create(NULL, &context));
    return context;
}

static void is_refused(enum qp_status status)
{
    assert_int_equal(status, QP_BAD_USE);
    support_assert_sentence("'context' is not a context that lives: it was destroyed");
    assert_int_equal(QP_BAD_INPUT, qp_fail(QP_BAD_INPUT, "another sentence"));
}

static void refuse_toolkit(struct qp_context *dead)
{
    const struct qp_array_desc cells = {.width = 2, .height = 2};
    struct qp_array *array;
    struct qp_kernel *kernel;
    struct qp_mask *mask;
    struct qp_depth *depth;
    struct qp_reduction *reduction;
    is_refused(qp_array_create(dead, &cells, NULL, &array));
    is_refused(qp_array_read_market(dead, "data/west0067.mtx", &array));
    is_refused(qp_array_adopt(dead, 1, GL_TEXTURE_RECTANGLE_ARB, &array));
    is_refused(qp_kernel_create(
        dead, &(struct qp_kernel_desc){.body = "float kernel(vec2 here) { return 1.0; }"},
        &kernel));
    is_refused(qp_mask_create(dead, 2, 2, &mask));
    is_refused(qp_depth_create(dead, 2, 2, QP_DEPTH_NEAREST, &depth));
    is_refused(qp_reduction_create(dead, &(struct qp_reduction_desc){.of = cells}, &reduction));
    is_refused(qp_context_finish(dead));
}

static void refuse_rows(struct qp_context *dead)
{
    const struct qp_variant *variant = qp_variant_find("jacobi9/luminance");
    struct qp_problem problem, *const problems[] = {&problem};
    struct qp_market a = support_random_dense(3, 1);
    struct qp_result result;
    struct qp_record record;
    struct qp_tally tally;
    struct qp_spoil_result spoiled;
    struct qp_solution solution;
    struct qp_dense_solution dense;
    struct qp_answer answer;
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 3, .height = 3}, &problem));
    is_refused(qp_walk(dead, variant, &problem, NULL, &result));
    is_refused(qp_bench(dead, &variant, problems, 1, NULL, &record));
    is_refused(qp_check(dead, &variant, 1, &(struct qp_check_desc){0}, &tally));
    is_refused(qp_spoil(dead, variant, &problem, NULL, &spoiled));
    is_refused(qp_solve(dead, &a, NULL, NULL, NULL, &solution));
    is_refused(qp_solve_dense(dead, &a, NULL, 1, NULL, &dense));
    is_refused(qp_invert(dead, &a, NULL, &dense));
    is_refused(qp_solve_system(dead, &a, NULL, 1, NULL, NULL, &answer));
    is_refused(
        qp_solve_poisson(dead, &(struct qp_poisson_desc){.width = 3, .height = 3}, &solution));
    if (support_has_cuda())
        is_refused(qp_cuda_use(dead, NULL));
    qp_market_destroy(&a);
    qp_problem_destroy(&problem);
}

/* A second pointer to a context that was destroyed is refused by all that take one, and destroying
 * it changes nothing. */
CLEAN_TEST(destroyed_contexts_are_refused)
{
    struct qp_context *context = open_own(state), *const dead = context, *again = context;
    assert_non_null(qp_context_device(dead));
    qp_context_destroy(&context);
    refuse_toolkit(dead);
    refuse_rows(dead);
    assert_null(qp_context_device(dead));
    support_assert_sentence("'context' is not a context that lives");
    assert_int_equal(qp_context_counters(dead).passes, 0);
    assert_false(qp_context_is_lost(dead));
    assert_ptr_equal(qp_solve_preference(dead), qp_solve_preference(NULL));
    assert_ptr_equal(qp_dense_preference(dead), qp_dense_preference(NULL));
    qp_context_destroy(&again);
    assert_null(again);
    assert_ok(qp_context_finish(*state));
}

static void *destroy_it(void *context)
{
    struct qp_context *own = context;
    qp_context_destroy(&own);
    return NULL;
}

/* Only one of the threads destroys it. */
CLEAN_TEST(threads_destroy_it_once)
{
    pthread_t threads[THREADS];
    struct qp_context *context = open_own(state);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, destroy_it, context), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_null(qp_context_device(context));
}

/* A context ends with objects of its own, though another one was current, whose objects have the
 * same names. */
CLEAN_TEST(a_context_ends_alone)
{
    const struct qp_array_desc desc = {.width = 3, .height = 2};
    struct qp_context *stays = NULL, *ends = NULL;
    struct qp_array *kept, *lost;
    float got[6];
    support_need_context(state);
    assert_ok(qp_context_create(NULL, &stays));
    assert_ok(qp_context_create(NULL, &ends));
    assert_ok(qp_array_create(ends, &desc, NULL, &lost));
    assert_ok(qp_array_create(stays, &desc, NULL, &kept));
    assert_ok(qp_array_fill(kept, NULL, 7.0));
    qp_context_destroy(&ends);
    assert_ok(qp_array_read(kept, NULL, got, 0));
    for (int i = 0; i < 6; i++)
        assert_true(got[i] == 7.0f);
    qp_array_destroy(&lost);
    qp_array_destroy(&kept);
    assert_int_equal(qp_context_counters(stays).live_objects, 0);
    qp_context_destroy(&stays);
    assert_ok(qp_context_enter(*state));
}

GROUP(support_open_context, support_close_context)
