/*@ origin */
/* heat.frag as a process that quadpass drives: its arrays between guards, and its steps. */
/*@ end */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "link.h"

/* An array and a guard on both sides, on the machine; `kept` is what it holds, on the host. */
struct array {
    const char *name;
    size_t value; /* bytes of one */
    char *block, *kept;
};

/*@ file arrays */
#define PATH   "heat.c"
#define KERNEL "heat"
enum { WHOLE = 0 };                  /* values are integers */
static const int group[] = {16, 16}; /* threads of a block of a device */
static struct array input[] = {{"x", 4, NULL, NULL}, {"f", 4, NULL, NULL}},
                    output[] = {{"out", 4, NULL, NULL}};
/*@ end */

enum { INPUTS = sizeof input / sizeof input[0], OUTPUTS = sizeof output / sizeof output[0] };

static int width, height;
static size_t values, guard; /* cells, and bytes of a guard */

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    fprintf(stderr, "\n%s: ", PATH);
    vfprintf(stderr, format, rest);
    fputc('\n', stderr);
    fflush(stderr);
    _exit(1);
}

static size_t bytes_of(const struct array *array)
{
    enum { PAGE = 1 << 12 };
    return (2 * guard + values * array->value + PAGE - 1) / PAGE * PAGE;
}

#include "memory.h"

#include "call.h"

/* ---- Looking ---- */

/* Fails for what has changed in an array: beside its cells, or where it may only be read anywhere. */
static const char *look(const struct array *array, bool is_read)
{
    const size_t all = bytes_of(array), end = guard + values * array->value;
    const char *found = see_block(array->block, all);
    for (size_t i = 0, word = sizeof(uint64_t); i < all; i += word) {
        if (!is_read && i == guard)
            i = end / word * word;
        for (size_t k = i;
             *(const uint64_t *)(found + i) != *(const uint64_t *)(array->kept + i) && k < i + word;
             k++) {
            const size_t cell = (k - guard) / array->value;
            if (found[k] == array->kept[k] || (!is_read && k >= guard && k < end))
                continue;
            if (k < guard || k >= end)
                fail("the kernel writes %s '%s'", k < guard ? "in front of" : "beyond the end of",
                     array->name);
            fail("the kernel changes '%s' at cell (%zu, %zu), which it may only read", array->name,
                 cell % (size_t)width, cell / (size_t)width);
        }
    }
    return found;
}

/* ---- Steps ---- */

/* Values beside the cells of an array, and of cells that nobody has written, are by turns NaN,
 * 1.3e36 and -2.6e36, and 0 once, so that a kernel cannot know them, and a least or largest value
 * takes them in. The first turn changes with the height. */
static unsigned taken;

static int next_byte(void)
{
    static const int bytes[] = {0xff, 0x7b, 0xfb};
    enum { TURNS = sizeof bytes / sizeof bytes[0], ZERO = 18 };
    const unsigned turn = taken++;
    return turn == ZERO ? 0 : bytes[(turn + (unsigned)height + 1) % TURNS];
}

static void surround(struct array *array, int byte, bool whole)
{
    const size_t all = bytes_of(array), end = whole ? guard : guard + values * array->value;
    memset(array->kept, byte, guard);
    memset(array->kept + end, byte, all - end);
    set_block(array->block, byte, guard);
    set_block(array->block + end, byte, all - end);
}

static void take_step(const double *number, bool audited)
{
    const int byte = next_byte();
    void *read[INPUTS], *written[OUTPUTS];
    for (int k = 0; k < INPUTS; k++) {
        if (audited)
            surround(&input[k], byte, false);
        if (audited)
            lock_block(&input[k], true);
        read[k] = input[k].block + guard;
    }
    for (int k = 0; k < OUTPUTS; k++) {
        if (audited)
            surround(&output[k], byte, true);
        written[k] = output[k].block + guard;
    }
    errno = 0;
    call_kernel(width, height, read, written, number);
    if (audited)
        finish();
    for (int k = 0; k < INPUTS && audited; k++) {
        lock_block(&input[k], false);
        look(&input[k], true);
    }
    for (int k = 0; k < OUTPUTS; k++) {
        const struct array old = input[k];
        if (audited) {
            memcpy(output[k].kept, look(&output[k], false), bytes_of(&output[k]));
        }
        input[k].block = output[k].block;
        input[k].kept = output[k].kept;
        output[k].block = old.block;
        output[k].kept = old.kept;
    }
}

/* Steps before the first one, from a state whose halves have changed places, unless its values are
 * whole and may be places themselves: what a kernel remembers, or how often it was called, does not
 * help it. The state is put anew afterwards. */
static void go_astray(int step, const double *number, bool fast)
{
    enum { LOOKS = 2 };
    if (step == 0)
        forget();
    taken = step == 0 ? 0 : taken;
    for (int k = 0; k < OUTPUTS && step == 0 && !WHOLE; k++) {
        char *cells = input[k].kept + guard;
        const size_t half = values / 2 * input[k].value;
        for (size_t i = 0; i < half; i++) {
            const char one = cells[i];
            cells[i] = cells[i + half];
            cells[i + half] = one;
        }
        put_block(input[k].block, input[k].kept, bytes_of(&input[k]));
    }
    take_step(number, !fast || step < LOOKS);
    finish();
}

/* ---- Requests ---- */

static void serve(char *cells, const double *number)
{
    struct request request;
    struct answer answer = {1, {{0}}, ""};
    name_machine(&answer);
    while (write(LINK, &answer, sizeof answer) == sizeof answer &&
           read(LINK, &request, sizeof request) == sizeof request) {
        struct array *array = &input[request.number < INPUTS ? request.number : 0];
        const size_t bytes = values * array->value;
        if (request.what == 'P') {
            memcpy(array->kept + guard, cells, bytes);
            put_block(array->block + guard, cells, bytes);
        } else if (request.what == 'G') {
            memcpy(cells, look(array, false) + guard, bytes);
        } else if (strchr("Ll", request.what) != NULL) {
            go_astray(request.number, number, request.what == 'l');
        }
        for (int k = 0; k < request.number && strchr("Tt", request.what) != NULL; k++)
            take_step(number, request.what == 'T');
        if (request.what == 'F')
            finish();
    }
}

static void make(struct array *array)
{
    const size_t all = bytes_of(array);
    array->kept = (char *)aligned_alloc(64, all);
    array->block = new_block(all);
    if (array->kept == NULL)
        fail("no memory for an array of %d x %d cells", width, height);
    surround(array, 0xff, true);
}

int main(void)
{
    struct start first;
    struct stat memory;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || read(LINK, &first, sizeof first) != sizeof first ||
        fstat(MEMORY, &memory) != 0)
        fail("this program is quadpass's own");
    width = first.width;
    height = first.height;
    values = (size_t)width * (size_t)height;
    guard = ((size_t)width * 16 / 4096 + 1) * 4096; /* two rows */
    char *shared =
        (char *)mmap(NULL, (size_t)memory.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, MEMORY, 0);
    if (shared == MAP_FAILED)
        fail("no memory is shared");
    begin(first.device);
    for (int k = 0; k < INPUTS; k++)
        make(&input[k]);
    for (int k = 0; k < OUTPUTS; k++)
        make(&output[k]);
    serve(shared, (const double *)(shared + memory.st_size - sizeof first.number));
    return 0;
}
