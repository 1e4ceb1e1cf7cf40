/* SPDX-License-Identifier: MIT */
/* Asynchronous kernel of ours, after chapter V of paper 5: its Async 3 on registers. A warp has a
 * tile of 64 x UP unknowns, a lane two columns beside each other, and sweeps it alpha + 1 times in
 * place, up and down in turn: in a row first the even columns, then the odd ones, each from its
 * neighbours' latest values. This is Gauss-Seidel within the tile, which needs neither shared
 * memory nor a barrier: neighbours in the row come by shuffles, those above and below are the
 * lane's own. The fringe is read once a launch. At its end the tile's outermost ring goes, beside
 * the results, into the grid that is read, too, where tiles that begin later find it. */
#include "lab/engines/launch.cuh"
#include "lab/ops/poisson5/async.h"
#include "lab/ops/poisson5/cuda/kernels.h"
#include "lab/ops/poisson5/spike.h"

namespace
{

constexpr int ACROSS = QP_ASYNC_ACROSS, LANES = 32, WARPS = 4, THREADS = LANES * WARPS;
constexpr unsigned ALL = 0xffffffffu;

/* Arguments of a launch. */
struct task {
    float *x, *out;
    const float *rhs; /* NULL: h^2 f is 1 at the spike and else 0 */
    int width, height, pitch, rhs_pitch, sweeps, spike_x, spike_y;
    float weight;
};

/* A lane's two columns, and the fringe: below and above its columns, and of row `lane` to the left
 * and right. */
template <int UP> struct tile {
    float even[UP], odd[UP];
    float below_even, below_odd, above_even, above_odd, left, right;
    int lane, x0, y0; /* its first cell */
};

__device__ bool is_inside(const task &k, int x, int y)
{
    return x >= 0 && x < k.width && y >= 0 && y < k.height;
}

/* Hides from the compiler that a number stays as it is: it would keep all that follows from it, for
 * all rows, in registers. */
__device__ void forget(float &value)
{
#ifdef __CUDA_ARCH__
    asm volatile("" : "+f"(value));
#else
    (void)value;
#endif
}

__device__ void forget(int &value)
{
#ifdef __CUDA_ARCH__
    asm volatile("" : "+r"(value));
#else
    (void)value;
#endif
}

/* A value of the grid, 0 on the rim and outside. Volatile: past the first-level cache. */
__device__ float value_at(const task &k, int x, int y)
{
    return is_inside(k, x, y) ? ((volatile const float *)k.x)[(long)y * k.pitch + x] : 0.0f;
}

__device__ float rhs_at(const task &k, int x, int y)
{
    if (k.rhs == nullptr)
        return x == k.spike_x && y == k.spike_y ? 1.0f : 0.0f;
    return is_inside(k, x, y) ? k.rhs[(long)y * k.rhs_pitch + x] : 0.0f;
}

/* Tiles that lie in the domain with weight 1 stay in registers, for loops over their rows are
 * unrolled: in QUIET ones h^2 f is 0, in FILLED ones it is read from its array in every sweep. All
 * others are in local memory. */
enum form { QUIET, FILLED, EDGE };

template <int UP, enum form FORM> __device__ void fetch(const task &k, tile<UP> &t)
{
    const int x = t.x0 + 2 * t.lane;
#pragma unroll(FORM != EDGE ? UP : 1)
    for (int j = 0; j < UP; j++) {
        if (FORM != EDGE) {
            const float2 pair = *(const float2 *)(k.x + (long)(t.y0 + j) * k.pitch + x);
            t.even[j] = pair.x;
            t.odd[j] = pair.y;
        } else {
            t.even[j] = value_at(k, x, t.y0 + j);
            t.odd[j] = value_at(k, x + 1, t.y0 + j);
        }
    }
    t.below_even = value_at(k, x, t.y0 - 1);
    t.below_odd = value_at(k, x + 1, t.y0 - 1);
    t.above_even = value_at(k, x, t.y0 + UP);
    t.above_odd = value_at(k, x + 1, t.y0 + UP);
    t.left = t.lane < UP ? value_at(k, t.x0 - 1, t.y0 + t.lane) : 0.0f;
    t.right = t.lane < UP ? value_at(k, t.x0 + ACROSS, t.y0 + t.lane) : 0.0f;
}

/* A step of one unknown. */
template <enum form FORM>
__device__ float stepped(const task &k, float old, float across, float up, float side, int x, int y)
{
    const float sum = across + up;
    const float mean = (FORM == QUIET ? sum : sum + side) * 0.25f;
    if (FORM != EDGE)
        return mean;
    const float next = k.weight == 1.0f ? mean : old + k.weight * (mean - old);
    return is_inside(k, x, y) ? next : 0.0f;
}

/* h^2 f of two cells beside each other. */
template <enum form FORM> __device__ float2 rhs_of(const task &k, int x, int y)
{
    int pitch = k.rhs_pitch;
    forget(pitch);
    if (FORM == QUIET)
        return make_float2(0.0f, 0.0f);
    if (FORM == FILLED)
        return *(const float2 *)(k.rhs + (long)y * pitch + x);
    return make_float2(rhs_at(k, x, y), rhs_at(k, x + 1, y));
}

template <int UP, enum form FORM> __device__ void relax_row(const task &k, tile<UP> &t, int j)
{
    const int x = t.x0 + 2 * t.lane, y = t.y0 + j;
    forget(t.left);
    forget(t.right);
    const float first = __shfl_sync(ALL, t.left, j), last = __shfl_sync(ALL, t.right, j);
    const float below_even = j > 0 ? t.even[j > 0 ? j - 1 : 0] : t.below_even;
    const float above_even = j < UP - 1 ? t.even[j < UP - 1 ? j + 1 : j] : t.above_even;
    const float below_odd = j > 0 ? t.odd[j > 0 ? j - 1 : 0] : t.below_odd;
    const float above_odd = j < UP - 1 ? t.odd[j < UP - 1 ? j + 1 : j] : t.above_odd;
    const float2 side = rhs_of<FORM>(k, x, y);
    float left = __shfl_up_sync(ALL, t.odd[j], 1);
    left = t.lane == 0 ? first : left;
    t.even[j] = stepped<FORM>(k, t.even[j], left + t.odd[j], below_even + above_even, side.x, x, y);
    float right = __shfl_down_sync(ALL, t.even[j], 1);
    right = t.lane == LANES - 1 ? last : right;
    t.odd[j] =
        stepped<FORM>(k, t.odd[j], t.even[j] + right, below_odd + above_odd, side.y, x + 1, y);
}

template <int UP, enum form FORM> __device__ void sweep(const task &k, tile<UP> &t)
{
    for (int s = 0; s < k.sweeps; s++) {
#pragma unroll(FORM != EDGE ? UP : 1)
        for (int j = 0; j < UP; j++)
            relax_row<UP, FORM>(k, t, j);
        if (++s == k.sweeps)
            break;
#pragma unroll(FORM != EDGE ? UP : 1)
        for (int j = UP - 1; j >= 0; j--)
            relax_row<UP, FORM>(k, t, j);
    }
}

__device__ void put(const task &k, float *to, int pitch, int x, int y, float value)
{
    if (is_inside(k, x, y))
        ((volatile float *)to)[(long)y * pitch + x] = value;
}

/* Results into `out`, and the outermost ring of the tile's cells into x, too. */
template <int UP, enum form FORM> __device__ void store(const task &k, const tile<UP> &t)
{
    const int x = t.x0 + 2 * t.lane;
    const int top = min(UP, k.height - t.y0) - 1, end = min(ACROSS, k.width - t.x0) - 1;
    int pitch = k.pitch;
    forget(pitch);
#pragma unroll(FORM != EDGE ? UP : 1)
    for (int j = 0; j < UP; j++) {
        const int y = t.y0 + j;
        if (FORM != EDGE) {
            *(float2 *)(k.out + (long)y * pitch + x) = make_float2(t.even[j], t.odd[j]);
        } else {
            put(k, k.out, pitch, x, y, t.even[j]);
            put(k, k.out, pitch, x + 1, y, t.odd[j]);
        }
        const bool row = j == 0 || j == top;
        if (row || t.lane == 0 || 2 * t.lane == end)
            put(k, k.x, pitch, x, y, t.even[j]);
        if (row || 2 * t.lane + 1 == end)
            put(k, k.x, pitch, x + 1, y, t.odd[j]);
    }
}

template <int UP> __device__ enum form form_of(const task &k, int x0, int y0)
{
    const bool spike =
        k.spike_x >= x0 && k.spike_x < x0 + ACROSS && k.spike_y >= y0 && k.spike_y < y0 + UP;
    if (k.weight != 1.0f || x0 + ACROSS > k.width || y0 + UP > k.height)
        return EDGE;
    return k.rhs != nullptr ? FILLED : spike ? EDGE : QUIET;
}

template <int UP, enum form FORM> __device__ void launch_tile(const task &k, int x0, int y0)
{
    tile<UP> t;
    t.lane = threadIdx.x % LANES;
    t.x0 = x0;
    t.y0 = y0;
    fetch<UP, FORM>(k, t);
    sweep<UP, FORM>(k, t);
    store<UP, FORM>(k, t);
}

/* Blocks that a multiprocessor is to hold: as many as leave a lane its columns in registers. */
constexpr int resident_of(int up)
{
    return up == 32 ? 3 : up == 16 ? 5 : 8;
}

template <int UP>
__global__ void __launch_bounds__(THREADS, resident_of(UP)) async_tiles(task k, int tiles)
{
    const int columns = (k.width + ACROSS - 1) / ACROSS;
    const int number = blockIdx.x * WARPS + threadIdx.x / LANES;
    const int x0 = number % columns * ACROSS, y0 = number / columns * UP;
    if (number >= tiles) /* the whole warp */
        return;
    switch (form_of<UP>(k, x0, y0)) {
    case QUIET:
        launch_tile<UP, QUIET>(k, x0, y0);
        break;
    case FILLED:
        launch_tile<UP, FILLED>(k, x0, y0);
        break;
    default:
        launch_tile<UP, EDGE>(k, x0, y0);
    }
}

template <int UP> enum qp_status start(const struct qp_launch *l, struct qp_launch_blocks *out)
{
    const int tiles = qp_poisson5_components(l->problem, UP);
    if (out != nullptr) {
        out->m = tiles;
        out->p = l->cuda->multiprocessors;
        const enum qp_status status = qp_cuda_check(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&out->d, async_tiles<UP>, THREADS, 0),
            "tell how many blocks a multiprocessor holds");
        out->d *= WARPS;
        out->threads = LANES;
        return status;
    }
    task k = {(float *)l->x,     l->out,       l->input[0], l->width, l->height,       l->pitch,
              l->input_pitch[0], l->alpha + 1, 0,           0,        (float)l->weight};
    qp_poisson5_spike(l->problem, &k.spike_x, &k.spike_y);
    async_tiles<UP><<<blocks_in((size_t)tiles, WARPS), THREADS, 0, stream_of(l)>>>(k, tiles);
    return qp_cuda_check_launch("async_tiles");
}

/* Launches once, or with `out` reports its blocks and threads. */
enum qp_status choose(const struct qp_launch *l, struct qp_launch_blocks *out)
{
    return l->block == 16  ? start<16>(l, out)
           : l->block == 8 ? start<8>(l, out)
                           : start<32>(l, out);
}

enum qp_status launch(struct qp_launch *l)
{
    return choose(l, nullptr);
}

enum qp_status components(const struct qp_launch *l, struct qp_launch_blocks *out)
{
    return choose(l, out);
}

} // namespace

const struct qp_cuda_kernel qp_kernel_poisson5_async_tiles = {
    .launch = launch, .components = components, .overwrites = true};
