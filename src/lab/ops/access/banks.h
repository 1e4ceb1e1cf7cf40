/* SPDX-License-Identifier: MIT */
/* Words of a tile in shared memory that threads read (shared.cu), for the host too. */
#ifndef QP_OPS_ACCESS_BANKS_H
#define QP_OPS_ACCESS_BANKS_H

#include "lab/ops/access/pattern.h"
#include "toolkit/base/both.h"

/* Forms in which a cell reads a tile in shared memory. */
enum qp_access_form {
    QP_ACCESS_WORDS, /* words of 4 bytes */
    /* A word is left free after every 32, so that words 32 apart are in two banks. */
    QP_ACCESS_PADDED,
    QP_ACCESS_TWOS /* words of 8 bytes */
};

QP_BOTH unsigned qp_access_word(enum qp_access_form form, unsigned word)
{
    return form == QP_ACCESS_PADDED ? word + word / QP_ACCESS_WARP : word;
}

/* The first word that cell t of a tile reads. */
QP_BOTH unsigned qp_access_first(int kind, unsigned t, unsigned parameter)
{
    if (kind == QP_ACCESS_BANKS)
        return t * parameter % QP_ACCESS_TILE;
    if (kind == QP_ACCESS_MULTICAST)
        return t / parameter;
    return t * parameter % (QP_ACCESS_TILE / 2) * 2;
}

#endif
