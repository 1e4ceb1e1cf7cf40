/* SPDX-License-Identifier: MIT */
/* Files of our own that are built in, in tables that tools/embed.sh generates. */
#ifndef QP_BASE_OWN_FILES_H
#define QP_BASE_OWN_FILES_H

#include <stddef.h>
#include <string.h>

/* A file of a table, which ends with a NULL name. */
struct qp_own_file {
    const char *name; /* below the table's folder, such as "c/steps.c" */
    const unsigned char *text;
    unsigned size;
};

/* The file of this name; the table's end if there is none. */
static inline const struct qp_own_file *qp_own_file_find(const struct qp_own_file *file,
                                                         const char *name)
{
    while (file->name != NULL && strcmp(file->name, name) != 0)
        file++;
    return file;
}

#endif
