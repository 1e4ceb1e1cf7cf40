/* SPDX-License-Identifier: MIT */
/* The table of objects that live, against a list of what should be in it; no OpenGL is needed here. */
#include "support/support.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/random.h"
#include "gl/context.h"
#include "toolkit/objects.h"

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

static void knows_what_lives(void **state)
{
    uint64_t seed = 5;
    (void)state;
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
static void a_context_abandons_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < OBJECTS; i++)
        bear(&objects[i], i % 7 % CONTEXTS);
    for (int c = 0; c < CONTEXTS; c++) {
        assert_ptr_equal(contexts[c].abandon_objects, qp_objects_forget);
        contexts[c].abandon_objects(&contexts[c]);
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

static void threads_share_the_table(void **state)
{
    pthread_t threads[THREADS];
    (void)state;
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

static void sentences(void **state)
{
    int other;
    (void)state;
    assert_null(qp_object_context(NULL, QP_OBJECT_KERNEL, "kernel"));
    support_assert_sentence("'kernel' is NULL, and a kernel is needed");
    assert_null(qp_object_context(&other, QP_OBJECT_ARRAY, "input"));
    support_assert_sentence("'input' is not an array that lives");
}

static void knows_which_is_older(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_which_is_older),
        cmocka_unit_test(knows_what_lives),
        cmocka_unit_test(a_context_abandons_its_own),
        cmocka_unit_test(threads_share_the_table),
        cmocka_unit_test(sentences),
    };
    return cmocka_run_group_tests_name("objects", tests, NULL, NULL);
}
