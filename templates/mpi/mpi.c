/*@ origin */
/* heat.frag over MPI: a strip of rows a rank; rank 0 has the whole grid before and after. */
/*@ end */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

extern const struct engine processor;

static int rank, ranks;

/* A rank that fails ends all others. */
static void leave(int code, void *unused)
{
    (void)unused;
    if (code > 1)
        MPI_Abort(MPI_COMM_WORLD, code);
    MPI_Finalize();
}

/* Starts MPI before main, which prints on the rank that leads. */
__attribute__((constructor)) static void enter(void)
{
    int level;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    leads = rank == 0;
    on_exit(leave, NULL);
}

struct machine {
    struct grid grid;
    struct part *part; /* parts of all ranks */
    struct machine *own;
    int goes;       /* see goes_of */
    int left;       /* rows of borders that are still right */
    real *in, *out; /* borders on their way, or a row of the grid */
    MPI_Request *request;
    MPI_Datatype row;
    char name[64];
};

/* Counts rows of one state that travel: to this rank, and from it. */
static void count_borders(const struct machine *m, int *in, int *out, int *messages)
{
    struct border b;
    *in = *out = *messages = 0;
    for (int to = 0; to < ranks; to++) {
        for (int y = m->part[to].low; next_border(m->part, to, m->grid.height, &y, &b);) {
            *in += to == rank ? b.count : 0;
            *out += b.owner == rank ? b.count : 0;
            *messages += to == rank || b.owner == rank;
        }
    }
}

static real *make_rows(const struct machine *m, int count)
{
    return (real *)allocate((size_t)(count + 1) * (size_t)m->grid.width, sizeof(real));
}

static struct machine *create(const struct grid *grid)
{
    struct machine *m = (struct machine *)allocate(1, sizeof *m);
    struct grid own = *grid;
    int in, out, messages;
    m->grid = *grid;
    m->part = (struct part *)allocate((size_t)ranks, sizeof *m->part);
    for (int k = 0; k < ranks; k++)
        m->part[k] = part_of(grid->height, ranks, k, partition);
    own.part = m->part[rank];
    m->own = processor.create(&own);
    m->goes = goes_of(m->part, ranks, grid->height);
    count_borders(m, &in, &out, &messages);
    m->in = make_rows(m, in * STATES);
    m->out = make_rows(m, out * STATES);
    m->request = (MPI_Request *)allocate((size_t)(messages * STATES) + 1, sizeof *m->request);
    MPI_Type_contiguous(grid->width * (int)sizeof(real), MPI_BYTE, &m->row);
    MPI_Type_commit(&m->row);
    return m;
}

static void destroy(struct machine *m)
{
    processor.destroy(m->own);
    MPI_Type_free(&m->row);
    free(m->part);
    free(m->in);
    free(m->out);
    free(m->request);
    free(m);
}

static int at_once(const struct machine *m, int asked)
{
    return processor.at_once(m->own, asked);
}

/* Sends rows of rank 0's array to all ranks, to each the rows that it needs. */
static void put(struct machine *m, int array, int first, int count, const real *rows)
{
    (void)first, (void)count; /* all */
    m->left = 0;
    if (rank == 0)
        put_part(&processor, m->own, &m->part[0], &m->grid, array, rows);
    for (int to = 1; to < ranks; to++) {
        int y, high;
        for (given_rows(&m->part[to], array, &y, &high); y < high && (rank == 0 || rank == to);
             y++) {
            const int source = (y + m->grid.height) % m->grid.height;
            if (rank == 0)
                MPI_Send(rows + (size_t)source * (size_t)m->grid.width, 1, m->row, to, 0,
                         MPI_COMM_WORLD);
            else
                MPI_Recv(m->in, 1, m->row, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == to)
                processor.put(m->own, array, y, 1, m->in);
        }
    }
}

static void get(struct machine *m, int state, int first, int count, real *rows)
{
    (void)first, (void)count;
    for (int from = 0; from < ranks; from++) {
        const struct part *part = &m->part[from];
        for (int y = part->begin; y < part->end; y++) {
            real *to = rank == 0 ? rows + (size_t)y * (size_t)m->grid.width : m->out;
            if (rank == from)
                processor.get(m->own, state, y, 1, to);
            if (rank == from && rank > 0)
                MPI_Send(to, 1, m->row, 0, 0, MPI_COMM_WORLD);
            else if (rank == 0 && from > 0)
                MPI_Recv(to, 1, m->row, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
}

/* Sends rows to all ranks that keep rows of this rank, and takes theirs. */
static void exchange(struct machine *m)
{
    struct border b;
    real *in = m->in, *out = m->out;
    int requests = 0;
    for (int to = 0; to < ranks; to++) {
        for (int y = m->part[to].low; next_border(m->part, to, m->grid.height, &y, &b);) {
            const size_t values = (size_t)b.count * (size_t)m->grid.width;
            for (int k = 0; k < STATES && to == rank; k++, in += values)
                MPI_Irecv(in, b.count, m->row, b.owner, k, MPI_COMM_WORLD, &m->request[requests++]);
            for (int k = 0; k < STATES && b.owner == rank; k++, out += values) {
                processor.get(m->own, k, b.source, b.count, out);
                MPI_Isend(out, b.count, m->row, to, k, MPI_COMM_WORLD, &m->request[requests++]);
            }
        }
    }
    MPI_Waitall(requests, m->request, MPI_STATUSES_IGNORE);
    in = m->in;
    for (int y = m->part[rank].low; next_border(m->part, rank, m->grid.height, &y, &b);) {
        for (int k = 0; k < STATES; k++, in += (size_t)b.count * (size_t)m->grid.width)
            processor.put(m->own, k, b.row, b.count, in);
    }
}

static void go(struct machine *m, int steps, int beyond)
{
    (void)beyond;
    if (m->left < steps * REACH) {
        exchange(m);
        m->left = m->goes * steps * REACH;
    }
    m->left -= steps * REACH;
    processor.go(m->own, steps, m->part[rank].kept > 0 ? m->left : 0);
}

static void finish(struct machine *m)
{
    (void)m;
    MPI_Barrier(MPI_COMM_WORLD);
}

static const char *name(struct machine *m)
{
    snprintf(m->name, sizeof m->name, "%d rank%s of %s", ranks, ranks > 1 ? "s" : "",
             processor.name(m->own));
    return m->name;
}

static void sides(int *across, int *up)
{
    processor.sides(across, up);
}

static bool set(const char *key, size_t length, const char *value)
{
    return set_parts(key, length, value) || processor.set(key, length, value);
}

const struct engine engine = {create, destroy, at_once, put,  get,  NULL, go,
                              finish, name,    set,     NULL, NULL, NULL, sides};
