/*@ origin */
/* heat.frag as a process that quadpass drives, over a link and by memory that both have. */
/*@ end */
#define main alone
#include "alone.c"
#undef main

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "link.h"

/* Takes the signal of a crash once, which may come from an allocation that has failed. */
static void crash(int signal)
{
    static const char said[] = NAME ": no memory for what its kernel asked for\n";
    if (errno == ENOMEM && write(STDERR_FILENO, said, sizeof said - 1) < 0)
        _exit(2);
    raise(signal);
}

static void serve(struct machine *machine, const struct grid *grid, int at_once, real *cells)
{
    struct request request;
    struct answer answer = {at_once, {{0}}, ""};
    int across, up;
    engine.sides(&across, &up);
    for (int k = 0; k < 4; k++)
        awkward_size(SIZE_OF_REACH + k, REACH, across, up, &answer.sizes[k][0],
                     &answer.sizes[k][1]);
    snprintf(answer.name, sizeof answer.name, "%s", engine.name(machine));
    while (write(LINK, &answer, sizeof answer) == sizeof answer &&
           read(LINK, &request, sizeof request) == sizeof request) {
        errno = 0;
        if (request.what == 'P')
            engine.put(machine, request.number, 0, grid->height, cells);
        else if (request.what == 'G')
            engine.get(machine, request.number, 0, grid->height, cells);
        else if (request.what == 'T')
            take(machine, request.number, at_once);
        else
            seconds(machine); /* which waits */
        for (int k = at_once; k > 0 && request.what == 'L' && engine.load != NULL; k /= 2)
            if (k <= request.number)
                engine.load(machine, k);
    }
}

int main(void)
{
    struct start first;
    struct grid grid;
    struct sigaction once;
    const double *next = first.number;
    memset(&grid, 0, sizeof grid);
    memset(&once, 0, sizeof once);
    once.sa_handler = crash;
    once.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGSEGV, &once, NULL);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || read(LINK, &first, sizeof first) != sizeof first)
        fail("this program is quadpass's own");
    grid.width = first.width;
    grid.height = grid.part.end = grid.part.kept = first.height;
    grid.part.device = first.device;
    grid.set.size.x = (float)grid.width;
    grid.set.size.y = (float)grid.height;
    for (int k = 0; settings[k].name != NULL; k++)
        for (int i = 0; i < settings[k].values; i++)
            set_value(&grid.set, k, i, *next++);
    void *cells =
        mmap(NULL, cells_of(&grid) * sizeof(real), PROT_READ | PROT_WRITE, MAP_SHARED, MEMORY, 0);
    if (cells == MAP_FAILED)
        fail("no memory is shared");
    struct machine *machine = engine.create(&grid);
    serve(machine, &grid, engine.at_once(machine, first.at_once), (real *)cells);
    engine.destroy(machine);
    return 0;
}
