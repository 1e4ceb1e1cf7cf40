/* SPDX-License-Identifier: MIT */
/* Who may know whom: read off the includes, no OpenGL is needed here. */
#include "support/files.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* The rooms from below, and what files of each may include but their own. Of cuda only what shares textures with OpenGL
 * knows gl; an operation knows no other but those named here. What is in no room of the list may include all. */
static const struct {
    const char *room, *may;
} rooms[] = {
    {"base", ""},
    {"io", "base"},
    {"gl", "base io"},
    {"cuda/interop", "base io gl cuda"},
    {"cuda", "base io"},
    {"plan", "base io"},
    {"engines", "base io gl cuda plan"},
    {"ops/gauss_jordan_batch", "base io gl cuda plan engines ops/gauss_jordan"},
    {"ops/", "base io gl cuda plan engines"},
    {"ops", "base io gl cuda plan engines ops/"},
    {"walk", "base io gl cuda plan engines ops ops/"},
    {"solve", "base io gl cuda plan engines ops ops/ walk"},
    {"baseline", "base io gl cuda plan engines ops ops/"},
    {"cmd/", "base io gl cuda plan engines ops ops/ walk solve baseline cmd cmd/output"},
    {"cmd", "base io gl cuda plan engines ops ops/ walk solve baseline cmd/"},
};

/* Where general files know an operation or a device still, and are to be cut. */
static const char *const leaks[] = {
    "src/plan/op.h ops/table.def",
};
static int leaks_seen;

/* The folder of a path below src, such as "gl" or "ops/reduce". */
static void find_room(const char *path, char room[64])
{
    const char *end = strrchr(path, '/');
    snprintf(room, 64, "%.*s", end != NULL ? (int)(end - path) : 0, path);
    if (strncmp(path, "cuda/interop", 12) == 0)
        strcpy(room, "cuda/interop");
}

/* Whether `room` is one of these; one that ends with a slash stands for all folders in it. */
static bool is_one_of(const char *room, const char *list)
{
    for (size_t length; list[0] != '\0'; list += length + (list[length] == ' ')) {
        length = strcspn(list, " ");
        const bool all = length > 0 && list[length - 1] == '/';
        if (strncmp(room, list, length) == 0 && (all || room[length] == '\0'))
            return true;
    }
    return false;
}

static bool is_leak(const char *path, const char *name)
{
    char both[256];
    snprintf(both, sizeof both, "%s %s", path, name);
    for (int i = 0; i < COUNT(leaks); i++) {
        if (strcmp(leaks[i], both) == 0) {
            leaks_seen++;
            return true;
        }
    }
    return false;
}

static void include_is_lower(const char *path, const char *text)
{
    char name[128], own[64], room[64];
    int k = 0;
    find_room(path + strlen("src/"), own);
    while (k < COUNT(rooms) && !is_one_of(own, rooms[k].room))
        k++;
    if (k == COUNT(rooms)) {
        fault("%s is in no room\n", path);
        return;
    }
    for (const char *at = text; (at = strstr(at, "#include \"")) != NULL; at++) {
        sscanf(at, "#include \"%127[^\"]", name);
        find_room(name, room);
        if (room[0] != '\0' && strcmp(room, own) != 0 && !is_one_of(room, rooms[k].may) &&
            !is_leak(path, name))
            fault("%s includes \"%s\", which no file of its room may\n", path, name);
    }
}

static void layer_rule(void **state)
{
    (void)state;
    leaks_seen = 0;
    each_file("{src/*/*.*,src/*/*/*.*}", 40, include_is_lower);
    assert_int_equal(leaks_seen, COUNT(leaks));
    include_is_lower("src/gl/x.c", "#include \"base/a.h\"\n#include \"ops/a.h\"\n");
    include_is_lower("src/io/x.c", "#include \"gl/a.h\"\n#include \"io/a.h\"\n");
    include_is_lower("src/ops/x/x.c", "#include \"ops/y/a.h\"\n#include \"engines/a.h\"\n");
    include_is_lower("src/cmd/x/x.c", "#include \"cmd/y/a.h\"\n#include \"cmd/output/a.h\"\n");
    include_is_lower("src/plan/x.c", "#include \"engines/a.h\"\n#include \"plan/a.h\"\n");
    include_is_lower("src/x/x.c", "");
    assert_int_equal(faults, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(layer_rule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
