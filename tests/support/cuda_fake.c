/* SPDX-License-Identifier: MIT */
#include "support/cuda_fake.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct cuda_fake cuda_fake;

/* A resource, as CUDA hands it out: a pointer that means nothing to others. */
static struct resource {
    bool registered, mapped;
} resources[32];

static char arrays[2]; /* their addresses stand for two arrays */

void cuda_fake_start(void)
{
    cuda_fake = (struct cuda_fake){.on = true, .devices = 1, .driver = 99000};
    memset(resources, 0, sizeof resources);
}

static int fails(void)
{
    return ++cuda_fake.calls == cuda_fake.fail_at ? cuda_fake.error : 0;
}

/* __wrap_NAME takes the library's calls, __real_NAME is CUDA's own, absent in a build without. */
#define WRAP(name, parameters, arguments, ...)                                     \
    int __real_##name parameters __attribute__((weak));                            \
    int __wrap_##name parameters;                                                  \
    int __wrap_##name parameters                                                   \
    {                                                                              \
        if (!cuda_fake.on)                                                         \
            return __real_##name != NULL ? __real_##name arguments : FAKE_INVALID; \
        __VA_ARGS__                                                                \
    }

/* ---- Devices ---- */

WRAP(cudaGetDeviceCount, (int *count), (count), {
    *count = cuda_fake.devices;
    return cuda_fake.look_error;
})
WRAP(cudaDriverGetVersion, (int *version), (version), {
    *version = cuda_fake.driver;
    return 0;
})
WRAP(cudaRuntimeGetVersion, (int *version), (version), {
    *version = cuda_fake.driver;
    return 0;
})
WRAP(cudaSetDevice, (int device), (device), {
    if (device >= cuda_fake.devices)
        return 101;
    cuda_fake.device = device;
    return fails();
})
WRAP(cudaGetDevice, (int *device), (device), {
    *device = cuda_fake.device;
    return 0;
})
/* Of cudaDeviceAttr. */
enum { COMPUTE_CAPABILITY_MAJOR = 75, COMPUTE_CAPABILITY_MINOR = 76 };

WRAP(cudaDeviceGetAttribute, (int *value, int attribute, int device), (value, attribute, device), {
    *value = 1024;
    if (cuda_fake.major > 0 && attribute == COMPUTE_CAPABILITY_MAJOR)
        *value = cuda_fake.major;
    else if (attribute == COMPUTE_CAPABILITY_MINOR)
        *value = 0;
    return device < cuda_fake.devices ? 0 : 101;
})

/* The properties begin with the device's name, which is all that the library reads. */
static int name_device(char *properties)
{
    strcpy(properties, "a fake");
    return 0;
}

WRAP(cudaGetDeviceProperties, (void *properties, int device), (properties, device),
     { return name_device(properties); })
WRAP(cudaGetDeviceProperties_v2, (void *properties, int device), (properties, device),
     { return name_device(properties); })
WRAP(cudaGLGetDevices, (unsigned *count, int *devices, unsigned most, int list),
     (count, devices, most, list), {
         *count = most > 0 && list == 1 /* all */ ? 1 : 0;
         devices[0] = cuda_fake.gl_device;
         return cuda_fake.gl_error;
     })

/* ---- Memory and streams ---- */

WRAP(cudaMemGetInfo, (size_t * left, size_t *all), (left, all), {
    *left = *all = (size_t)1 << 30;
    return 0;
})
WRAP(cudaMalloc, (void **out, size_t bytes), (out, bytes), {
    int error = fails();
    *out = error == 0 ? aligned_alloc(256, (bytes + 255) / 256 * 256) : NULL;
    return error != 0 || *out != NULL ? error : FAKE_OUT_OF_MEMORY;
})
WRAP(cudaFree, (void *memory), (memory), {
    free(memory);
    return 0;
})
WRAP(cudaMemcpyAsync, (void *to, const void *from, size_t bytes, int kind, void *stream),
     (to, from, bytes, kind, stream), {
         memcpy(to, from, bytes);
         return fails();
     })
WRAP(cudaMemsetAsync, (void *memory, int value, size_t bytes, void *stream),
     (memory, value, bytes, stream), {
         memset(memory, value, bytes);
         return fails();
     })
WRAP(cudaStreamCreateWithFlags, (void **stream, unsigned flags), (stream, flags), {
    int error = fails();
    *stream = error == 0 ? arrays : NULL;
    cuda_fake.streams += error == 0;
    return error;
})
WRAP(cudaStreamSynchronize, (void *stream), (stream), { return fails(); })
WRAP(cudaStreamDestroy, (void *stream), (stream), {
    cuda_fake.streams--;
    return 0;
})
WRAP(cudaDeviceSynchronize, (void), (), {
    cuda_fake.waits++;
    return 0;
})

/* ---- Resources ---- */

static int make_resource(struct resource **out, unsigned flags)
{
    int error = fails();
    if (error != 0)
        return error;
    struct resource *free_one = resources;
    while (free_one->registered)
        free_one++;
    *free_one = (struct resource){.registered = true};
    *out = free_one;
    cuda_fake.registered++;
    cuda_fake.flags = flags;
    return 0;
}

WRAP(cudaGraphicsGLRegisterImage,
     (struct resource * *out, unsigned image, unsigned target, unsigned flags),
     (out, image, target, flags), { return make_resource(out, flags); })
WRAP(cudaGraphicsGLRegisterBuffer, (struct resource * *out, unsigned buffer, unsigned flags),
     (out, buffer, flags), { return make_resource(out, flags); })
WRAP(cudaGraphicsUnregisterResource, (struct resource * resource), (resource), {
    cuda_fake.mapped -= resource->mapped;
    cuda_fake.registered--;
    *resource = (struct resource){0};
    return 0;
})

static int turn(int count, struct resource **all, void *stream, bool mapped)
{
    int error = fails();
    cuda_fake.stream = stream;
    cuda_fake.turns += mapped;
    for (int i = 0; i < count && error == 0; i++)
        error = all[i]->mapped != mapped ? 0 : mapped ? FAKE_ALREADY_MAPPED : FAKE_NOT_MAPPED;
    for (int i = 0; i < count && error == 0; i++) {
        all[i]->mapped = mapped;
        cuda_fake.mapped += mapped ? 1 : -1;
    }
    return error;
}

WRAP(cudaGraphicsMapResources, (int count, struct resource **all, void *stream),
     (count, all, stream), { return turn(count, all, stream, true); })
WRAP(cudaGraphicsUnmapResources, (int count, struct resource **all, void *stream),
     (count, all, stream), { return turn(count, all, stream, false); })
WRAP(cudaGraphicsSubResourceGetMappedArray,
     (void **array, struct resource *resource, unsigned index, unsigned level),
     (array, resource, index, level), {
         static int place;
         place = cuda_fake.moves ? 1 - place : place;
         *array = &arrays[place];
         return resource->mapped ? fails() : FAKE_NOT_MAPPED;
     })
WRAP(cudaGraphicsResourceGetMappedPointer,
     (void **pointer, size_t *bytes, struct resource *resource), (pointer, bytes, resource), {
         *pointer = arrays;
         *bytes = sizeof arrays;
         return resource->mapped ? fails() : FAKE_NOT_MAPPED;
     })

/* ---- Objects ---- */

struct format {
    int x, y, z, w, kind;
};
struct extent {
    size_t width, height, depth;
};

WRAP(cudaArrayGetInfo,
     (struct format * format, struct extent *extent, unsigned *flags, void *array),
     (format, extent, flags, array), {
         *format = (struct format){32, 0, 0, 0, 2};
         *extent = (struct extent){5, 3, 0};
         *flags = 0;
         return fails();
     })

static int make_object(unsigned long long *object)
{
    static unsigned long long last;
    int error = fails();
    if (error == 0) {
        *object = ++last;
        cuda_fake.objects++;
    }
    return error;
}

static int forget_object(void)
{
    cuda_fake.objects--;
    return 0;
}

WRAP(cudaCreateTextureObject,
     (unsigned long long *object, const void *resource, const void *texture, const void *view),
     (object, resource, texture, view), { return make_object(object); })
WRAP(cudaCreateSurfaceObject, (unsigned long long *object, const void *resource),
     (object, resource), { return make_object(object); })
WRAP(cudaDestroyTextureObject, (unsigned long long object), (object), { return forget_object(); })
WRAP(cudaDestroySurfaceObject, (unsigned long long object), (object), { return forget_object(); })
