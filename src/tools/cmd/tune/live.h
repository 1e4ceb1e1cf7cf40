/* SPDX-License-Identifier: MIT */
/* Configurations that a search tries, of a kernel file or a variant, on this machine. */
#ifndef QP_CMD_TUNE_LIVE_H
#define QP_CMD_TUNE_LIVE_H

#include "tools/cmd/cmd.h"
#include "tools/tune/search.h"

/* A kernel whose configurations can be tried. Functions are as those of qp_search_desc. `attempt`
 * appends a sample, and at the first sets `end`, `times` and of a wrong configuration `why`. */
struct tune_kernel {
    const char *name, *device; /* the kernel file or variant with its target, and what runs it */
    /* Lines of tools/tune/space.h, of which qp_space_read makes the same configurations. */
    const char *space;
    enum qp_status (*attempt)(void *user, struct qp_tried *tried);
    void (*ahead)(void *user, const int *configurations, int count);

    /* Optional, of a whole search whose best is faster than the default; else `stays` is said. */
    void (*won)(void *user, int configuration, FILE *table);
    const char *stays; /* or NULL: a sentence for all */
    void *user;
};

/* Makes the kernel that the options' word names and searches its space by tune_search: that of a
 * kernel file, and of a variant of the table (variant.c). */
enum qp_status tune_live(struct command *command);
enum qp_status tune_variant(struct command *command);

/* Writes a configuration of the thesis's beside itself, as NAME.tuned.conf, with these values of
 * the tuner's for a target (conf.c), and says so. Errors: QP_BAD_INPUT, QP_NO_MEMORY. */
enum qp_status tune_write_conf(const char *path, const char *target, const char *values);

/* The same of the space that --simulate names. */
enum qp_status tune_recorded(struct command *command);

/* Memory of zeros that processes share, for munmap to take back; NULL: there is none
 * (QP_NO_MEMORY). */
void *tune_share(size_t bytes);

/* Makes programs in as many processes as there are cores, which are found in the cache then. */
void tune_on_all_cores(void (*make)(void *user, int configuration), void *user,
                       const int *configurations, int count);

/* Searches a kernel's space as the options say, prints the report and writes -o, which it goes on
 * from if it is there. The command has failed without a best configuration. */
enum qp_status tune_search(struct command *command, const struct tune_kernel *kernel);

#endif
