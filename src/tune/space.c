/* SPDX-License-Identifier: MIT */
#include "tune/space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/number.h"

enum { WORDS = 80, TERMS = 8, CONDITIONS = 96 };

/* A number or a parameter's value, after + (also the first), * or %. */
struct term {
    char sign;
    int parameter; /* -1: the number */
    double number;
};

struct side {
    struct term term[TERMS];
    int count;
};

/* Some values of a parameter, or one side below the other. */
struct condition {
    bool is_list, is_last; /* of those that exclude a configuration together */
    int parameter;
    uint64_t values; /* a bit each */
    struct side low, high;
};

/* The line under way, its words, and all conditions so far. */
struct reading {
    struct qp_space *space;
    int line, words;
    char word[WORDS][32];
    struct condition condition[CONDITIONS];
    int conditions;
};

/* ---- Configurations ---- */

static int stride(const struct qp_space *space, int parameter)
{
    int product = 1;
    for (int k = 0; k < parameter; k++)
        product *= space->parameter[k].count;
    return product;
}

int qp_space_digit(const struct qp_space *space, int configuration, int parameter)
{
    return configuration / stride(space, parameter) % space->parameter[parameter].count;
}

int qp_space_with(const struct qp_space *space, int configuration, int parameter, int digit)
{
    const int change = digit - qp_space_digit(space, configuration, parameter);
    return configuration + change * stride(space, parameter);
}

int qp_space_find(const struct qp_space *space, int configuration)
{
    int low = 0, high = space->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (space->valid[middle] < configuration)
            low = middle + 1;
        else
            high = middle;
    }
    return low < space->count && space->valid[low] == configuration ? low : -1;
}

int qp_space_parameter_named(const struct qp_space *space, const char *name)
{
    int k = space->parameters - 1;
    while (k >= 0 && strcmp(space->parameter[k].name, name) != 0)
        k--;
    return k;
}

int qp_space_value(const struct qp_space_parameter *parameter, const char *text)
{
    int k = parameter->count - 1;
    while (k >= 0 && strcmp(parameter->text[k], text) != 0)
        k--;
    return k;
}

const char *qp_space_text(const struct qp_space *space, int configuration, char text[QP_SPACE_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < space->parameters && used < QP_SPACE_TEXT; k++) {
        const struct qp_space_parameter *p = &space->parameter[k];
        if (!p->is_fact)
            used +=
                (size_t)snprintf(text + used, QP_SPACE_TEXT - used, "%s%s=%s", used > 0 ? " " : "",
                                 p->name, p->text[qp_space_digit(space, configuration, k)]);
    }
    return text;
}

/* ---- Conditions ---- */

static double side_value(const struct qp_space *space, int configuration, const struct side *side)
{
    double sum = 0.0, product = 0.0;
    for (int i = 0; i < side->count; i++) {
        const struct term *term = &side->term[i];
        const int k = term->parameter;
        const double value =
            k < 0 ? term->number
                  : space->parameter[k].number[qp_space_digit(space, configuration, k)];
        if (term->sign == '+')
            sum += product;
        product = term->sign == '*'   ? product * value
                  : term->sign == '%' ? fmod(product, value)
                                      : value;
    }
    return sum + product;
}

static bool meets(const struct qp_space *space, int configuration, const struct condition *c)
{
    if (c->is_list)
        return (c->values >> qp_space_digit(space, configuration, c->parameter) & 1) != 0;
    return side_value(space, configuration, &c->low) < side_value(space, configuration, &c->high);
}

static bool is_excluded(const struct reading *r, int configuration)
{
    bool all = true;
    for (int i = 0; i < r->conditions; i++) {
        all = all && meets(r->space, configuration, &r->condition[i]);
        if (r->condition[i].is_last && all)
            return true;
        all = all || r->condition[i].is_last;
    }
    return false;
}

/* ---- Lines ---- */

static enum qp_status read_side(struct reading *r, int begin, int end, struct side *out)
{
    for (int i = begin; i < end; i += 2) {
        const char *word = r->word[i], *stop = NULL;
        struct term term = {'+', qp_space_parameter_named(r->space, word), 0.0};
        if (term.parameter < 0)
            stop = qp_number_read(word, &term.number);
        if (term.parameter < 0 && (stop == NULL || *stop != '\0'))
            return qp_fail(QP_BAD_INPUT, "line %d: '%s' is neither a number nor a name above",
                           r->line, word);
        for (int k = 0; term.parameter >= 0 && k < r->space->parameter[term.parameter].count; k++) {
            if (isnan(r->space->parameter[term.parameter].number[k]))
                return qp_fail(QP_BAD_INPUT, "line %d: '%s' has values that are no numbers",
                               r->line, word);
        }
        if (i > begin)
            term.sign = r->word[i - 1][0];
        if (strchr("+*%", term.sign) == NULL || (i > begin && r->word[i - 1][1] != '\0') ||
            out->count == TERMS)
            return qp_fail(QP_BAD_INPUT,
                           "line %d: at most %d numbers and names, with +, * or %% "
                           "between",
                           r->line, TERMS);
        out->term[out->count++] = term;
    }
    return (end - begin) % 2 == 1
               ? QP_OK
               : qp_fail(QP_BAD_INPUT, "line %d: a number or a name is missing", r->line);
}

static enum qp_status read_list(struct reading *r, int begin, int end, struct condition *out)
{
    out->is_list = true;
    out->parameter = qp_space_parameter_named(r->space, r->word[begin]);
    if (out->parameter < 0 || end < begin + 3)
        return qp_fail(QP_BAD_INPUT, "line %d: 'NAME = VALUE ...' takes a name above, not '%s'",
                       r->line, r->word[begin]);
    for (int i = begin + 2; i < end; i++) {
        const int k = qp_space_value(&r->space->parameter[out->parameter], r->word[i]);
        if (k < 0)
            return qp_fail(QP_BAD_INPUT, "line %d: %s has no value '%s'", r->line, r->word[begin],
                           r->word[i]);
        out->values |= UINT64_C(1) << k;
    }
    return QP_OK;
}

/* The word among those up to `end` that is one of these characters; `end`: none is. */
static int find_word(const struct reading *r, int i, int end, const char *signs)
{
    while (i < end && (r->word[i][1] != '\0' || strchr(signs, r->word[i][0]) == NULL))
        i++;
    return i;
}

static enum qp_status read_condition(struct reading *r, int begin, int end)
{
    if (r->conditions == CONDITIONS)
        return qp_fail(QP_BAD_INPUT, "line %d: more than %d conditions", r->line, CONDITIONS);
    struct condition *c = &r->condition[r->conditions++];
    const int sign = find_word(r, begin, end, "=<>");
    *c = (struct condition){.is_last = end == r->words};
    if (sign == end)
        return qp_fail(QP_BAD_INPUT, "line %d: a condition has =, < or >, with blanks around",
                       r->line);
    if (r->word[sign][0] == '=' && sign == begin + 1)
        return read_list(r, begin, end, c);
    const bool less = r->word[sign][0] == '<';
    enum qp_status status = read_side(r, begin, sign, less ? &c->low : &c->high);
    return status != QP_OK ? status : read_side(r, sign + 1, end, less ? &c->high : &c->low);
}

static enum qp_status read_exclusion(struct reading *r)
{
    enum qp_status status = QP_OK;
    for (int begin = 2, end; begin <= r->words && status == QP_OK; begin = end + 1) {
        for (end = begin; end < r->words && strcmp(r->word[end], "with") != 0;)
            end++;
        status = read_condition(r, begin, end);
    }
    return status;
}

static enum qp_status read_parameter(struct reading *r)
{
    struct qp_space *space = r->space;
    struct qp_space_parameter *p = &space->parameter[space->parameters];
    if (r->words < 4 || strcmp(r->word[2], "=") != 0)
        return qp_fail(QP_BAD_INPUT, "line %d: it is not '%s NAME = VALUE ...'", r->line,
                       r->word[0]);
    if (qp_space_parameter_named(space, r->word[1]) >= 0)
        return qp_fail(QP_BAD_INPUT, "line %d: '%s' was there before", r->line, r->word[1]);
    if (space->parameters == QP_SPACE_PARAMETERS || r->words - 3 > QP_SPACE_VALUES ||
        space->size > QP_SPACE_MOST / (r->words - 3))
        return qp_fail(QP_BAD_INPUT,
                       "line %d: more than %d parameters, %d values of one, or %d configurations",
                       r->line, QP_SPACE_PARAMETERS, QP_SPACE_VALUES, QP_SPACE_MOST);
    *p = (struct qp_space_parameter){.is_fact = strcmp(r->word[0], "fact") == 0};
    memcpy(p->name, r->word[1], sizeof p->name);
    for (int i = 3; i < r->words; i++, p->count++) {
        if (qp_space_value(p, r->word[i]) >= 0)
            return qp_fail(QP_BAD_INPUT, "line %d: '%s' comes twice", r->line, r->word[i]);
        memcpy(p->text[p->count], r->word[i], sizeof p->text[0]);
        const char *stop = qp_number_read(r->word[i], &p->number[p->count]);
        if (stop == NULL || *stop != '\0')
            p->number[p->count] = NAN;
    }
    space->size *= p->count;
    space->parameters++;
    return QP_OK;
}

static enum qp_status read_line(struct reading *r, const char *line, size_t length)
{
    static const char blanks[] = " \t\r";
    r->words = 0;
    for (size_t at = 0, word; at < length; at += word) {
        at += strspn(line + at, blanks);
        word = strcspn(line + at, " \t\r\n");
        if (at >= length)
            break;
        if (word >= sizeof r->word[0] || r->words == WORDS)
            return qp_fail(QP_BAD_INPUT,
                           "line %d: more than %d words, or one of more than %zu "
                           "characters",
                           r->line, WORDS, sizeof r->word[0] - 1);
        memcpy(r->word[r->words], line + at, word);
        memset(r->word[r->words++] + word, 0, sizeof r->word[0] - word);
    }
    if (r->words == 0 || (strcmp(r->word[0], "tune") != 0 && strcmp(r->word[0], "fact") != 0))
        return QP_OK;
    return r->words > 1 && strcmp(r->word[1], "not") == 0 ? read_exclusion(r) : read_parameter(r);
}

/* ---- The space ---- */

static enum qp_status list_valid(const struct reading *r, struct qp_space *space)
{
    char text[QP_SPACE_TEXT];
    if (space->parameters == 0)
        return qp_fail(QP_BAD_INPUT, "there is no line 'tune NAME = VALUE ...'");
    if (is_excluded(r, 0))
        return qp_fail(QP_BAD_INPUT, "the default is excluded: %s", qp_space_text(space, 0, text));
    space->valid = qp_alloc((size_t)space->size, sizeof *space->valid, "configurations");
    for (int k = 0; space->valid != NULL && k < space->size; k++) {
        if (!is_excluded(r, k))
            space->valid[space->count++] = k;
    }
    return space->valid != NULL ? QP_OK : QP_NO_MEMORY;
}

enum qp_status qp_space_read(const char *text, struct qp_space *out)
{
    *out = (struct qp_space){.size = 1, .text = qp_copy_text(text, "a space")};
    struct reading *r = qp_alloc_zero(1, sizeof *r, "a space");
    enum qp_status status = r != NULL && out->text != NULL ? QP_OK : QP_NO_MEMORY;
    for (const char *line = text; status == QP_OK && *line != '\0'; line += *line == '\n') {
        const size_t length = strcspn(line, "\n");
        r->space = out;
        r->line++;
        status = read_line(r, line, length);
        line += length;
    }
    if (status == QP_OK)
        status = list_valid(r, out);
    free(r);
    if (status != QP_OK)
        qp_space_destroy(out);
    return status;
}

void qp_space_destroy(struct qp_space *space)
{
    free(space->text);
    free(space->valid);
    *space = (struct qp_space){.text = NULL};
}
