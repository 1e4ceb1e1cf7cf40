/*@ origin */
/* heat.frag in parts: rows of each, and their borders. */
/*@ end */
#include <stdlib.h>
#include <string.h>

#include "parts.h"

/*@ takes partition = 0 to 1 */
/*@ partition */
double partition = -1.0;
/*@ end */
static int exchange = 4; /* goes between two exchanges of borders, at most */

static int least(int a, int b)
{
    return a < b ? a : b;
}

static bool any_wraps(void)
{
    bool wraps = false;
    for (int k = 0; k < ARRAYS; k++)
        wraps = wraps || arrays[k].outside == WRAP;
    return wraps;
}

static int begin_of(int height, int parts, int k, double share)
{
    if (share < 0.0 || k == 0 || parts == 1)
        return (int)((long)height * k / parts);
    const int first = (int)(share * height + 0.5);
    return first + (int)((long)(height - first) * (k - 1) / (parts - 1));
}

struct part part_of(int height, int parts, int k, double share)
{
    const int begin = begin_of(height, parts, k, share),
              end = begin_of(height, parts, k + 1, share), own = end - begin;
    const bool wraps = any_wraps();
    const int below = own == 0 ? 0 : least(HALO, wraps ? height - own : begin),
              above = own == 0 ? 0 : least(HALO, wraps ? height - own - below : height - end);
    struct part part = {begin, end, begin - below, below + own + above, 0};
    return part;
}

int goes_of(const struct part *parts, int count, int height)
{
    int goes = exchange;
    for (int k = 0; k < count; k++)
        goes = any_wraps() && parts[k].kept == height ? 1 : goes;
    return goes;
}

bool next_border(const struct part *parts, int k, int height, int *y, struct border *out)
{
    const struct part *part = &parts[k];
    const int high = part->low + part->kept;
    if (*y == part->begin)
        *y = part->end;
    if (*y >= high)
        return false;
    const int source = (*y + height) % height;
    int owner = 0;
    while (source < parts[owner].begin || source >= parts[owner].end)
        owner++;
    const int count =
        least(parts[owner].end - source, (*y < part->begin ? part->begin : high) - *y);
    const struct border border = {owner, *y, source, count};
    *out = border;
    *y += count;
    return true;
}

void given_rows(const struct part *part, int array, int *low, int *high)
{
    *low = array < STATES ? part->begin : part->low;
    *high = array < STATES ? part->end : part->low + part->kept;
}

void put_part(const struct engine *e, struct machine *machine, const struct part *part,
              const struct grid *grid, int array, const real *rows)
{
    int y, high;
    given_rows(part, array, &y, &high);
    for (int count; y < high; y += count) {
        const int source = (y + grid->height) % grid->height;
        count = least(grid->height - source, high - y);
        e->put(machine, array, y, count, rows + (size_t)source * (size_t)grid->width);
    }
}

bool set_parts(const char *key, size_t length, const char *value)
{
    char *end;
    const double number = strtod(value, &end);
    const bool is_number = end > value && *end == '\0';
    if (length == 9 && strncmp(key, "partition", length) == 0) {
        if (!is_number || !(number >= 0.0 && number <= 1.0))
            fail("partition is a part of the rows from 0 to 1, not '%s'", value);
        partition = number;
    } else if (length == 8 && strncmp(key, "exchange", length) == 0) {
        if (!is_number || !(number >= 1.0 && number <= 4.0) || number != (int)number)
            fail("borders are exchanged every 1 to 4 goes, not '%s'", value);
        exchange = (int)number;
    } else {
        return false;
    }
    return true;
}
