/* SPDX-License-Identifier: MIT */
/* Calls with a bad argument. tests/house/test_bad_use.c looks up in the files that include this
 * whether every public function is among them. */
#ifndef QP_TESTS_REFUSED_H
#define QP_TESTS_REFUSED_H

#include "support/files.h"
#include "support/support.h"

/* The call must answer QP_BAD_USE, QP_BAD_INPUT or QP_UNSUPPORTED, with a sentence of its own; else
 * a fault of this test, which assert_no_faults fails. */
#define REFUSES(function, ...) \
    (forget_sentence(), judge_refusal((int)function(__VA_ARGS__), #function "(" #__VA_ARGS__ ")"))

/* The same for a size that no machine can hold, which may also be QP_NO_MEMORY; and for a device
 * that is not there. */
#define REFUSES_SIZE(function, ...) \
    (forget_sentence(), judge_size((int)function(__VA_ARGS__), #function "(" #__VA_ARGS__ ")"))
#define REFUSES_DEVICE(function, ...) \
    (forget_sentence(), judge_device((int)function(__VA_ARGS__), #function "(" #__VA_ARGS__ ")"))

/* The value of a call that has a neutral answer. */
#define NEUTRAL(function, ...) function(__VA_ARGS__)

/* A fault unless the condition holds. */
#define HOLDS(condition) judge_condition((condition), #condition)

/* Row of the table of bad arguments that is being tried, named in a fault. */
extern int refused_row;

void forget_sentence(void);
void judge_condition(bool holds, const char *text);
void judge_refusal(int status, const char *call);
void judge_size(int status, const char *call);
void judge_device(int status, const char *call);

/* Fails the test if a call was not refused. */
void assert_no_faults(void);

#endif
