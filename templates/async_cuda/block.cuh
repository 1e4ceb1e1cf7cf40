/*@ origin */
/* heat.frag as CUDA: a launch of a block by 64 threads, each of which has a column. */
/*@ end */
#ifndef BLOCK_CUH
#define BLOCK_CUH

/* Rows around a cell whose left and right cells the kernel reads, of each array: bit dy + 1. */
constexpr unsigned across_of[ARRAYS] = {
    /*@ across */
    0x2,
    /*@ end */
};
constexpr bool CORNERS = (across_of[0] & 5) != 0;

/* ---- A block in shared memory: B1, and but for Async 3 B2 ---- */

/* A value that, with Async 3, others write without a barrier between. */
template <bool RACES> struct kept_of {
    typedef real type;
};
template <> struct kept_of<true> {
    typedef volatile real type;
};

/* Cells and the fringe around them. */
template <int UP> struct shared_block {
    typename kept_of<SYNC == ASYNC3>::type at[UP + 2][PITCH];
};

/* A cell of the grid, which other blocks read and write meanwhile. */
DEVICE volatile real *there(const struct block *b, int x, int y)
{
    return b->task->cells[0] + (b->y + y) * b->task->pitch + b->x + x;
}

/* A thread's column: its cells, and the values of other arrays in them. */
template <int UP> struct column {
    real state[UP], own[UP][ARRAYS];
};

template <int UP> DEVICE struct column<UP> fetch_column(const struct block *b, int t) {
    struct column<UP> c;
#pragma unroll
    for (int j = 0; j < UP; j++) {
        const bool is_inside = t < b->across && j < b->up;
        const long place = (b->y + j) * b->task->pitch + b->x + t;
        c.state[j] = is_inside ? *there(b, t, j) : 0;
#pragma unroll
        for (int k = 1; k < ARRAYS; k++)
            c.own[j][k] = is_inside ? b->task->cells[k][place] : 0;
    }
    return c;
}

template <int UP>
DEVICE void put(const struct block *b, const struct column<UP> &c, struct shared_block<UP> *to,
                int t)
{
#pragma unroll
    for (int j = 0; j < UP; j++)
        if (t < b->across && j < b->up)
            to->at[j + 1][t + 1] = c.state[j];
}

/* A thread's share of the fringe: cells below and above its column; the first threads have a cell
 * on the left or right too, and four threads a corner. */
struct fringe {
    real below, above, beside, corner;
};

/* The rows of the left and right: UP threads have the left, and the next UP the right. */
template <int UP> DEVICE bool is_beside(const struct block *b, int t)
{
    return t < 2 * UP && t % UP < b->up;
}

template <int UP> DEVICE struct fringe fetch_fringe(const struct block *b, int t)
{
    struct fringe f = {0, 0, 0, 0};
    if (t < b->across) {
        f.below = *there(b, t, -1);
        f.above = *there(b, t, b->up);
    }
    if (is_beside<UP>(b, t))
        f.beside = *there(b, t < UP ? -1 : b->across, t % UP);
    if (CORNERS && t < 4)
        f.corner = *there(b, t % 2 == 0 ? -1 : b->across, t < 2 ? -1 : b->up);
    return f;
}

template <int UP>
DEVICE void put(const struct block *b, const struct fringe &f, struct shared_block<UP> *to, int t)
{
    if (t < b->across) {
        to->at[0][t + 1] = f.below;
        to->at[b->up + 1][t + 1] = f.above;
    }
    if (is_beside<UP>(b, t))
        to->at[t % UP + 1][t < UP ? 0 : b->across + 1] = f.beside;
    if (CORNERS && t < 4)
        to->at[t < 2 ? 0 : b->up + 1][t % 2 == 0 ? 0 : b->across + 1] = f.corner;
}

/* Copies the penultimate fringe, a block's outermost cells, to the grid. Other threads have the
 * cells left and right and may write them now: they are read as they are. */
template <int UP>
DEVICE void write_penultimate(const struct block *b, const struct shared_block<UP> *from, int t)
{
    const int x = t < UP ? 0 : b->across - 1, y = t % UP;
    const bool moves = is_beside<UP>(b, t) && y > 0 && y < b->up - 1;
    const volatile real *beside = &from->at[y + 1][x + 1];
    const struct fringe f = {from->at[1][t + 1], from->at[b->up][t + 1], moves ? *beside : 0, 0};
    if (t < b->across) {
        *there(b, t, 0) = f.below;
        *there(b, t, b->up - 1) = f.above;
    }
    if (moves)
        *there(b, x, y) = f.beside;
}

/* ---- Steps ---- */

/* A step of the thread's column, to cells `pitch` apart: it loads all words of up to eight rows,
 * and then computes. In place a row finds the new value of the row below it. */
template <bool IN_PLACE, int UP, class TO>
DEVICE void compute(const struct block *b, const struct column<UP> &c,
                    const struct shared_block<UP> *from, TO *to, long pitch, int t)
{
    constexpr int ROWS = UP < 8 ? UP : 8;
    if (t >= b->across)
        return;
#pragma unroll
    for (int first = 0; first < UP; first += ROWS) {
        real around[ROWS + 2][3], next[ROWS];
#pragma unroll
        for (int j = 0; j < ROWS + 2; j++)
            for (int i = 0; i < 3; i++)
                around[j][i] = i == 1 || CORNERS || (j > 0 && j <= ROWS)
                                   ? (real)from->at[first + j][t + i]
                                   : 0;
#pragma unroll
        for (int j = 0; j < ROWS; j++) {
            const int y = b->y + min(first + j, b->up - 1);
            next[j] = stepped(b->task, &around[j + 1][1], 3, c.own[first + j], b->x + t, y);
            around[j + 1][1] = IN_PLACE ? next[j] : around[j + 1][1];
        }
#pragma unroll
        for (int j = 0; j < ROWS; j++)
            if (first + j < b->up)
                to[(first + j) * pitch] = next[j];
    }
}

/* A launch: figure 17, and without some of its barriers, moves or B2 figures 18 to 20. All loads of
 * the grid are under way before the first store. With Async 1 other threads may move a cell left or
 * right before its own thread computes it, and must find its earlier value. */
template <int UP> DEVICE void take_launch(const struct task *task)
{
    __shared__ struct shared_block<UP> shared[SYNC == ASYNC3 ? 1 : 2];
    const struct block b = block_of(task, (int)blockIdx.x);
    const int t = (int)threadIdx.x;
    struct shared_block<UP> *from = &shared[0], *to = &shared[SYNC != ASYNC3];
    const struct column<UP> c = fetch_column<UP>(&b, t);
    const struct fringe f = fetch_fringe<UP>(&b, t);
    put(&b, c, from, t);
    put(&b, f, from, t);
    if (SYNC == ASYNC1 && (t == 0 || t == b.across - 1))
        put(&b, c, to, t);
    if (SYNC != ASYNC3)
        put(&b, f, to, t);
    __syncthreads();
    for (int v = 0; v < task->alpha; v++) {
        compute<SYNC == ASYNC3>(&b, c, from, &to->at[1][t + 1], PITCH, t);
        if (SYNC == ASYNC0)
            __syncthreads();
        if (SYNC != ASYNC2)
            write_penultimate(&b, to, t);
        if (SYNC == ASYNC0)
            __syncthreads();
        if (SYNC != ASYNC2)
            put(&b, fetch_fringe<UP>(&b, t), to, t);
        if (SYNC != ASYNC3)
            __syncthreads();
        struct shared_block<UP> *other = from;
        from = to;
        to = other;
    }
    compute<false>(&b, c, from, task->target + b.y * task->pitch + b.x + t, task->pitch, t);
}

/* A kernel for blocks of UP rows. If quadpass compiles it, it wants no other. */
#ifdef __CUDACC_RTC__
#define IS_WANTED(UP) (UP == USUAL_UP)
#else
#define IS_WANTED(UP) true
#endif
#define LAUNCH(UP)                                                                        \
    extern "C" __global__ void __launch_bounds__(ACROSS) launch_##UP(const struct task t) \
    {                                                                                     \
        launch<UP, SYNC != RED_BLACK && IS_WANTED(UP)>(&t);                               \
    }
template <int UP, bool WANTED> DEVICE void launch(const struct task *t)
{
    if constexpr (WANTED)
        take_launch<UP>(t);
}

#endif
