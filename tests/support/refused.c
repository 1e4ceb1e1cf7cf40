/* SPDX-License-Identifier: MIT */
#include "support/refused.h"

#include <string.h>

#include "toolkit/base/status.h"

int refused_row;

static const char *const forgotten = "(no sentence)";

void forget_sentence(void)
{
    qp_fail(QP_OK, "%s", forgotten);
}

static void judge(int status, bool allowed, const char *call)
{
    if (!allowed)
        fault("%s answers %d, row %d: %s\n", call, status, refused_row, qp_error());
    else if (strcmp(qp_error(), forgotten) == 0 || strlen(qp_error()) < 10)
        fault("%s answers %d, row %d, without a sentence: '%s'\n", call, status, refused_row,
              qp_error());
}

void judge_refusal(int status, const char *call)
{
    judge(status, status == QP_BAD_USE || status == QP_BAD_INPUT || status == QP_UNSUPPORTED, call);
}

void judge_size(int status, const char *call)
{
    judge(status, status == QP_BAD_USE || status == QP_BAD_INPUT || status == QP_NO_MEMORY, call);
}

void judge_device(int status, const char *call)
{
    judge(status, status == QP_BAD_USE || status == QP_NO_DEVICE, call);
}

void judge_condition(bool holds, const char *text)
{
    if (!holds)
        fault("not so, row %d: %s\n", refused_row, text);
}

void assert_no_faults(void)
{
    const int found = faults;
    faults = refused_row = 0;
    assert_int_equal(found, 0);
}
