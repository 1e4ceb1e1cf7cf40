/* SPDX-License-Identifier: MIT */
/* Asynchronous programs of a kernel file (its line `sync`), whose numbers are none of the plain
 * program's: the score is the time to come as near to the limit as that does, and to stay so
 * (tune/equal.h). Values are of a configuration, such as "sync=async2 alpha=6 block=8". */
#ifndef QP_CMD_TUNE_NEAR_H
#define QP_CMD_TUNE_NEAR_H

#include "cmd/tune/judged.h"
#include "toolkit/kernel_file.h"

/* Sets the values in a head. Errors: those of qp_kernel_file_tune. */
enum qp_status near_set(struct qp_kernel_file_owner *head, const char *target, const char *values);

/* Said where the plain program, which is the default, is not slower. */
extern const char near_stays[];

/* Prints them as lines of a head, and what their time is of. */
void near_put(const struct judged *judged, const char *target, const char *values, FILE *out);

/* Follows the plain program to its limit, which becomes the wanted answer, and `enough` its
 * distance after `steps` steps, or after 40 for 0. Errors: also QP_BAD_INPUT for one that has no
 * limit soon, or has come there already. */
enum qp_status near_learn(struct judged *judged, int steps, struct qp_machine *plain);

/* Finds the launch from which on a program stays near enough; it is wrong if there is none. */
enum qp_status near_judge(const struct judged *judged, struct qp_machine *machine,
                          const char *values, int *launches, struct qp_tried *tried);

#endif
