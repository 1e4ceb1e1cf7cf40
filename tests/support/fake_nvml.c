/* SPDX-License-Identifier: MIT */
/* A libnvidia-ml.so.1 of two GPUs, or with FAKE_NVML=one of the first alone, for tests without
 * any. */
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, NOT_FOUND = 6 };

static int gpu[2]; /* their addresses are handles */

int nvmlInit_v2(void);
int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **out);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **out);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **out);
int nvmlDeviceGetClockInfo(void *device, int kind, unsigned *mhz);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *bits);

int nvmlInit_v2(void)
{
    return SUCCESS;
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
    const char *kind = getenv("FAKE_NVML");
    *count = kind != NULL && strcmp(kind, "one") == 0 ? 1 : 2;
    return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **out)
{
    *out = &gpu[index];
    return SUCCESS;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **out)
{
    *out = &gpu[1];
    return strcmp(bus, "0000:65:00.0") == 0 ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **out)
{
    *out = &gpu[1];
    return strcmp(uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff") == 0 ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetClockInfo(void *device, int kind, unsigned *mhz)
{
    *mhz = (device == &gpu[0] ? 1000 : 2000) + 10 * (unsigned)kind;
    return SUCCESS;
}

/* The first is idle, the second kept down by its power and its heat. */
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *bits)
{
    *bits = device == &gpu[0] ? 0x1 : 0x1 | 0x4 | 0x40;
    return SUCCESS;
}
