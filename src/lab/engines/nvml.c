/* SPDX-License-Identifier: MIT */
#include "lab/engines/nvml.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <quadpass/bench.h>

#include "toolkit/cuda/device.h"
#include "toolkit/gl/context/context.h"

/* Functions and numbers of NVML's interface, as CUDA's nvml.h declares them. */
typedef void *device;

enum { SUCCESS = 0, CLOCK_SM = 1 };

static struct {
    int (*start)(void);
    int (*count)(unsigned *count);
    int (*by_index)(unsigned index, device *out);
    int (*by_bus)(const char *bus, device *out);
    int (*by_uuid)(const char *uuid, device *out);
    int (*clock)(device device, int kind, unsigned *mhz);
    int (*reasons)(device device, unsigned long long *bits);
} nvml;

static bool loaded;

static void load(void)
{
    static const struct {
        const char *name;
        void *to;
    } all[] = {
        {"nvmlInit_v2", &nvml.start},
        {"nvmlDeviceGetCount_v2", &nvml.count},
        {"nvmlDeviceGetHandleByIndex_v2", &nvml.by_index},
        {"nvmlDeviceGetHandleByPciBusId_v2", &nvml.by_bus},
        {"nvmlDeviceGetHandleByUUID", &nvml.by_uuid},
        {"nvmlDeviceGetClockInfo", &nvml.clock},
        {"nvmlDeviceGetCurrentClocksThrottleReasons", &nvml.reasons},
    };
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        void *symbol = library != NULL ? dlsym(library, all[i].name) : NULL;
        if (symbol == NULL)
            return;
        memcpy(all[i].to, &symbol, sizeof symbol);
    }
    loaded = nvml.start() == SUCCESS;
}

/* ---- Which GPU ---- */

static bool find_by_cuda(int ordinal, device *out)
{
    char bus[32];
    return qp_cuda_bus(ordinal >= 0 ? ordinal : 0, bus, sizeof bus) &&
           nvml.by_bus(bus, out) == SUCCESS;
}

/* NVML's word for a GPU, such as "GPU-3f4cad1f-...". */
static bool find_by_uuid(const struct qp_context *context, device *out)
{
    unsigned char byte[16];
    char text[sizeof "GPU-00112233-4455-6677-8899-aabbccddeeff"] = "GPU-";
    size_t used = strlen(text);
    if (!qp_gl_uuid(context, byte))
        return false;
    for (int i = 0; i < 16; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%02x",
                                 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", byte[i]);
    return nvml.by_uuid(text, out) == SUCCESS;
}

static bool find_the_only_one(device *out)
{
    unsigned count = 0;
    return nvml.count(&count) == SUCCESS && count == 1 && nvml.by_index(0, out) == SUCCESS;
}

static bool find(const struct qp_context *context, enum qp_backend backend, device *out)
{
    if (backend == QP_CUDA)
        return find_by_cuda(qp_context_cuda_ordinal(context), out);
    return backend == QP_GL && context != NULL &&
           strncmp(context->device.vendor, "NVIDIA", 6) == 0 &&
           (find_by_uuid(context, out) || find_the_only_one(out));
}

bool qp_nvml_read(struct qp_context *context, enum qp_backend backend, double *mhz,
                  unsigned *reasons)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    device gpu;
    unsigned clock;
    unsigned long long bits;
    if (backend != QP_CUDA && backend != QP_GL)
        return false;
    pthread_once(&once, load);
    if (!loaded || !find(context, backend, &gpu) || nvml.clock(gpu, CLOCK_SM, &clock) != SUCCESS ||
        nvml.reasons(gpu, &bits) != SUCCESS)
        return false;
    *mhz = clock;
    *reasons = 0;
    for (int bit = 0; qp_throttle_name(bit) != NULL; bit++)
        *reasons |= bits >> (bit + 1) & 1 ? 1U << bit : 0U;
    return true;
}

/* Names of reasons from NVML's second bit on: its first says that the GPU is idle, after a run. */
const char *qp_throttle_name(int bit)
{
    static const char *const names[] = {
        "application clocks", "power cap",        "hardware slowdown", "sync boost",
        "software thermal",   "hardware thermal", "power brake",       "display clocks"};
    return bit >= 0 && bit < (int)(sizeof names / sizeof names[0]) ? names[bit] : NULL;
}
