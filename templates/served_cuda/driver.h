/*@ origin */
/* heat.frag as CUDA: calls of the runtime for steps.cu, by the driver, found at run time. */
/*@ end */
#ifndef DRIVER_H
#define DRIVER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stencil.h"

/* Words of device code, which this compiler reads and leaves out. */
#define __device__
#define __forceinline__ inline
template <class... T> int min(T...);
template <class T> T __ldg(const T *);

#define launch_contracted launch_exact /* there is no other */

#include "calls.h"

/* The kernel of `steps` steps. */
static void *kernel_of(int steps)
{
    static void *found[8];
    char name[16] = "steps_1";
    int times = 0;
    while (steps > 1 && MOST_AT_ONCE >> times > steps)
        times++;
    if (steps > 1)
        snprintf(name, sizeof name, "halved_%d", times++);
    found[times] = found[times] != NULL ? found[times] : find_kernel(name);
    return found[times];
}

#define FIND_RESIDENT(kernel, steps, count)                                                \
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, count, kernel_of(steps), (int)LANES, \
         (size_t)0)

#define START(kernel, steps, blocks, threads, task) \
    start(kernel_of(steps), blocks, threads, 0, task)
#define BEGIN(kernel, blocks, threads, shared, ...) \
    start(find_kernel(#kernel), blocks, threads, shared, __VA_ARGS__)
struct cudaFuncAttributes {
};
#define cudaFuncGetAttributes(of, kernel) (find_kernel(#kernel), cudaGetLastError())

#endif
