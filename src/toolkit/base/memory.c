/* SPDX-License-Identifier: MIT */
#include "toolkit/base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A limit as the kernel writes it: a number of bytes, or "max" for none. */
static double read_limit(const char *path)
{
    double bytes = INFINITY;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return INFINITY;
    if (fscanf(file, "%lf", &bytes) != 1)
        bytes = INFINITY;
    fclose(file);
    return bytes;
}

/* The least limit of a control group and its ancestors: `group` is shortened word by word. Inside a
 * container its own group is often mounted as the root, so the root is looked at in any case. */
static double least_limit(const char *folder, char *group, const char *file)
{
    double least = INFINITY;
    for (char *slash = group + strlen(group); slash != NULL; slash = strrchr(group, '/')) {
        char path[1024];
        *slash = '\0';
        snprintf(path, sizeof path, "%s%s/%s", folder, group, file);
        least = fmin(least, read_limit(path));
    }
    return least;
}

/* /proc/self/cgroup has lines "number:controllers:group"; version 2 is the one without
 * controllers. */
double qp_memory_of_groups(const char *root)
{
    char path[256], line[1024];
    double least = INFINITY;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char controllers[128] = "", *group = strchr(line, '/');
        if (group == NULL || sscanf(line, "%*d:%127[^:]", controllers) > 1)
            continue;
        group[strcspn(group, "\n")] = '\0';
        bool second = controllers[0] == '\0', memory = strstr(controllers, "memory") != NULL;
        snprintf(path, sizeof path, "%s/sys/fs/cgroup%s", root, second ? "" : "/memory");
        if (second || memory)
            least = fmin(least,
                         least_limit(path, group, second ? "memory.max" : "memory.limit_in_bytes"));
    }
    if (file != NULL)
        fclose(file);
    return least;
}

double qp_memory_there(void)
{
    struct rlimit space;
    double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        there = fmin(there, (double)space.rlim_cur);
    return fmin(there, qp_memory_of_groups(""));
}

double qp_memory_for(double bytes)
{
    return bytes < 0x1p24 ? INFINITY : qp_memory_there();
}
