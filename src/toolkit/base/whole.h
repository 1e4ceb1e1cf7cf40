/* SPDX-License-Identifier: MIT */
/* Whole numbers. */
#ifndef QP_BASE_WHOLE_H
#define QP_BASE_WHOLE_H

static inline int qp_least(int a, int b)
{
    return a < b ? a : b;
}

static inline int qp_most(int a, int b)
{
    return a > b ? a : b;
}

/* Number of groups, ceil(count / of); the last one may be smaller. */
static inline int qp_groups_in(int count, int of)
{
    return (count + of - 1) / of;
}

/* A number beyond an end of 0 to size - 1 comes in at the other. */
static inline int qp_wrapped(int at, int size)
{
    return (at % size + size) % size;
}

/* The whole part of a number, or the limit that it is beyond. */
static inline int qp_clamp(double number, int least, int most)
{
    return number < least ? least : number > most ? most : (int)number;
}

#endif
