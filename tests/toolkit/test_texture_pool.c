/* SPDX-License-Identifier: MIT */
/* Textures that a context keeps for arrays to come: which, how many, and that loops do not grow. */
#include "support/support.h"

#include <stdio.h>

#include "toolkit/arrays/array.h"
#include "toolkit/gl/context/context.h"

static struct qp_array *make(struct qp_context *context, int width, int height, int channels)
{
    const struct qp_array_desc desc = {.width = width, .height = height, .channels = channels};
    struct qp_array *array;
    assert_ok(qp_array_create(context, &desc, NULL, &array));
    return array;
}

static void make_and_destroy(struct qp_context *context, int width, int height, int channels)
{
    struct qp_array *array = make(context, width, height, channels);
    qp_array_destroy(&array);
}

/* Programs, and two for each texture on the pool. */
static size_t objects_kept(const struct qp_context *context)
{
    return qp_context_counters(context).kept_objects;
}

CLEAN_TEST(equal_arrays_take_turns)
{
    struct qp_context *context = support_need_context(state);
    qp_texture_pool_clear(context);
    const size_t before = objects_kept(context);
    struct qp_array *array = make(context, 5, 3, 1);
    const unsigned name = qp_array_texture(array).name;
    assert_int_equal(qp_context_counters(context).live_objects, 2);
    qp_array_destroy(&array);
    assert_int_equal(qp_context_counters(context).live_objects, 0);
    assert_int_equal(objects_kept(context), before + 2);
    array = make(context, 5, 3, 4);
    assert_int_not_equal(qp_array_texture(array).name, name);
    qp_array_destroy(&array);
    assert_int_equal(objects_kept(context), before + 4);
    array = make(context, 5, 3, 1);
    assert_int_equal(qp_array_texture(array).name, name);
    assert_int_equal(objects_kept(context), before + 2);
    assert_int_equal(qp_context_counters(context).live_objects, 2);
    qp_array_destroy(&array);
    assert_true(qp_texture_pool_clear(context));
    assert_false(qp_texture_pool_clear(context));
    assert_int_equal(objects_kept(context), before);
}

CLEAN_TEST(the_oldest_are_deleted)
{
    struct qp_context *context = support_need_context(state);
    qp_texture_pool_clear(context);
    const size_t before = objects_kept(context);
    for (int width = 1; width <= QP_POOL_TEXTURES + 3; width++)
        make_and_destroy(context, width, 1, 1);
    assert_int_equal(objects_kept(context), before + 2 * QP_POOL_TEXTURES);
    for (int width = 1; width <= 4; width++) {
        struct qp_array *array = make(context, width, 1, 1);
        const bool taken = objects_kept(context) < before + 2 * QP_POOL_TEXTURES;
        assert_int_equal(taken, width == 4);
        qp_array_destroy(&array);
        qp_texture_pool_clear(context);
        for (int again = 4; again <= QP_POOL_TEXTURES + 3; again++)
            make_and_destroy(context, again, 1, 1);
    }
    qp_texture_pool_clear(context);
}

static float border_of(const struct qp_array *array)
{
    GLfloat border[4];
    glBindTexture(GL_TEXTURE_RECTANGLE_ARB, array->storage->texture.id);
    glGetTexParameterfv(GL_TEXTURE_RECTANGLE_ARB, GL_TEXTURE_BORDER_COLOR, border);
    return border[0];
}

/* A texture's outside is set only where that is another one, or where its name was shown. */
CLEAN_TEST(outsides_are_new)
{
    static const float values[] = {5.0f, 5.0f, 7.0f, 0.0f, 5.0f};
    struct qp_context *context = support_need_context(state);
    qp_texture_pool_clear(context);
    for (int i = 0; i < 2 * COUNT(values); i++) {
        const struct qp_array_desc desc = {
            .width = 9, .height = 3, .outside = QP_OUTSIDE_VALUE, .value = values[i / 2]};
        const GLfloat other[4] = {-1.0f};
        struct qp_array *array;
        assert_ok(qp_array_create(context, &desc, NULL, &array));
        assert_float_equal(border_of(array), values[i / 2], 0.0);
        if (i % 2 == 0) {
            glBindTexture(GL_TEXTURE_RECTANGLE_ARB, qp_array_texture(array).name);
            glTexParameterfv(GL_TEXTURE_RECTANGLE_ARB, GL_TEXTURE_BORDER_COLOR, other);
        }
        qp_array_destroy(&array);
    }
    assert_true(qp_texture_pool_clear(context));
}

/* Four of 64 MiB are kept, one of 256 MiB alone, and one above all limits not at all. */
CLEAN_TEST(bytes_are_limited)
{
    static const int sizes[][3] = {
        {2048, 2048, 4}, {1024, 4096, 4}, {4096, 1024, 4}, {2048, 4096, 2}, {4096, 4096, 1}};
    struct qp_context *context = support_need_context(state);
    qp_texture_pool_clear(context);
    const size_t before = objects_kept(context);
    if (qp_gl_memory_there(context) < 4.0 * 256.0 * 1048576)
        skip();
    for (int i = 0; i < COUNT(sizes); i++)
        make_and_destroy(context, sizes[i][0], sizes[i][1], sizes[i][2]);
    assert_int_equal(objects_kept(context), before + 2 * 4);
    make_and_destroy(context, 4096, 4096 + 1, 4);
    assert_int_equal(objects_kept(context), before + 2 * 4);
    make_and_destroy(context, 4096, 4096, 4);
    assert_int_equal(objects_kept(context), before + 2);
    qp_texture_pool_clear(context);
}

static long resident_pages(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    if (file != NULL)
        fclose(file);
    return resident;
}

CLEAN_TEST(loops_do_not_grow)
{
    enum { CYCLES = 20000, WARM = 2000, MOST_PAGES = 256 };
    struct qp_context *context = support_need_context(state);
    long before = 0;
    for (int i = 0; i < CYCLES; i++) {
        if (i == WARM)
            before = resident_pages();
        make_and_destroy(context, 16, 16, 1 + i % 2);
    }
#ifndef QP_DEBUG /* sanitizers keep what was freed, and report leaks themselves */
    assert_in_range(resident_pages(), 0, before + MOST_PAGES);
#endif
    assert_true(before > 0);
    qp_texture_pool_clear(context);
}

/* Objects that a program has not destroyed are unknown after their context, which freed them. */
CLEAN_TEST(contexts_take_arrays_with_them)
{
    struct qp_context *first = support_need_context(state), *second;
    struct qp_array *left[3], *view;
    struct qp_download *download;
    float value;
    assert_ok(qp_context_create(NULL, &second));
    for (int i = 0; i < 3; i++)
        left[i] = make(second, 4 + i, 3, 1);
    assert_ok(qp_array_view(left[1], NULL, &view));
    assert_ok(qp_array_ask(left[2], NULL, &download));
    qp_array_destroy(&left[0]);
    struct qp_array *mine = make(first, 2, 2, 1);
    qp_context_destroy(&second);
    assert_int_equal(qp_array_read(left[1], NULL, &value, 0), QP_BAD_USE);
    support_assert_sentence("'array' is not an array that lives");
    assert_true(qp_download_poll(download));
    assert_int_equal(qp_download_take(&download, &value, 0), QP_BAD_USE);
    assert_int_equal(qp_array_describe(view).width, 0);
    qp_array_destroy(&left[1]);
    assert_null(left[1]);
    assert_int_equal(qp_array_describe(mine).width, 2);
    qp_array_destroy(&mine);
}

GROUP(support_open_context, support_close_context)
