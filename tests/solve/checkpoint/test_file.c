/* SPDX-License-Identifier: MIT */
/* Files of checkpoints, of a small solve of Poisson's equation: those that are not whole, of
 * another version or of another solve are refused, and so are places where none can be written. */
/* own program: for fsync, which it answers */
#include "support/stops.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/solve/checkpoint/file.h"

static char folder[] = "/tmp/quadpass-checkpoint-XXXXXX", file[64], other[64];

static int prepare(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(file, sizeof file, "%s/c.qpc", folder);
    snprintf(other, sizeof other, "%s/d.qpc", folder);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    unlink(file);
    unlink(other);
    return rmdir(folder);
}

/* ---- Files that are refused ---- */

static unsigned char *read_whole(const char *path, size_t *count)
{
    struct stat there;
    assert_int_equal(stat(path, &there), 0);
    *count = (size_t)there.st_size;
    unsigned char *bytes = malloc(*count);
    FILE *from = fopen(path, "rb");
    assert_non_null(from);
    assert_int_equal(fread(bytes, 1, *count, from), *count);
    fclose(from);
    return bytes;
}

/* Writes a new file: some file systems wait for the disk where an old one was emptied. */
static void write_whole(const char *path, const unsigned char *bytes, size_t count)
{
    unlink(path);
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, count, to), count);
    assert_int_equal(fclose(to), 0);
}

/* A small solve of Poisson's equation, changed by the caller, from this file. */
static enum qp_status try_poisson(const char *resume, void (*change)(struct qp_poisson_desc *desc))
{
    struct qp_solution got;
    struct qp_poisson_desc desc = {.width = 9,
                                   .height = 8,
                                   .seed = 3,
                                   .method = "jacobi",
                                   .tolerance = 1e-7,
                                   .interrupt = &stop,
                                   .on_progress = stops_look,
                                   .checkpoint = resume == NULL ? file : NULL,
                                   .resume = resume};
    if (change != NULL)
        change(&desc);
    const enum qp_status status = qp_solve_poisson(NULL, &desc, &got);
    assert_true(status == QP_OK || got.x == NULL);
    qp_solution_destroy(&got);
    return status;
}

static void make_small(void)
{
    stops_start(2);
    assert_ok(try_poisson(NULL, NULL));
    stops_start(0);
    assert_ok(try_poisson(file, NULL));
}

/* Writes a file, which must be refused: by the function that reads it, and now and then by a
 * solve. */
static void refuse(const unsigned char *bytes, size_t count, bool by_solve, const char *words)
{
    struct qp_archive archive;
    write_whole(other, bytes, count);
    if (by_solve) {
        assert_int_equal(try_poisson(other, NULL), QP_BAD_INPUT);
    } else {
        assert_int_equal(qp_checkpoint_file_read(other, &archive), QP_BAD_INPUT);
        free(archive.bytes);
    }
    support_assert_sentence(words);
}

TEST(cut_and_flipped_files_are_refused)
{
    size_t count;
    make_small();
    unsigned char *bytes = read_whole(file, &count);
    for (size_t length = 0; length < count; length++)
        refuse(bytes, length, length % 101 == 0,
               length < 8 ? "is no checkpoint of a solve" : "is damaged: it was cut");
    for (size_t k = 0; k < count; k++) {
        bytes[k] ^= (unsigned char)(1 << k % 8);
        refuse(bytes, count, k % 101 == 0, k < 8 ? "is no checkpoint of a solve" : "is damaged");
        bytes[k] ^= (unsigned char)(1 << k % 8);
    }
    bytes = realloc(bytes, count + 1);
    bytes[count] = 0;
    refuse(bytes, count + 1, true, "is damaged: it was cut, or has grown");
    write_whole(other, bytes, count);
    assert_ok(try_poisson(other, NULL));
    free(bytes);
}

/* The header's places, and the hash of what was changed in it. */
enum { AT_ORDER = 8, AT_FORMAT = 12, AT_VERSION = 16 };

static void seal(unsigned char *bytes, size_t count)
{
    const uint64_t hash = qp_archive_hash(0, bytes, count - sizeof hash);
    memcpy(bytes + count - sizeof hash, &hash, sizeof hash);
    write_whole(other, bytes, count);
    assert_int_equal(try_poisson(other, NULL), QP_BAD_INPUT);
}

TEST(other_versions_and_machines_are_refused)
{
    static const char newer[16] = "9.9.9";
    size_t count;
    make_small();
    unsigned char *bytes = read_whole(file, &count), *copy = malloc(count);
    memcpy(copy, bytes, count);
    memcpy(copy + AT_VERSION, newer, sizeof newer);
    seal(copy, count);
    support_assert_sentence("was written by version 9.9.9 of Quadpass, and this is " QP_VERSION);
    memcpy(copy, bytes, count);
    copy[AT_FORMAT]++;
    seal(copy, count);
    support_assert_sentence("was written by version");
    memcpy(copy, bytes, count);
    for (int k = 0; k < 4; k++)
        copy[AT_ORDER + k] = bytes[AT_ORDER + 3 - k];
    seal(copy, count);
    support_assert_sentence("comes from a machine with another order of bytes");
    write_whole(other, (const unsigned char *)"\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(try_poisson(other, NULL), QP_BAD_INPUT);
    support_assert_sentence("is no checkpoint of a solve");
    assert_int_equal(try_poisson("/nowhere/c.qpc", NULL), QP_BAD_INPUT);
    support_assert_sentence("/nowhere/c.qpc: cannot be read: No such file");
    assert_int_equal(try_poisson(folder, NULL), QP_BAD_INPUT);
    free(bytes);
    free(copy);
}

#define CHANGE(name, what)                               \
    static void change_##name(struct qp_poisson_desc *d) \
    {                                                    \
        what;                                            \
    }
CHANGE(width, d->width++)
CHANGE(height, d->height = 7)
CHANGE(method, d->method = "sor")
CHANGE(row, d->variant = qp_variant_find("poisson5/sequential"))
CHANGE(precision, d->in_double = true)
CHANGE(tolerance, d->tolerance = 2e-7)
CHANGE(steps, d->most_steps = 5000)
CHANGE(refine, d->refine = true)
CHANGE(style, d->pingpong = QP_COPY)
CHANGE(target, d->target = QP_2D)
CHANGE(seed, d->seed++)
CHANGE(kind, d->kind = "spike")

/* A single value among all, by its last bit. */
static double rhs[72];
CHANGE(bit, d->rhs = rhs)

TEST(other_solves_of_poisson_are_refused)
{
    static const struct {
        void (*change)(struct qp_poisson_desc *desc);
        const char *words;
    } others[] = {{change_width, "whose width of the grid is 9, and here it is 10"},
                  {change_height, "whose height of the grid is 8, and here it is 7"},
                  {change_method, "whose method is jacobi, and here it is sor"},
                  {change_row, "whose variant is poisson5/openmp_blocked, and here it is "
                               "poisson5/sequential"},
                  {change_precision, "and here it is poisson5/openmp_blocked_double"},
                  {change_tolerance, "whose tolerance is 1e-07, and here it is 2e-07"},
                  {change_steps, "whose largest number of steps is 10000000, and here it is 5000"},
                  {change_refine, "whose refinement is off, and here it is on"},
                  {change_style, "whose ping-pong style is two_attachments, and here it is copy"},
                  {change_target, "whose texture target is rect, and here it is 2d"},
                  {change_seed, "of a solve with another right-hand side"},
                  {change_kind, "of a solve with another right-hand side"}};
    make_small();
    for (int k = 0; k < COUNT(others); k++) {
        assert_int_equal(try_poisson(file, others[k].change), QP_BAD_INPUT);
        support_assert_sentence(others[k].words);
    }
    for (int k = 0; k < 72; k++)
        rhs[k] = 1.0 + k;
    stops_start(2);
    struct qp_poisson_desc desc = {.width = 9, .height = 8, .rhs = rhs, .method = "jacobi"};
    struct qp_solution got;
    desc.tolerance = 1e-7;
    desc.checkpoint = file;
    desc.interrupt = &stop;
    desc.on_progress = stops_look;
    assert_ok(qp_solve_poisson(NULL, &desc, &got));
    qp_solution_destroy(&got);
    stops_start(0);
    assert_ok(try_poisson(file, change_bit));
    rhs[71] = nextafter(rhs[71], 100.0);
    assert_int_equal(try_poisson(file, change_bit), QP_BAD_INPUT);
    support_assert_sentence("of a solve with another right-hand side");
}

/* ---- Files that cannot be written ---- */

static void set_path(struct qp_poisson_desc *desc)
{
    desc->resume = NULL;
    desc->checkpoint = other;
    desc->every = 1e-9;
}

static void set_device(struct qp_poisson_desc *desc)
{
    desc->resume = NULL;
    desc->checkpoint = "/dev/full";
}

static void set_nowhere(struct qp_poisson_desc *desc)
{
    desc->resume = NULL;
    desc->checkpoint = "/nowhere/c.qpc";
}

static void set_never(struct qp_poisson_desc *desc)
{
    desc->every = -1.0;
}

/* A disk that is full ends the solve, and the file before is as it was. */
TEST(what_cannot_be_written_is_said)
{
    size_t before, after;
    make_small();
    assert_int_equal(try_poisson(NULL, set_nowhere), QP_BAD_USE);
    support_assert_sentence("/nowhere/c.qpc: cannot be written: No such file");
    assert_int_equal(try_poisson(NULL, set_device), QP_BAD_USE);
    support_assert_sentence("/dev/full: is no file that a checkpoint could replace");
    assert_int_equal(try_poisson(NULL, set_never), QP_BAD_USE);
    support_assert_sentence("every -1 seconds");
    unsigned char *old = read_whole(file, &before);
    write_whole(other, old, before);
    struct rlimit all, little;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
    little = all;
    little.rlim_cur = 512;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    const enum qp_status status = try_poisson(NULL, set_path);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, QP_BAD_INPUT);
    support_assert_sentence("d.qpc: cannot be written: File too large");
    unsigned char *now = read_whole(other, &after);
    assert_int_equal(before, after);
    assert_memory_equal(old, now, before);
    free(old);
    free(now);
}

/* Calls of fsync, the C library's function, whose place this one takes in this program. */
static int synced_files, synced_folders;

int fsync(int descriptor)
{
    struct stat what;
    assert_int_equal(fstat(descriptor, &what), 0);
    *(S_ISDIR(what.st_mode) ? &synced_folders : &synced_files) += 1;
    return 0;
}

/* A checkpoint outlives a loss of power: its bytes are on the disk before it has its name, and then
 * its name is. */
TEST(checkpoints_are_durable)
{
    synced_files = synced_folders = 0;
    make_small();
    assert_true(synced_files >= 1 && synced_folders == synced_files);
}

/* Parts that killed processes have left go when a solve with that checkpoint begins, and nothing
 * else does. */
TEST(leftovers)
{
    const pid_t gone = fork();
    const long process[] = {gone, gone, gone, getpid(), gone};
    static const char *const ends[] = {"-0.part", "-17.part", "-0.txt", "-0.part", "-0.part"};
    char path[COUNT(ends)][128];
    if (gone == 0)
        _exit(0);
    assert_int_equal(waitpid(gone, NULL, 0), gone);
    make_small();
    for (int i = 0; i < COUNT(ends); i++) {
        snprintf(path[i], sizeof path[i], "%s%s.%ld%s", other, i == 4 ? "0" : "", process[i],
                 ends[i]);
        write_whole(path[i], (unsigned char *)path[i], 1);
    }
    const int held = open(path[3], O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(held, LOCK_EX), 0); /* as who writes it holds it */
    assert_ok(try_poisson(NULL, set_path));
    close(held);
    for (int i = 0; i < COUNT(ends); i++)
        assert_int_equal(unlink(path[i]) == 0, i >= 2);
}

GROUP(prepare, clean_up)
