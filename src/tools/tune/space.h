/* SPDX-License-Identifier: MIT */
/* The configurations of a program among which a tuner chooses: values of parameters, but for those
 * that exclude each other. A text says them line by line; words have blanks between, and other
 * lines are comments:
 *
 *     tune steps = 4 1 2 8                     a parameter; the first value is the default
 *     fact reach = 1                           of the kernel; conditions may name it
 *     term bytes = arrays / steps + 1          a sum that the time may be proportional to
 *     tile across = 4 * cells                  columns of the tiles that cut a grid; `up`: rows
 *     tune not layout = rows with steps = 4 8  excludes rows in 4 or 8 steps
 *     tune not steps * reach + 1 > 8           excludes values by which this is true
 *     tune not width % steps > 0               the same
 *
 * Conditions joined by `with` must all be met; on either side of < and > is a sum of products
 * (* / %) of numbers and names. */
#ifndef QP_TUNE_SPACE_H
#define QP_TUNE_SPACE_H

#include <stdbool.h>

#include <quadpass/status.h>

enum {
    QP_SPACE_PARAMETERS = 24, /* parameters of a space, with its facts */
    QP_SPACE_VALUES = 64,     /* values of a parameter */
    QP_SPACE_MOST = 1 << 24,  /* configurations: product of the numbers of values */
    QP_SPACE_TERMS = 4,
    QP_SPACE_FACTORS = 24, /* factors of a sum */
    QP_SPACE_TEXT = 512    /* text of a configuration's values, with the end */
};

struct qp_space_parameter {
    char name[32];
    int count, stride;
    bool is_fact, has_words;
    char text[QP_SPACE_VALUES][32];
    double number[QP_SPACE_VALUES]; /* NaN: the text is a word */
};

/* A number or a parameter's value, after + (also the first), *, / or %. */
struct qp_space_factor {
    char sign;
    int parameter; /* -1: the number */
    double number;
};

struct qp_space_term {
    char name[32];
    int count;
    struct qp_space_factor factor[QP_SPACE_FACTORS];
};

/* A configuration is a number, its values' places times the parameters' strides; 0 is the
 * default. */
struct qp_space {
    char *text;
    struct qp_space_parameter parameter[QP_SPACE_PARAMETERS];
    int parameters, size; /* the latter without what is excluded */
    struct qp_space_term term[QP_SPACE_TERMS];
    int terms;
    struct qp_space_term tile[2]; /* across, up; without factors: 1 */
    int *valid, count;            /* configurations that nothing excludes, in ascending order */
};

/* Errors: QP_BAD_INPUT with the line, also where the default is excluded; QP_NO_MEMORY. *out is all
 * zero then. Owner: the caller, by qp_space_destroy. */
enum qp_status qp_space_read(const char *text, struct qp_space *out);
void qp_space_destroy(struct qp_space *space);

/* The place of a parameter's value in a configuration. */
static inline int qp_space_digit(const struct qp_space *space, int configuration, int parameter)
{
    const struct qp_space_parameter *p = &space->parameter[parameter];
    return configuration / p->stride % p->count;
}

/* The place of a configuration in `valid`, and of a value by its text; -1: there is none. */
int qp_space_find(const struct qp_space *space, int configuration);
int qp_space_value(const struct qp_space_parameter *parameter, const char *text);

/* The value of a term of a configuration. */
double qp_space_term(const struct qp_space *space, int configuration, int term);

/* The largest tile of all valid configurations, across (0) or up (1). */
int qp_space_tile(const struct qp_space *space, int way);

/* Writes "steps=4 layout=rows" without facts, cut where it does not fit; returns `text`. */
const char *qp_space_text(const struct qp_space *space, int configuration,
                          char text[QP_SPACE_TEXT]);

#endif
