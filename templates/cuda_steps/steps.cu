/*@ origin */
/* heat.frag as CUDA: kernels, their launches, and the machine that program.c drives. */
/*@ end */
#include <stdio.h>
#include <string.h>

#include "cell.cuh"

#ifdef __CUDACC__ /* quadpass has the launches compiled without a compiler for devices, too */

#include "many_steps.cuh"
#include "one_step.cuh"

/* ---- Kernels ---- */

static __global__ void __launch_bounds__(512) one_step(const __grid_constant__ struct task t)
{
    one_block(t);
}

template <int K>
static __global__ void __launch_bounds__(LANES, blocks_of(K))
    many_steps(const __grid_constant__ struct task t)
{
    strip_block<K>(t);
}

#endif

#ifdef __CUDACC_RTC__ /* the same by names that the driver finds */

extern "C" __global__ void __launch_bounds__(512) steps_1(const __grid_constant__ struct task t)
{
    one_block(t);
}

/* The kernel of the most steps at once, halved this many times. */
#define KERNEL(TIMES)                                                                     \
    extern "C" __global__ void __launch_bounds__(LANES, blocks_of(MOST_AT_ONCE >> TIMES)) \
        halved_##TIMES(const __grid_constant__ struct task t)                             \
    {                                                                                     \
        constexpr int K = MOST_AT_ONCE >> TIMES;                                          \
        if constexpr (K > 1 && fits(K) && K <= USUAL)                                     \
            strip_block<K>(t);                                                            \
    }
KERNEL(0)
KERNEL(1)
KERNEL(2)
KERNEL(3)

#else

/* ---- Launches ---- */

#ifdef __CUDACC__
#define START(kernel, steps, blocks, threads, task) kernel<<<blocks, threads>>>(task)
#define FIND_RESIDENT(kernel, steps, count) \
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(count, kernel, LANES, 0)
#endif

static int most(int a, int b)
{
    return a > b ? a : b;
}

static int blocks_in(int cells, int block)
{
    return (cells + block - 1) / block;
}

/* Launches as many blocks as the device holds at once; each multiprocessor has one of the blocks at
 * the grid's sides. */
template <int K> static void launch(struct task *t, int multiprocessors)
{
    if constexpr (fits(K)) {
        constexpr int wide = useful(K);
        static int resident = 0;
        if (resident == 0)
            FIND_RESIDENT(many_steps<K>, K, &resident);
        const int rows = t->end - t->begin, free = t->width - ACROSS - MIDDLE + halo_of(K);
        t->across = blocks_in(t->width, wide);
        t->inner = free >= wide ? free / wide : 0;
        const int edges = t->across - t->inner, edge_chunks = blocks_in(multiprocessors, edges);
        t->edge_rows = most(blocks_in(rows, edge_chunks), K * REACH);
        t->edge_blocks = edges * blocks_in(rows, t->edge_rows);
        const int all = WAVES * multiprocessors * resident,
                  chunks = (all - t->edge_blocks) / most(t->inner, 1);
        t->rows = most(blocks_in(rows, most(chunks, 1)), K * REACH);
        START(many_steps<K>, K, t->edge_blocks + t->inner * blocks_in(rows, t->rows), LANES, *t);
    }
}

#ifdef CONTRACTED
#define LAUNCH launch_contracted
#else
#define LAUNCH launch_exact
#endif

/* Launches a kernel of the most steps at once, halved some times. */
template <int K> static void launch_some(struct task *t, int steps, int multiprocessors)
{
    if (steps == K)
        launch<K>(t, multiprocessors);
    else if constexpr (K > 3)
        launch_some<K / 2>(t, steps, multiprocessors);
}

void LAUNCH(struct task *t, int steps, int threads, int multiprocessors)
{
    if (steps > 1)
        return launch_some<MOST_AT_ONCE>(t, steps, multiprocessors);
    const int warps = threads / LANES, beside = warps < 4 ? warps : 4;
    t->across = blocks_in(t->width, beside * ACROSS);
    START(one_step, 1, t->across * blocks_in(t->end - t->begin, warps / beside * UP),
          dim3(LANES, beside, warps / beside), *t);
}

/* ---- The machine, for program.c ---- */

#ifndef CONTRACTED

void launch_contracted(struct task *t, int steps, int threads, int multiprocessors);

struct machine {
    struct task task;
    real *cells[ARRAYS], *target[STATES];
    int multiprocessors;
    struct part part;
    char name[300];
#ifdef PARTS
    cudaEvent_t done; /* the latest steps and copies */
    real *locked;     /* the host's memory, on the way from another device */
#endif
};

/* Settings of this machine. */
/*@ cuda threads */
static int threads = 512;
/*@ end */
static bool contracts = false;

static void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        fail("the device cannot %s: %s", what, cudaGetErrorString(error));
}

static void use(const struct machine *m)
{
    must(cudaSetDevice(m->part.device), "be used");
}

/* ---- Machines of several devices ---- */

#ifdef PARTS

static bool locked = false; /* rows of other devices come through the host's memory */

static int devices(void)
{
    int count = 0;
    must(cudaGetDeviceCount(&count), "be found");
    return count;
}

/* Lets devices copy from each other where they can, and through the host where not. */
static void join(struct machine *m)
{
    for (int other = 0; other < devices(); other++) {
        int can = 0;
        if (other != m->part.device &&
            cudaDeviceCanAccessPeer(&can, m->part.device, other) == cudaSuccess && can)
            cudaDeviceEnablePeerAccess(other, 0);
    }
    cudaGetLastError(); /* drops the error that devices are joined already */
    must(cudaEventCreateWithFlags(&m->done, cudaEventDisableTiming), "make an event");
    if (locked)
        must(cudaHostAlloc((void **)&m->locked, (size_t)m->task.pitch * HALO * sizeof(real),
                           cudaHostAllocPortable),
             "lock memory");
}

static void leave(struct machine *m)
{
    cudaEventDestroy(m->done);
    cudaFreeHost(m->locked);
}

static void note(struct machine *m)
{
    must(cudaEventRecord(m->done), "take a step");
}

static void follow(struct machine *m, struct machine *other)
{
    use(m);
    must(cudaStreamWaitEvent(0, other->done, 0), "wait for another");
}

static void borrow(struct machine *m, struct machine *owner, int row, int source, int count)
{
    const size_t pitch = (size_t)m->task.pitch, bytes = (size_t)count * pitch * sizeof(real);
    use(m);
    for (int k = 0; k < STATES; k++) {
        real *to = m->cells[k] + (size_t)(row - m->task.low) * pitch,
             *from = owner->cells[k] + (size_t)(source - owner->task.low) * pitch;
        if (locked)
            must(cudaMemcpyAsync(m->locked, from, bytes, cudaMemcpyDefault), "copy rows");
        must(cudaMemcpyAsync(to, locked ? m->locked : from, bytes, cudaMemcpyDefault), "copy rows");
    }
    must(cudaEventRecord(m->done), "copy rows");
}

static bool set_borders(const char *key, size_t length, const char *value)
{
    if (length != 7 || strncmp(key, "borders", length) != 0)
        return false;
    locked = strcmp(value, "locked") == 0;
    if (!locked && strcmp(value, "device") != 0)
        fail("borders are those of the device or locked, not '%s'", value);
    return true;
}

#else

#define join(m)                         (void)0
#define leave(m)                        (void)0
#define note(m)                         (void)0
#define set_borders(key, length, value) false
#define devices                         NULL
#define follow                          NULL
#define borrow                          NULL

#endif

/* ---- The engine ---- */

static struct machine *create(const struct grid *grid)
{
    struct machine *m = (struct machine *)allocate(1, sizeof *m);
    const struct part *part = &grid->part;
    struct cudaDeviceProp device;
    memset(m, 0, sizeof *m);
    m->part = *part;
    use(m);
    must(cudaGetDeviceProperties(&device, part->device), "be found");
    m->multiprocessors = device.multiProcessorCount;
    snprintf(m->name, sizeof m->name, "%s%s", device.name,
             contracts ? ", multiply and add fused: other bits" : "");
    m->task.width = grid->width;
    m->task.height = grid->height;
    m->task.pitch = blocks_in(grid->width, LANES) * LANES;
    m->task.low = part->low;
    m->task.kept = part->kept;
    m->task.floor = most(part->low, 0);
    m->task.ceiling = part->low + part->kept < grid->height ? part->low + part->kept : grid->height;
    m->task.set = grid->set;
    const size_t bytes = (size_t)m->task.pitch * (size_t)most(part->kept, 1) * sizeof(real);
    for (int k = 0; k < ARRAYS; k++) {
        must(cudaMalloc((void **)&m->cells[k], bytes), "hold the arrays");
        if (k < STATES)
            must(cudaMalloc((void **)&m->target[k], bytes), "hold the arrays");
    }
    join(m);
    return m;
}

static void destroy(struct machine *m)
{
    use(m);
    for (int k = 0; k < ARRAYS; k++) {
        cudaFree(m->cells[k]);
        if (k < STATES)
            cudaFree(m->target[k]);
    }
    leave(m);
    free(m);
}

/* Default of steps in one go, the fastest on an H100: fewer where cells look far, and where the
 * grid gives each block few rows. */
static int at_once(const struct machine *m, int asked)
{
#ifdef STEPS
    const bool is_small = false;
#else
    const bool is_small = (long)m->task.width * m->task.height < 1L << 22;
#endif
    const int wanted = asked > 0 ? asked : is_small && USUAL > 4 ? 4 : USUAL;
    int steps = MOST_AT_ONCE;
#ifndef __CUDACC__ /* quadpass has no more compiled */
    while (steps > USUAL)
        steps /= 2;
#endif
    while (steps > wanted || !fits(steps))
        steps /= 2;
    return steps;
}

/* Copies rows of an array to the device or from it. */
static void copy(const struct machine *m, real *cells, int first, int count, real *rows,
                 enum cudaMemcpyKind way)
{
    const size_t row = (size_t)m->task.width * sizeof(real),
                 pitch = (size_t)m->task.pitch * sizeof(real);
    use(m);
    for (int i = 0, next; i < count; i += next) { /* rows up to the end of a copy of the grid */
        const int place = (first + i - m->task.low) % m->task.height;
        real *own = cells + (size_t)place * (size_t)m->task.pitch,
             *other = rows + (size_t)i * (size_t)m->task.width;
        next = m->task.kept - place < count - i ? m->task.kept - place : count - i;
        must(way == cudaMemcpyHostToDevice
                 ? cudaMemcpy2D(own, pitch, other, row, row, (size_t)next, way)
                 : cudaMemcpy2D(other, row, own, pitch, row, (size_t)next, way),
             "copy an array");
    }
}

static void put(struct machine *m, int array, int first, int count, const real *rows)
{
    copy(m, m->cells[array], first, count, (real *)rows, cudaMemcpyHostToDevice);
}

static void get(struct machine *m, int state, int first, int count, real *rows)
{
    copy(m, m->cells[state], first, count, rows, cudaMemcpyDeviceToHost);
}

/* Begins steps of the part and `beyond` rows around it; their results go to the other arrays. */
static void begin(struct machine *m, int steps, int beyond)
{
    const int low = m->part.begin - beyond, high = m->part.end + beyond;
    use(m);
    m->task.begin = WRAPS ? low : most(low, 0);
    m->task.end = WRAPS || high < m->task.height ? high : m->task.height;
    for (int k = 0; k < ARRAYS; k++)
        m->task.from[k] = m->cells[k];
    for (int k = 0; k < STATES; k++)
        m->task.to[k] = m->target[k];
    if (m->task.begin < m->task.end)
        (contracts ? launch_contracted : launch_exact)(&m->task, steps, threads,
                                                       m->multiprocessors);
    must(cudaGetLastError(), "begin a step");
}

static void load(struct machine *m, int steps)
{
    begin(m, steps, 0);
}

static void go(struct machine *m, int steps, int beyond)
{
    begin(m, steps, beyond);
    for (int k = 0; k < STATES; k++) {
        real *other = m->cells[k];
        m->cells[k] = m->target[k];
        m->target[k] = other;
    }
    m->task.backwards = !m->task.backwards;
    note(m);
}

static void finish(struct machine *m)
{
    use(m);
    must(cudaDeviceSynchronize(), "take a step");
}

static const char *name(struct machine *m)
{
    return m->name;
}

static bool set(const char *key, size_t length, const char *value)
{
    if (length == 7 && strncmp(key, "threads", length) == 0) {
        threads = atoi(value);
        if (threads != 32 && threads != 64 &&
            (threads < 128 || threads > 512 || threads % 128 != 0))
            fail("threads are 32, 64, 128, 256, 384 or 512, not '%s'", value);
    } else if (length == 8 && strncmp(key, "contract", length) == 0) {
        contracts = strcmp(value, "yes") == 0;
        if (!contracts && strcmp(value, "no") != 0)
            fail("contract is yes or no, not '%s'", value);
    } else {
        return set_borders(key, length, value);
    }
    return true;
}

/* Sides of blocks of single steps, wider than strips; chunks have as many rows at least. */
static void sides(int *across, int *up)
{
    *across = 4 * ACROSS;
    *up = 4 * UP + MOST_AT_ONCE * REACH;
}

const struct engine ENGINE = {create, destroy, at_once, put,     get,    load,   go,
                              finish, name,    set,     devices, follow, borrow, sides};

#endif

#endif
