/*@ origin */
/* heat.frag as a process that quadpass drives: arrays in the host's memory. */
/*@ end */
#ifndef MEMORY_H
#define MEMORY_H

enum { FENCE = 1 << 20 }; /* bytes that nobody may touch, around an array with its guards */

static char *new_block(size_t bytes)
{
    char *all = mmap(NULL, bytes + 2 * FENCE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + FENCE, bytes, PROT_READ | PROT_WRITE) != 0)
        fail("no memory for an array of %d x %d cells", width, height);
    return all + FENCE;
}

static void put_block(char *block, const char *from, size_t bytes)
{
    memcpy(block, from, bytes);
}

static const char *see_block(const char *block, size_t bytes)
{
    (void)bytes;
    return block;
}

static void set_block(char *block, int byte, size_t bytes)
{
    memset(block, byte, bytes);
}

/* An array that is locked may only be read. */
static void lock_block(const struct array *array, bool locked)
{
    mprotect(array->block, bytes_of(array), locked ? PROT_READ : PROT_READ | PROT_WRITE);
}

/* No process may go on after its judge. */
static void finish(void)
{
    if (waitpid(-1, NULL, WNOHANG) >= 0)
        fail("the kernel leaves a process behind");
}

static void forget(void) /* each walk has a process of its own */
{
}

static void name_machine(struct answer *answer)
{
    snprintf(answer->name, sizeof answer->name, "the processor");
}

/* Names the array of an address that the kernel must not touch; else the signal ends the program. */
static void tell_place(int number, siginfo_t *info, void *context)
{
    const char *at = info->si_addr;
    (void)context;
    signal(number, SIG_DFL);
    for (int k = 0; k < INPUTS + OUTPUTS; k++) {
        const struct array *array = k < INPUTS ? &input[k] : &output[k - INPUTS];
        const char *block = array->block, *end = block + bytes_of(array);
        if (block != NULL && at >= block && at < end)
            fail("the kernel writes into '%s', or beside it, which it may only read", array->name);
        if (block != NULL && at >= block - FENCE && at < end + FENCE)
            fail("the kernel reads or writes far %s '%s'",
                 at < block ? "in front of" : "beyond the end of", array->name);
    }
    if (errno == ENOMEM)
        fail("no memory for what the kernel asked for");
}

static void begin(int device)
{
    static char room[1 << 16];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_sigaction = tell_place, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    (void)device;
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

#endif
