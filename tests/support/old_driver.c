/* SPDX-License-Identifier: MIT */
/* A libcuda.so.1 that CUDA's runtime believes, for tests of drivers that are no good: it knows CUDA
 * 11.4, or with FAKE_CUDA=empty CUDA 99.0 and no device. */
#include <stdlib.h>
#include <string.h>

enum { INITIALISATION_ERROR = 3, NO_DEVICE = 100, NOT_FOUND = 500 };

static int is_empty(void)
{
    const char *kind = getenv("FAKE_CUDA");
    return kind != NULL && strcmp(kind, "empty") == 0;
}

static int initialise(unsigned flags)
{
    (void)flags;
    return is_empty() ? NO_DEVICE : 0;
}

static int get_version(int *version)
{
    *version = is_empty() ? 99000 : 11040;
    return 0;
}

static int refuse(void)
{
    return INITIALISATION_ERROR;
}

int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long flags,
                        void *found);

/* The runtime asks for everything by this one. */
int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long flags,
                        void *found)
{
    (void)version, (void)flags, (void)found;
    int (*answer)() = refuse;
    if (strcmp(name, "cuInit") == 0)
        answer = (int (*)())initialise;
    else if (strcmp(name, "cuDriverGetVersion") == 0)
        answer = (int (*)())get_version;
    else if (strcmp(name, "cuGetProcAddress") == 0)
        answer = (int (*)())cuGetProcAddress_v2;
    memcpy(function, &answer, sizeof answer);
    return 0;
}

int cuGetProcAddress(const char *name, void **function, int version, unsigned long flags);

int cuGetProcAddress(const char *name, void **function, int version, unsigned long flags)
{
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
