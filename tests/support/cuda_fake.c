/* SPDX-License-Identifier: MIT */
#include "support/cuda_fake.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "support/cuda_fake_wrap.h"

struct cuda_fake cuda_fake;
_Thread_local int cuda_fake_device;

/* A resource, as CUDA hands it out: a pointer that means nothing to others. */
static struct resource {
    bool registered, mapped;
} resources[32];

static char arrays[2]; /* their addresses represent two arrays */

void cuda_fake_start(void)
{
    cuda_fake = (struct cuda_fake){.on = true, .devices = 1, .driver = 99000};
    cuda_fake_streams_start();
    memset(resources, 0, sizeof resources);
}

int cuda_fake_fails(void)
{
    return ++cuda_fake.calls == cuda_fake.fail_at ? cuda_fake.error : 0;
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
    cuda_fake_device = device;
    return cuda_fake_fails();
})
WRAP(cudaGetDevice, (int *device), (device), {
    *device = cuda_fake_device;
    return 0;
})
/* Numbers of cudaDeviceAttr. */
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

/* ---- Memory ---- */

WRAP(cudaMemGetInfo, (size_t * left, size_t *all), (left, all), {
    *left = *all = (size_t)1 << 30;
    return 0;
})
WRAP(cudaDeviceSynchronize, (void), (), {
    cuda_fake.waits++;
    return 0;
})

/* ---- Resources ---- */

static int make_resource(struct resource **out, unsigned flags)
{
    int error = cuda_fake_fails();
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
    int error = cuda_fake_fails();
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
         return resource->mapped ? cuda_fake_fails() : FAKE_NOT_MAPPED;
     })
WRAP(cudaGraphicsResourceGetMappedPointer,
     (void **pointer, size_t *bytes, struct resource *resource), (pointer, bytes, resource), {
         *pointer = arrays;
         *bytes = sizeof arrays;
         return resource->mapped ? cuda_fake_fails() : FAKE_NOT_MAPPED;
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
         return cuda_fake_fails();
     })

static int make_object(unsigned long long *object)
{
    static unsigned long long last;
    int error = cuda_fake_fails();
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
