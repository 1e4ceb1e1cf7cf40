/* SPDX-License-Identifier: MIT */
/* The words of a kernel file's head, and what each takes. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "toolkit/base/caller.h"
#include "toolkit/base/expression.h"
#include "toolkit/base/nearest.h"
#include "toolkit/base/text.h"
#include "toolkit/kernel_file/kernel_file.h"

#define BLANKS " \t"

/* ---- Sentences ---- */

static enum qp_status refuse_near(const char *word, const char *takes, const char *value,
                                  const char *const names[], int count)
{
    const char *near = qp_nearest(value, names, count);
    return qp_fail(QP_BAD_INPUT, "%s takes %s, not '%s'%s%s%s", word, takes, value,
                   near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                   near != NULL ? "'?" : "");
}

static enum qp_status refuse(const char *word, const char *takes, const char *value)
{
    return refuse_near(word, takes, value, NULL, 0);
}

/* The sentence for a name, or with "" for the word. */
static enum qp_status twice(const char *word, const char *name)
{
    return qp_fail(QP_BAD_INPUT, "%s is given twice%s%s%s", word, name[0] != '\0' ? " for '" : "",
                   name, name[0] != '\0' ? "'" : "");
}

static enum qp_status too_many(const char *word, const char *things, int most)
{
    return qp_fail(QP_BAD_INPUT, "%s: a kernel has %d %s at most", word, most, things);
}

/* ---- Values ---- */

/* Finite numbers with commas between them; 0 for a text that is none or holds more than `most`. */
static int read_numbers(const char *text, double *values, int most)
{
    for (int count = 0; count < most; text++) {
        char *end;
        values[count] = strtod(text, &end);
        if (end == text || !isfinite(values[count++]))
            return 0;
        if (*end == '\0')
            return count;
        if (*end != ',')
            return 0;
        text = end;
    }
    return 0;
}

/* A whole number from `least` to INT_MAX before the character `end`, after which *text then is; -1
 * for none. */
static int read_whole(const char **text, int least, char end)
{
    char *after;
    errno = 0;
    const long value = strtol(*text, &after, 10);
    if (after == *text || *after != end || errno != 0 || value < least || value > INT_MAX)
        return -1;
    *text = after + 1;
    return (int)value;
}

/* Takes a name off a text, up to a character of `ends`; false if there is none, or nothing after
 * it. */
static bool take_name(const char **text, const char *ends, char name[QP_KERNEL_LETTERS])
{
    size_t length = 0;
    while (qp_is_letter((*text)[length]))
        length++;
    if (length == 0 || length >= QP_KERNEL_LETTERS || isdigit((unsigned char)**text) ||
        (*text)[length] == '\0' || strchr(ends, (*text)[length]) == NULL ||
        (*text)[length + 1] == '\0')
        return false;
    snprintf(name, QP_KERNEL_LETTERS, "%.*s", (int)length, *text);
    *text += length + 1;
    return true;
}

/* ---- Words ---- */

/* True for a name with an ending, of a format that is read or not, and for one of a device or pipe.
 */
static bool is_file(const char *name)
{
    const char *end = strrchr(name, '.');
    return name[0] == '/' || strcmp(name, "-") == 0 ||
           (end != NULL && isalpha((unsigned char)end[1]) && end[strcspn(end, ")*/+- ")] == '\0');
}

static enum qp_status say_input(struct qp_kernel_file_head *head, const char *value)
{
    static const char *const origins[] = {"zeros", "ones", "random", "gradient", "impulse"};
    char name[QP_KERNEL_LETTERS];
    const char *from = value;
    struct qp_expression expression;
    if (!take_name(&from, "=", name))
        return refuse("input", "NAME=FILE, such as x=start.mtx or x=random", value);
    const int k = qp_text_place(origins, 5, from);
    const bool file = k == 5 && is_file(from);
    if (k == 5 && !file && from[0] != '(')
        return refuse_near("input",
                           "zeros, ones, random, gradient, impulse, an expression in brackets or "
                           "a .mtx, .npy or .png file",
                           from, origins, 5);
    if (k == 5 && !file && qp_expression_read(from, &expression) != QP_OK)
        return qp_fail_within(QP_BAD_INPUT, "input %s", value);
    struct qp_kernel_file_array *array = qp_kernel_file_array(head, name, true);
    if (array == NULL)
        return too_many("input", "arrays", QP_KERNEL_INPUTS);
    if (array->from != NULL)
        return twice("input", name);
    array->from = from;
    array->made = file ? QP_MADE_NOT : (enum qp_kernel_file_origin)(QP_MADE_ZEROS + k);
    return QP_OK;
}

static enum qp_status read_outside(const char *text, enum qp_outside *outside, double *value)
{
    static const char *const names[] = {"zero", "clamp", "wrap"};
    const bool number = read_numbers(text, value, 1) != 0; /* 0 for a word */
    const int k = qp_text_place(names, QP_OUTSIDE_VALUE, text);
    *outside = (enum qp_outside)k;
    if (number || k < QP_OUTSIDE_VALUE)
        return QP_OK;
    return refuse_near("outside", "zero, clamp, wrap or a number", text, names, 3);
}

static enum qp_status say_outside(struct qp_kernel_file_head *head, const char *value)
{
    char name[QP_KERNEL_LETTERS] = "";
    struct qp_kernel_file_array *array = NULL;
    if (take_name(&value, "=", name) && (array = qp_kernel_file_array(head, name, true)) == NULL)
        return too_many("outside", "arrays", QP_KERNEL_INPUTS);
    bool *said = array != NULL ? &array->has_outside : &head->has_outside;
    if (*said)
        return twice("outside", name);
    *said = true;
    return array != NULL ? read_outside(value, &array->outside, &array->outside_value)
                         : read_outside(value, &head->outside, &head->outside_value);
}

static enum qp_status say_set(struct qp_kernel_file_head *head, const char *value)
{
    double values[QP_KERNEL_ELEMENTS] = {0.0};
    char name[QP_KERNEL_LETTERS];
    const char *list = value;
    if (!take_name(&list, "=", name))
        return refuse("set", "NAME=VALUE, such as rate=0.5", value);
    const int count = read_numbers(list, values, QP_KERNEL_ELEMENTS);
    if (count == 0)
        return refuse("set", "finite numbers, up to 64 with commas between them", list);
    struct qp_kernel_file_number *number = qp_kernel_file_number(head, name);
    if (number == NULL)
        return too_many("set", "numbers", QP_KERNEL_NUMBERS);
    if (number->values > 0)
        return twice("set", name);
    number->values = count;
    memcpy(number->value, values, sizeof values);
    return QP_OK;
}

static enum qp_status say_schedule(struct qp_kernel_file_head *head, const char *value)
{
    double values[QP_KERNEL_SCHEDULED];
    char name[QP_KERNEL_LETTERS];
    const char *list = value;
    if (!take_name(&list, "=", name))
        return refuse("schedule", "NAME=V,V,..., a value for each step, such as span=1,2,4", value);
    const int count = read_numbers(list, values, QP_KERNEL_SCHEDULED);
    if (count == 0)
        return refuse("schedule", "finite numbers, up to 1024 with commas between them", list);
    for (int k = 0; k < head->schedules; k++) {
        if (strcmp(head->schedule[k].name, name) == 0)
            return twice("schedule", name);
    }
    return qp_kernel_file_schedule(head, name, values, count);
}

static enum qp_status say_state(struct qp_kernel_file_head *head, const char *value)
{
    char name[QP_KERNEL_LETTERS], all[1024];
    const char *at = all;
    if (head->states > 0)
        return twice("state", "");
    snprintf(all, sizeof all, "%s \n", value); /* a blank and an end after the last name, too */
    for (; *at != '\n'; at += strspn(at, BLANKS)) {
        if (head->states == QP_KERNEL_OUTPUTS)
            return too_many("state", "states", QP_KERNEL_OUTPUTS);
        if (!take_name(&at, BLANKS, name))
            return refuse("state", "names, such as u v", value);
        for (int k = 0; k < head->states; k++) {
            if (strcmp(head->state[k], name) == 0)
                return qp_fail(QP_BAD_INPUT, "state names '%s' twice", name);
        }
        strcpy(head->state[head->states++], name);
    }
    return QP_OK;
}

static enum qp_status say_size(struct qp_kernel_file_head *head, const char *value)
{
    const char *at = value;
    if (head->width > 0)
        return twice("size", "");
    const bool square = strchr(value, 'x') == NULL;
    const int width = read_whole(&at, 1, square ? '\0' : 'x'),
              height = square || width < 0 ? width : read_whole(&at, 1, '\0');
    if (width < 0 || height < 0)
        return refuse("size", "N or WxH, such as 64x48", value);
    head->width = width;
    head->height = height;
    return QP_OK;
}

static enum qp_status say_steps(struct qp_kernel_file_head *head, const char *value)
{
    const char *at = value;
    if (head->steps > 0)
        return twice("steps", "");
    head->steps = read_whole(&at, 1, '\0');
    return head->steps > 0 ? QP_OK : refuse("steps", "a whole number of at least 1", value);
}

static enum qp_status say_seed(struct qp_kernel_file_head *head, const char *value)
{
    const char *at = value;
    if (head->has_seed)
        return twice("seed", "");
    const int seed = read_whole(&at, 0, '\0');
    head->has_seed = seed >= 0;
    head->seed = (unsigned long long)seed;
    return seed >= 0 ? QP_OK : refuse("seed", "a whole number of at least 0", value);
}

static enum qp_status say_tolerance(struct qp_kernel_file_head *head, const char *value)
{
    char *end;
    if (head->tolerance > 0.0)
        return twice("tolerance", "");
    head->tolerance = strtod(value, &end);
    const bool good = *end == '\0' && head->tolerance > 0.0 && head->tolerance < 1.0;
    return good ? QP_OK : refuse("tolerance", "a number above 0 and below 1", value);
}

static enum qp_status say_check(struct qp_kernel_file_head *head, const char *value)
{
    if (head->check != NULL)
        return twice("check", "");
    head->check = value;
    return QP_OK;
}

enum qp_status qp_kernel_file_tune(struct qp_kernel_file_owner *owner, const char *value)
{
    static const char targets[] = "c gl compute cuda hybrid gpus mpi";
    static const char takes[] = "c, gl, compute, cuda, hybrid, gpus or mpi, and values such as "
                                "threads=64 or unknowns=64x8";
    struct qp_kernel_tuned new = {.line = 0};
    const char *at = value;
    char *end;
    if (!take_name(&at, BLANKS, new.target) ||
        qp_word_number(targets, new.target, (int)strlen(new.target)) == 0)
        return refuse("tuned", takes, value);
    for (at += strspn(at, BLANKS); *at != '\0'; at = end + strspn(end, BLANKS)) {
        const bool named = take_name(&at, "=", new.name);
        new.value[0] = strtod(at, &end);
        new.value[1] = named &&*end == 'x' && end > at ? strtod(at = end + 1, &end) : 0.0;
        if (!named || end == at || strchr(BLANKS, *end) == NULL ||
            !isfinite(new.value[0] + new.value[1]))
            return refuse("tuned", takes, value);
        if (qp_kernel_file_tuned(&owner->file, new.target, new.name) != NULL)
            return twice("tuned", new.name);
        if (owner->tunings == QP_KERNEL_TUNED)
            return too_many("tuned", "values", QP_KERNEL_TUNED);
        owner->tuned[owner->tunings++] = new;
    }
    return QP_OK;
}

const struct qp_kernel_tuned *qp_kernel_file_tuned(const struct qp_kernel_file *file,
                                                   const char *target, const char *name)
{
    const struct qp_kernel_file_owner *owner = (const struct qp_kernel_file_owner *)file;
    int k = 0;
    while (k < owner->tunings && (strcmp(owner->tuned[k].target, target) != 0 ||
                                  (name != NULL && strcmp(owner->tuned[k].name, name) != 0)))
        k++;
    return k < owner->tunings ? &owner->tuned[k] : NULL;
}

enum qp_status qp_kernel_file_take_sync(struct qp_kernel_file_owner *owner, const char *value,
                                        int line)
{
    enum { MOST_ALPHA = 1024 };
    const int length = (int)strcspn(value, BLANKS), word = qp_word_number(QP_SYNCS, value, length);
    const char *at = value + length + strspn(value + length, BLANKS), *number = at + 6;
    const bool has_alpha =
        strncmp(at, "alpha=", 6) == 0 && word > 1 + QP_SYNC_JACOBI && word < 1 + QP_SYNC_RED_BLACK;
    const int alpha = has_alpha ? read_whole(&number, 1, '\0') : 0;
    if (owner->sync.line > 0)
        return twice("sync", "");
    if (word == 0 || has_alpha != (*at != '\0') || alpha < 0 || alpha > MOST_ALPHA)
        return refuse("sync", "jacobi, async0 to async3, these with alpha=1 to 1024, or red_black",
                      value);
    owner->sync = (struct qp_kernel_sync){(enum qp_sync)(word - 1), alpha, line};
    return QP_OK;
}

const struct qp_kernel_sync *qp_kernel_file_sync(const struct qp_kernel_file *file)
{
    return &((const struct qp_kernel_file_owner *)file)->sync;
}

/* ---- A line ---- */

static enum qp_status say(struct qp_kernel_file_head *head, const char *word, const char *value)
{
    enum { WORDS = 16, SAYS = 10 }; /* the last words are of kernel files alone */
    static const char *const words[WORDS] = {
        "check", "input",     "outside", "schedule", "seed",  "set",     "size",   "state",
        "steps", "tolerance", "sync",    "then",     "tuned", "include", "kernel", "group"};
    static enum qp_status (*const says[SAYS])(struct qp_kernel_file_head *, const char *) = {
        say_check, say_input, say_outside, say_schedule, say_seed,
        say_set,   say_size,  say_state,   say_steps,    say_tolerance};
    for (int k = 0; k < WORDS; k++) {
        if (strcmp(words[k], word) != 0)
            continue;
        if (value[0] == '\0')
            return qp_fail(QP_BAD_INPUT, "%s is given no value", word);
        return k < SAYS
                   ? says[k](head, value)
                   : qp_fail(QP_BAD_INPUT,
                             "%s is a line of kernel files, which no other head changes", word);
    }
    const char *near = qp_nearest(word, words, WORDS);
    if (near != NULL)
        return qp_fail(QP_BAD_INPUT, "'%s' is no word of a kernel file; did you mean '%s'?", word,
                       near);
    return qp_fail(QP_BAD_INPUT,
                   "'%s' is no word of a kernel file, which are check, group, include, input, "
                   "kernel, outside, schedule, seed, set, size, state, steps, sync, then, "
                   "tolerance and tuned",
                   word);
}

enum qp_status qp_kernel_file_say(struct qp_kernel_file_head *head, const char *word,
                                  const char *value)
{
    struct qp_plain_numbers numbers;
    if (QP_NEED(head) || QP_NEED(word) || QP_NEED(value) ||
        qp_kernel_file_check_head(head) != QP_OK)
        return QP_BAD_USE;
    const bool begun = qp_plain_numbers_begin(&numbers);
    const enum qp_status status =
        begun ? say(head, word, value)
              : qp_fail(QP_NO_MEMORY, "no memory for the numbers of a kernel's head");
    qp_plain_numbers_end(&numbers);
    return status;
}
