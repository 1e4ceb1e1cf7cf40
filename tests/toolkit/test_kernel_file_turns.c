/* SPDX-License-Identifier: MIT */
/* Kernel files in turn: what they say together, and wrong ones. */
#include <quadpass/kernel_file.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/files.h"
#include "support/kernel_text.h"
#include "support/shell.h"

static int go_to_folder(void **state)
{
    return make_folder(state) != 0 ? -1 : chdir(folder);
}

/* Arrays and numbers of a file, as text that is valid until the next call. */
static const char *told(const struct qp_kernel_file *file)
{
    static const char *const types[] = {"float", "half", "int", "uint", "double"};
    static char text[1024];
    int used = snprintf(text, sizeof text, "%s:", file->path);
    for (int k = 0; k < file->inputs; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %s %s %d outside %d %s,",
                         types[file->desc.input[k].type], file->array[k].name,
                         file->desc.input[k].channels, (int)file->array[k].outside,
                         file->array[k].from != NULL ? file->array[k].from : "-");
    for (int k = 0; file->number[k].name != NULL; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %s %g", file->number[k].name,
                         file->number[k].value[0]);
    snprintf(text + used, sizeof text - (size_t)used, " %dx%d", file->head.width,
             file->head.height);
    return text;
}

/* Lines lead on from the folder of their file; the first file says what counts, and has the numbers
 * of all. */
TEST(files_lead_on)
{
    static const char *const after[] = {
        "a.frag: float x 1 outside 1 ones, rate 0.5 step_number 0 w 1 4x2",
        "sub/b.frag: int p 2 outside 0 zeros, float x 1 outside 1 ones, rate 0.5 step_number 0 w 1 "
        "2x2",
        "sub/c.frag: float q 1 outside 2 -, int p 2 outside 0 zeros, rate 0.5 0x0"};
    static const char *const other[] = {
        "a.frag: float x 1 outside 2 ones, rate 0.25 step_number 0 w 7 5x5",
        "sub/b.frag: int p 2 outside 2 ones, float x 1 outside 2 ones, rate 0.25 step_number 0 w 7 "
        "2x2",
        "sub/c.frag: float q 1 outside 2 -, int p 2 outside 2 ones, rate 0.25 0x0"};
    struct qp_kernel_file *file, *at;
    struct qp_kernel_file_head head = {.arrays = 0};
    assert_int_equal(shell("mkdir sub"), 0);
    write_file("a.frag", "//@ outside clamp\n//@ set rate=0.5\n//@ size 4x2\n//@ then sub/b.frag\n"
                         "float kernel(vec2 here) { return rate * x_at(0.0, 0.0); }\n");
    write_file("sub/b.frag", "//@ state p\n//@ input p=zeros\n//@ input x=ones\n//@ then c.frag\n"
                             "//@ schedule w=1,2,3\n//@ size 2\n//@ steps 3\n//@ seed 4\n"
                             "//@ check b.c\nivec2 kernel(vec2 here) {\n"
                             "    return ivec2(w * x_at(0.0, 0.0) + step_number); }\n");
    write_file("sub/c.frag", "//@ state q\n//@ outside wrap\n//@ outside p=zero\n//@ set rate=2\n"
                             "//@ steps 9\nfloat kernel(vec2 here) {\n"
                             "    return rate * float(p_at(0.0, 0.0).x); }\n");
    assert_ok(qp_kernel_read("a.frag", &file));
    at = file;
    for (int k = 0; k < COUNT(after); k++, at = at->next)
        assert_string_equal(told(at), after[k]);
    assert_null(at);
    assert_int_equal(file->head.steps, 3);
    assert_int_equal(file->head.seed, 4);
    assert_string_equal(file->head.check, "sub/b.c");
    assert_ok(qp_kernel_file_say(&head, "set", "rate=0.25"));
    assert_ok(qp_kernel_file_say(&head, "schedule", "w=7,8"));
    assert_ok(qp_kernel_file_say(&head, "input", "p=ones"));
    assert_ok(qp_kernel_file_say(&head, "outside", "wrap"));
    assert_ok(qp_kernel_file_say(&head, "size", "5"));
    assert_ok(qp_kernel_file_override(file, &head));
    at = file;
    for (int k = 0; k < COUNT(other); k++, at = at->next)
        assert_string_equal(told(at), other[k]);
    qp_kernel_file_destroy(&file);
    assert_null(file);
}

/* A program puts files in turn by itself. */
TEST(programs_put_files_in_turn)
{
    struct qp_kernel_file *first, *next, *more;
    struct qp_kernel_file_head head = {.arrays = 0};
    write_file("d.frag", "float kernel(vec2 here) { return d + x_at(0.0, 0.0); }\n");
    write_file("e.frag", "//@ set d=3\nfloat kernel(vec2 here) { return d * x_at(0.0, 0.0); }\n");
    assert_ok(qp_kernel_read("d.frag", &first));
    for (int k = 1; k < QP_KERNEL_TURNS; k++) {
        assert_ok(qp_kernel_read("e.frag", &next));
        assert_ok(qp_kernel_file_then(first, &next));
        assert_null(next);
    }
    assert_string_equal(told(first), "d.frag: float x 1 outside 0 -, d 3 0x0");
    assert_ok(qp_kernel_read("e.frag", &more));
    assert_int_equal(qp_kernel_file_then(first, &more), QP_BAD_INPUT);
    assert_string_equal(qp_error(), "d.frag: a run takes 8 files in turn at most, and e.frag comes "
                                    "after them; do lines 'then' lead in a circle?");
    assert_non_null(more);
    qp_kernel_file_destroy(&more);
    assert_int_equal(qp_kernel_file_then(first, NULL), QP_BAD_USE);
    assert_int_equal(qp_kernel_file_then(NULL, &first), QP_BAD_USE);
    assert_ok(qp_kernel_file_say(&head, "set", "e=1"));
    assert_int_equal(qp_kernel_file_override(first, &head), QP_BAD_USE);
    assert_non_null(strstr(qp_error(), "set e: the shader reads no 'e'"));
    qp_kernel_file_destroy(&first);
}

TEST(wrong_files)
{
    static const char *const files[][2] = {
        {"//@ then w.frag", "w.frag: a run takes 8 files in turn at most, and w.frag comes after"},
        {"//@ then", "w.frag:1: then is given no value"},
        {"//@ then heat.c", "w.frag:1: then takes a kernel file, such as b.frag, not 'heat.c'"},
        {"//@ then d.frag\n//@ then d.frag", "w.frag:2: then is given twice"},
        {"//@ then gone.frag",
         "w.frag, then: cannot read the shader gone.frag: No such file or directory"},
        {"//@ then int.frag", "int.frag: another file in turn writes x with another type"},
        {"//@ then d.frag\n//@ schedule d=1,2", ""},
        {"//@ then e.frag\n//@ schedule d=1,2", "w.frag, in turn: schedule d: it is set, too"},
        {"//@ then bad.frag", "bad.frag:1: 'stteps' is no word of a kernel file"}};
    struct qp_kernel_file *file;
    faults = 0;
    write_file("int.frag", "int kernel(vec2 here) { return x_at(0.0, 0.0); }\n");
    write_file("bad.frag", "//@ stteps 1\nint kernel(vec2 here) { return x_at(0.0, 0.0); }\n");
    for (int i = 0; i < COUNT(files); i++) {
        char text[256];
        snprintf(text, sizeof text, "%s\nfloat kernel(vec2 here) { return x_at(d, 0.0); }\n",
                 files[i][0]);
        write_file("w.frag", text);
        const enum qp_status status = qp_kernel_read("w.frag", &file);
        const bool good = files[i][1][0] == '\0';
        if (status != (good ? QP_OK : QP_BAD_INPUT) || (file != NULL) != good ||
            (!good && strstr(qp_error(), files[i][1]) == NULL))
            fault("%s: %d %s\n", files[i][0], (int)status, qp_error());
        qp_kernel_file_destroy(&file);
    }
    assert_int_equal(faults, 0);
}

/* Counts, places and kinds that a caller has filled in wrong are refused before they are read. */
TEST(heads_out_of_range)
{
    static struct qp_kernel_file_head heads[] = {
        {.numbers = 1000},
        {.arrays = -1},
        {.schedules = 1, .schedule = {{"c", 1000000, 1}}},
        {.schedules = 1, .schedule = {{"c", QP_KERNEL_SCHEDULED - 1, 2}}},
        {.numbers = 1, .number = {{"c", 1000, {0.0}}}},
        {.arrays = 1, .array = {{.name = "x", .made = (enum qp_kernel_file_origin)99}}},
        {.scheduled_values = 100000},
        {.states = 99},
        {.blend = (enum qp_pass_blend)99},
        {.outside = (enum qp_outside)99}};
    for (int k = 0; k < COUNT(heads); k++) {
        struct qp_kernel_file *file = kernel_text_read(
            "//@ set c=1\nfloat kernel(vec2 here) { return c * x_at(0.0, 0.0); }\n");
        assert_non_null(file);
        assert_int_equal(qp_kernel_file_override(file, &heads[k]), QP_BAD_USE);
        support_assert_sentence("out of its range");
        assert_int_equal(qp_kernel_file_say(&heads[k], "steps", "3"), QP_BAD_USE);
        qp_kernel_file_destroy(&file);
    }
}

GROUP(go_to_folder, remove_folder)
