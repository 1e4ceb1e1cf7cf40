/* SPDX-License-Identifier: MIT */
/* What a search tries: configurations of a kernel file or a row, on this machine. */
#ifndef QP_CMD_TUNE_LIVE_H
#define QP_CMD_TUNE_LIVE_H

#include "cmd/cmd.h"
#include "tune/search.h"

/* A kernel whose configurations can be tried. All belongs to `user`. */
struct tune_kernel {
    const char *name, *device; /* of the kernel file or row and its target; and of what runs it */
    const struct qp_space *space;

    /* As those of qp_search_desc. `attempt` sets the sample's
     * seconds and, of a configuration's first sample, all other members; of a wrong one the sentence. */
    enum qp_status (*attempt)(void *user, struct qp_tried *tried);
    void (*terms)(void *user, int configuration, double out[QP_SEARCH_TERMS]);
    void (*ahead)(void *user, const int *configurations, int count);
    void (*end)(void *user); /* frees it; or NULL */
    void *user;
};

/* Makes the kernel that the options' word names. Errors: QP_UNSUPPORTED: only recorded spaces can be searched so far. */
enum qp_status tune_live(const struct options *options, struct tune_kernel *out);

/* Searches a kernel's space as the options say, prints the report and writes -o, which it goes on from if it is there.
 * Returns the exit code. */
int tune_search(const struct options *options, const struct tune_kernel *kernel);

#endif
