/* SPDX-License-Identifier: MIT */
/* Matrix Market files, written so that no half-written one ever stands in for a good one. */
#include <quadpass/market.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

/* Prints to a file and closes it, but for standard output. False, with errno set, on failure. */
static bool print(FILE *file, int rows, int columns, const double *value)
{
    bool good = file != NULL && fprintf(file, "%%%%MatrixMarket matrix array real general\n%d %d\n",
                                        rows, columns) > 0;
    for (size_t k = 0; good && k < (size_t)rows * (size_t)columns; k++)
        good = fprintf(file, "%.9g\n", value[k]) > 0;
    good = good && fflush(file) == 0;
    int reason = errno;
    if (file != NULL && file != stdout && fclose(file) != 0 && good)
        return false;
    errno = reason;
    return good;
}

/* Prints beside the file and renames, so that a half-written one never stands in for a good one,
 * whose mode stays; 0 makes a new one, by fopen, for mkstemp overrules the umask. */
static bool replace(const char *path, mode_t mode, int rows, int columns, const double *value)
{
    char *beside = NULL, *found = realpath(path, NULL);
    const char *target = found != NULL ? found : path; /* a link stays, what it names is replaced */
    bool named = asprintf(&beside, "%s.%ld.part", target, (long)getpid()) > 0;
    bool may = named && (mode == 0 || (found != NULL && access(path, W_OK) == 0));
    FILE *file = may ? fopen(beside, "wxe") : NULL;
    bool made = file != NULL;
    bool good = print(file, rows, columns, value) &&
                (mode == 0 || chmod(beside, mode & 07777) == 0) && rename(beside, target) == 0;
    int reason = errno;
    if (made && !good)
        unlink(beside);
    free(beside);
    free(found);
    errno = reason;
    return good;
}

enum qp_status qp_market_write(const char *path, int rows, int columns, const double *value)
{
    struct stat old;
    bool standard = strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
    bool taken = lstat(path, &old) == 0;
    bool regular = stat(path, &old) == 0 && S_ISREG(old.st_mode);
    bool good;
    if (standard)
        good = print(stdout, rows, columns, value);
    else if (taken && !regular) /* a pipe, a device, a link to what is not there yet */
        good = print(fopen(path, "we"), rows, columns, value);
    else
        good = replace(path, regular ? old.st_mode : 0, rows, columns, value);
    return good ? QP_OK
                : qp_fail(errno == ENOMEM ? QP_NO_MEMORY : QP_BAD_INPUT,
                          "%s: cannot be written: %s (check folder and disk space)",
                          standard ? "standard output" : path, strerror(errno));
}
