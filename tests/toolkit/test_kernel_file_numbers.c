/* SPDX-License-Identifier: MIT */
/* Numbers of kernel files that change by step: step_number, step_count and schedules. */
#include <quadpass/kernel_file.h>

#include <stdio.h>
#include <string.h>

#include "support/files.h"
#include "support/kernel_text.h"
#include "support/support.h"

/* Names of a file's numbers with their values in a step. */
static const char *told(const struct qp_kernel_file *file, int step, int steps)
{
    static char text[1024];
    struct qp_pass_number number[QP_KERNEL_NUMBERS + 1];
    int used = 0;
    memcpy(number, file->number, sizeof number);
    qp_kernel_file_step(file, step, steps, number);
    text[0] = '\0';
    for (int k = 0; number[k].name != NULL; k++) {
        assert_string_equal(number[k].name, file->desc.number[k].name);
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %g;", number[k].name,
                         number[k].value[0]);
    }
    return text;
}

TEST(steps_have_numbers)
{
    static const char *const texts[][3] = {
        {"//@ schedule a=1,2,4\nfloat kernel(vec2 here) { return a; }", "a 1;", "a 4;"},
        {"//@ schedule a=5,6\n//@ set b=7\nfloat kernel(vec2 here) { return a * b * step_count + "
         "step_number; }",
         "b 7;step_number 0;step_count 1;a 5;", "b 7;step_number 2;step_count 9;a 6;"},
        {"//@ schedule b=1,2,3\n//@ schedule a=4,5,6\nfloat kernel(vec2 here) { return a + b; }",
         "b 1;a 4;", "b 3;a 6;"},
        {"//@ set step_number=3\nfloat kernel(vec2 here) { return step_number; }", "step_number 3;",
         "step_number 3;"},
        {"//@ schedule step_count=3\nfloat kernel(vec2 here) { return step_count; }",
         "step_count 3;", "step_count 3;"},
        {"float kernel(vec2 here) { float step_number = 1.0; return step_number; }", "", ""},
        {"#define S step_number\nfloat kernel(vec2 here) { return S; }", "step_number 0;",
         "step_number 2;"},
        {"uniform float step_number, step_count;\nvoid main() {}", "step_number 0;step_count 1;",
         "step_number 2;step_count 9;"},
        {"uniform int step_number;\nuniform float step_count[2];\nvoid main() {}", "", ""},
        {"void main() { float step_number = 1.0; }", "", ""},
        {"//@ schedule a=1,2\nuniform int a;\nvoid main() {}", "a 1;", "a 2;"}};
    faults = 0;
    for (int i = 0; i < COUNT(texts); i++) {
        struct qp_kernel_file *file = kernel_text_read(texts[i][0]);
        if (file == NULL || strcmp(told(file, 0, 1), texts[i][1]) != 0 ||
            strcmp(told(file, 2, 9), texts[i][2]) != 0)
            fault("%s: %s\n", texts[i][0], file != NULL ? told(file, 2, 9) : qp_error());
        qp_kernel_file_destroy(&file);
    }
    qp_kernel_file_step(NULL, 0, 1, NULL);
    assert_int_equal(faults, 0);
}

/* Other schedules of a name replace it where it is. */
TEST(another_head_schedules)
{
    static const char *const lines[] = {"b=7", "c=1,2", "a=8,9,10,11", "b=5,6"};
    static const char *const after[] = {"a 3;b 7;", "a 3;b 7;c 2;", "a 10;b 7;c 2;",
                                        "a 10;b 6;c 2;"};
    struct qp_kernel_file *file = kernel_text_read(
        "//@ schedule a=1,2,3\n//@ schedule b=4,5\nfloat kernel(vec2 here) { return a + b + c; }");
    assert_non_null(file);
    for (int i = 0; i < COUNT(lines); i++) {
        struct qp_kernel_file_head head = {.arrays = 0};
        assert_ok(qp_kernel_file_say(&head, "schedule", lines[i]));
        assert_ok(qp_kernel_file_override(file, &head));
        assert_string_equal(told(file, 2, 9), i > 0 ? after[i] : "a 3;b 7;");
    }
    assert_int_equal(file->head.scheduled_values, 8);
    struct qp_kernel_file_head head = {.arrays = 0};
    assert_ok(qp_kernel_file_say(&head, "schedule", "d=1"));
    assert_int_equal(qp_kernel_file_override(file, &head), QP_BAD_USE);
    assert_string_equal(qp_error(), "schedule d: the shader reads no 'd'");
    qp_kernel_file_destroy(&file);
}

/* The pool of all schedules, and the names of a kernel, are limited. */
TEST(too_much)
{
    static char list[4 * QP_KERNEL_SCHEDULED];
    struct qp_kernel_file_head head = {.arrays = 0};
    strcpy(list, "a=0");
    for (int k = 2; k < QP_KERNEL_SCHEDULED; k++)
        strcat(list, ",0");
    assert_ok(qp_kernel_file_say(&head, "schedule", list));
    assert_ok(qp_kernel_file_say(&head, "schedule", "b=1"));
    assert_int_equal(qp_kernel_file_say(&head, "schedule", "c=1"), QP_BAD_INPUT);
    assert_string_equal(qp_error(), "schedule c: all schedules have 1024 values at most");
    head = (struct qp_kernel_file_head){.arrays = 0};
    for (int k = 0; k < QP_KERNEL_NUMBERS; k++) {
        char name[16];
        snprintf(name, sizeof name, "n%d=1", k);
        assert_ok(qp_kernel_file_say(&head, "schedule", name));
    }
    assert_int_equal(qp_kernel_file_say(&head, "schedule", "c=1"), QP_BAD_INPUT);
    assert_string_equal(qp_error(), "schedule: a kernel has 16 numbers at most");
    struct qp_kernel_file *file = kernel_text_read(
        "float kernel(vec2 here) { return n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7 + n8 + n9 + n10 + "
        "n11 + n12 + n13 + n14 + n15 + step_number; }");
    assert_int_equal(qp_kernel_file_override(file, &head), QP_BAD_USE);
    assert_string_equal(qp_error(), "schedule n15: a shader reads at most 16 numbers");
    qp_kernel_file_destroy(&file);
}

/* Numbers have the kernel's type, and so has a value outside. */
TEST(types)
{
    static const struct {
        const char *text;
        enum qp_number_type type;
        int elements;
        double value, outside;
    } files[] = {
        {"//@ set a=0.1\n//@ outside 1e300\ndouble kernel(vec2 here) { return a * x_at(0, 0); }",
         QP_NUMBER_DOUBLE, 0, 0.1, 1e300},
        {"//@ set a=0.1,1e300\ndouble kernel(vec2 here) { return a.x * x_at(0, 0); }",
         QP_NUMBER_DVEC2, 0, 0.1, 0.0},
        {"//@ set a=1,2,3,4,5\ndouble kernel(vec2 here) { return a[1] * x_at(0, 0); }",
         QP_NUMBER_DOUBLE, 5, 1.0, 0.0},
        {"//@ schedule a=0.1,2\ndouble kernel(vec2 here) { return a * x_at(0, 0); }",
         QP_NUMBER_DOUBLE, 0, 0.1, 0.0},
        {"//@ set a=0.1\n//@ outside -0.0\nfloat kernel(vec2 here) { return a * x_at(0, 0); }",
         QP_NUMBER_FLOAT, 0, 0.1, -0.0},
        {"//@ set a=0.5\n//@ outside 0.75\nint kernel(vec2 here) { return int(a * 4.0); }",
         QP_NUMBER_FLOAT, 0, 0.5, 1.0},
        {"//@ set a=16777217\n//@ outside -2147483648\nint kernel(vec2 here) { return int(a); }",
         QP_NUMBER_INT, 0, 16777217.0, -2147483648.0},
        {"//@ set a=4294967295\n//@ outside 2.5\nuint kernel(vec2 here) { return uint(a); }",
         QP_NUMBER_UINT, 0, 4294967295.0, 2.0},
        {"//@ schedule a=1,16777217\nint kernel(vec2 here) { return int(a); }", QP_NUMBER_INT, 0,
         1.0, 0.0}};
    for (int i = 0; i < COUNT(files); i++) {
        struct qp_kernel_file *file = kernel_text_read(files[i].text);
        assert_non_null(file);
        const struct qp_kernel_number *number = &file->desc.number[0];
        const double outside = file->array[0].outside_value;
        assert_true(number->type == files[i].type && number->elements == files[i].elements);
        assert_true(file->number[0].value[0] == files[i].value);
        assert_memory_equal(&outside, &files[i].outside, sizeof outside);
        qp_kernel_file_destroy(&file);
    }
}

GROUP(kernel_text_open, kernel_text_close)
