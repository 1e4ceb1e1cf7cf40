/* SPDX-License-Identifier: MIT */
/* The layer rule, read off the includes and off the objects' symbols; no OpenGL is needed here. */
#include "support/files.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The layers from below, and what files of each may include or call but their own: a name that ends
 * with a slash means all folders in it. The headers in `heads` may be included, though nothing of
 * their folder may be called: they declare what both use. Of cuda only what shares textures with
 * OpenGL knows gl; an operation knows no other but those named here; trials know the table, whose
 * names they may not take. */
#define BASE    "toolkit/base toolkit/io "
#define GL      BASE "toolkit/gl toolkit/gl/ "
#define TOOLKIT GL "toolkit/glsl toolkit/arrays toolkit/kernel toolkit/passes toolkit/reduce "
#define ENGINES GL "toolkit/cuda lab/plan lab/engines lab/engines/ "
#define OPS     ENGINES "lab/ops lab/ops/ "
#define SOLVE   OPS "lab/walk lab/solve/checkpoint "
#define ALL     "toolkit/ lab/ tools/stencil tools/tune "
static const struct {
    const char *layer, *may, *heads;
} layers[] = {
    {"toolkit/base", "", ""},
    {"toolkit/io", "toolkit/base", ""},
    {"toolkit/gl", BASE, "toolkit/gl/context/context.h"},
    {"toolkit/gl/context", BASE "toolkit/gl", ""},
    {"toolkit/cuda/interop", GL "toolkit/cuda", ""},
    {"toolkit/cuda", BASE, ""},
    {"toolkit/glsl", "toolkit/base", "toolkit/kernel/kernel.h"},
    {"toolkit/arrays", GL, "toolkit/passes/pass.h toolkit/reduce/reduction.h"},
    {"toolkit/kernel", GL "toolkit/glsl toolkit/arrays", "toolkit/passes/pass.h"},
    {"toolkit/kernel_file", GL "toolkit/glsl toolkit/arrays", "toolkit/kernel/kernel.h"},
    {"toolkit/passes", GL "toolkit/glsl toolkit/arrays toolkit/kernel", ""},
    {"toolkit/reduce", TOOLKIT, ""},
    {"toolkit/proof", TOOLKIT, ""},
    {"lab/plan", BASE, ""},
    {"lab/sparse", TOOLKIT, ""},
    {"lab/engines", GL "toolkit/cuda toolkit/cuda/interop lab/plan", "lab/engines/parts/border.h"},
    {"lab/engines/parts", GL "toolkit/cuda toolkit/cuda/interop lab/plan lab/engines", ""},
    {"lab/ops/gauss_jordan_batch", ENGINES "lab/ops/gauss_jordan", ""},
    {"lab/ops/poisson5_batch", ENGINES "lab/ops/poisson5", ""},
    {"lab/ops/multigrid", ENGINES "lab/ops/jacobi9 lab/ops/poisson5", ""},
    {"lab/ops/spmv", ENGINES TOOLKIT "lab/sparse", ""},
    {"lab/ops/", ENGINES, ""},
    {"lab/ops", ENGINES "lab/ops/", ""},
    {"lab/walk", OPS TOOLKIT, ""},
    {"lab/trial", ENGINES TOOLKIT "toolkit/kernel_file lab/ops lab/walk", ""},
    {"lab/solve/checkpoint", BASE "lab/plan lab/ops lab/walk", ""},
    {"lab/solve/krylov", TOOLKIT "toolkit/cuda lab/plan lab/sparse lab/ops/spmv",
     "lab/engines/launch.cuh"},
    {"lab/solve", SOLVE, ""},
    {"lab/solve/iterate", SOLVE "lab/solve lab/solve/krylov", ""},
    {"lab/solve/eliminate", SOLVE "lab/solve", ""},
    {"lab/solve/poisson", SOLVE "lab/solve lab/solve/iterate", ""},
    {"lab/solve/choose", SOLVE "lab/solve lab/solve/", ""},
    {"lab/baseline", OPS, ""},
    {"tools/tune", OPS "lab/walk", ""},
    {"tools/stencil", TOOLKIT "toolkit/cuda toolkit/kernel_file lab/plan", ""},
    {"tools/cmd/report", ALL "tools/cmd tools/cmd/output tools/cmd/paper", ""},
    {"tools/cmd/", ALL "tools/cmd tools/cmd/output", ""},
    {"tools/cmd", ALL "tools/cmd/", ""},
};

/* The folder of a path below src, such as "toolkit/gl" or "lab/ops/reduce": an operation's own
 * folders are the operation. */
static void find_layer(const char *path, char layer[64])
{
    const char *end = strrchr(path, '/');
    int length = end != NULL ? (int)(end - path) : 0;
    const bool deep = strncmp(path, "lab/ops/", 8) == 0 && length > 8;
    if (deep && 8 + (int)strcspn(path + 8, "/") < length)
        length = 8 + (int)strcspn(path + 8, "/");
    snprintf(layer, 64, "%.*s", length, path);
    if (strncmp(path, "toolkit/cuda/interop", 20) == 0)
        strcpy(layer, "toolkit/cuda/interop");
}

/* True if `layer` is in the list; a name that ends with a slash means all folders in it. */
static bool is_one_of(const char *layer, const char *list)
{
    for (size_t length; list[0] != '\0'; list += length + (list[length] == ' ')) {
        length = strcspn(list, " ");
        const bool all = length > 0 && list[length - 1] == '/';
        if (strncmp(layer, list, length) == 0 && (all || layer[length] == '\0'))
            return true;
    }
    return false;
}

/* True if a file of one folder may call one of another, or include it; a fault if the first is in
 * no layer. */
static bool may_know(const char *path, const char *other, bool included)
{
    char own[64], layer[64];
    int k = 0;
    find_layer(path + strlen("src/"), own);
    find_layer(other, layer);
    while (k < COUNT(layers) && !is_one_of(own, layers[k].layer))
        k++;
    if (k == COUNT(layers))
        fault("%s is in no layer\n", path);
    return k == COUNT(layers) || strcmp(layer, own) == 0 || is_one_of(layer, layers[k].may) ||
           (included && is_one_of(other, layers[k].heads));
}

/* Files that generated programs have, too, are in no layer. */
static void include_is_lower(const char *path, const char *text)
{
    char name[128];
    for (const char *at = text; (at = strstr(at, "#include \"")) != NULL; at++) {
        sscanf(at, "#include \"%127[^\"]", name);
        if (strchr(name, '/') != NULL &&
            strncmp(name, "../templates/", strlen("../templates/")) != 0 &&
            !may_know(path, name, true))
            fault("%s includes \"%s\", which no file of its layer may\n", path, name);
    }
}

TEST(includes)
{
    each_file("src/*/{*,*/*,*/*/*}/*.*", 40, include_is_lower);
    assert_int_equal(faults, 0);
    include_is_lower("src/toolkit/gl/x.c",
                     "#include \"toolkit/base/a.h\"\n#include \"lab/ops/a.h\"\n");
    include_is_lower("src/toolkit/io/x.c",
                     "#include \"toolkit/gl/a.h\"\n#include \"toolkit/io/a.h\"\n");
    include_is_lower("src/lab/ops/x/y/x.c", "#include \"lab/ops/y/a.h\"\n#include "
                                            "\"lab/engines/a.h\"\n#include \"lab/ops/x/z/a.h\"\n");
    include_is_lower("src/tools/cmd/x/x.c",
                     "#include \"tools/cmd/y/a.h\"\n#include \"tools/cmd/output/a.h\"\n");
    include_is_lower("src/lab/plan/x.c",
                     "#include \"lab/engines/a.h\"\n#include \"lab/plan/a.h\"\n");
    include_is_lower("src/x/x.c", "#include \"toolkit/base/a.h\"\n");
    assert_int_equal(faults, 6);
    assert_true(may_know("src/toolkit/gl/x.c", "toolkit/gl/context/context.h", true));
    assert_false(may_know("src/toolkit/gl/x.c", "toolkit/gl/context/caps.h", true));
    assert_false(may_know("src/toolkit/gl/x.c", "toolkit/gl/context/context.c", false));
}

/* The toolkit knows no lab, and the lab no tools: so says the list itself. */
TEST(three_layers)
{
    static const char *const names[] = {"toolkit/", "lab/", "tools/"};
    for (int k = 0; k < COUNT(layers); k++) {
        int own = 0;
        while (own < COUNT(names) && !is_one_of(layers[k].layer, names[own]))
            own++;
        assert_true(own < COUNT(names));
        for (int higher = own + 1; higher < COUNT(names); higher++) {
            if (strstr(layers[k].may, names[higher]) || strstr(layers[k].heads, names[higher]))
                fail_msg("%s may know %s", layers[k].layer, names[higher]);
        }
    }
}

/* ---- Symbols ---- */

/* A global name, and the object that has or wants it, such as src/toolkit/gl/pass.o. */
struct symbol {
    const char *name, *path;
};

struct symbols {
    struct symbol *at;
    size_t count;
};

static void add(struct symbols *all, const char *name, const char *path)
{
    if (all->count % 1024 == 0)
        all->at = realloc(all->at, (all->count + 1024) * sizeof *all->at);
    assert_non_null(all->at);
    all->at[all->count++] = (struct symbol){name, path};
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

/* Reads the output of `nm -A -g`, which is cut into lines for it; objects whose source is gone are
 * old. */
static void read_symbols(char *text, struct symbols *has, struct symbols *wants)
{
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *end = strstr(line, ".o:"), *name = strrchr(line, ' '), source[256];
        if (end == NULL || name == NULL)
            continue;
        *end = '\0';
        const char *kind = strrchr(line, '.') > strrchr(line, '/') ? "" : ".c";
        snprintf(source, sizeof source, "%s%s", line, kind);
        if (access(source, R_OK) == 0 && strchr("TDBRCU", name[-1]) != NULL)
            add(name[-1] == 'U' ? wants : has, name + 1, line);
    }
    qsort(has->at, has->count, sizeof *has->at, by_name);
}

/* No object wants what a layer has that its own may not know. */
static void each_is_lower(const struct symbols *has, const struct symbols *wants)
{
    for (size_t i = 0; i < wants->count; i++) {
        const struct symbol *want = &wants->at[i],
                            *found = bsearch(want, has->at, has->count, sizeof *has->at, by_name);
        if (found != NULL && !may_know(want->path, found->path + strlen("src/"), false))
            fault("%s.o wants %s of %s.o, which no file of its layer may\n", want->path, want->name,
                  found->path);
    }
}

/* Folders with files that want each other in a circle still: to be cut, and never more. */
static const char *const circular[] = {"toolkit/base", "lab/ops/transfer"};
static bool circle_seen[COUNT(circular)];

static void note_circle(const struct symbol *edge)
{
    char layer[64];
    int k = 0;
    find_layer(edge->path + strlen("src/"), layer);
    while (k < COUNT(circular) && strcmp(circular[k], layer) != 0)
        k++;
    if (k == COUNT(circular))
        fault("%s.o and %s.o want each other, or lead to such a circle\n", edge->path, edge->name);
    else
        circle_seen[k] = true;
}

static bool wants_another(const struct symbols *edges, const char *path)
{
    size_t i = 0;
    while (i < edges->count && (edges->at[i].name == NULL || strcmp(edges->at[i].path, path) != 0))
        i++;
    return i < edges->count;
}

/* Strikes out files of one folder that want none of the others, and then those that want only such
 * ones, until all are struck out or a circle is left. */
static void circles_are_known(const struct symbols *has, const struct symbols *wants)
{
    struct symbols edges = {0}; /* from path to name, which is a path too; NULL: struck out */
    char own[64], layer[64];
    for (size_t i = 0; i < wants->count; i++) {
        const struct symbol *want = &wants->at[i],
                            *found = bsearch(want, has->at, has->count, sizeof *has->at, by_name);
        find_layer(want->path, own);
        find_layer(found != NULL ? found->path : "", layer);
        if (strcmp(own, layer) == 0 && strcmp(want->path, found->path) != 0)
            add(&edges, found->path, want->path);
    }
    for (bool struck = true; struck;) {
        struck = false;
        for (size_t i = 0; i < edges.count; i++) {
            if (edges.at[i].name != NULL && !wants_another(&edges, edges.at[i].name)) {
                edges.at[i].name = NULL;
                struck = true;
            }
        }
    }
    for (size_t i = 0; i < edges.count; i++) {
        if (edges.at[i].name != NULL)
            note_circle(&edges.at[i]);
    }
    free(edges.at);
}

static size_t look(char *text)
{
    struct symbols has = {0}, wants = {0};
    faults = 0;
    assert_int_equal(chdir(QP_SOURCE_DIR), 0);
    read_symbols(text, &has, &wants);
    each_is_lower(&has, &wants);
    circles_are_known(&has, &wants);
    free(has.at);
    free(wants.at);
    return has.count + wants.count;
}

TEST(symbols)
{
    char *text,
        circle[] = "src/toolkit/gl/pass.o:0000 T a\n"
                   "src/toolkit/gl/pass.o:     U b\n"
                   "src/toolkit/gl/queue.o:    U a\n"
                   "src/toolkit/gl/queue.o:0000 T b\n"
                   "src/toolkit/gl/step.o:    U a\n"
                   "src/toolkit/gl/pass.o:     U a\n",
        upward[] = "src/toolkit/gl/pass.o:0000 T qp_down\n"
                   "src/toolkit/gl/pass.o:     U qp_up\n"
                   "src/lab/ops/table.o:0000 T qp_up\n"
                   "src/lab/ops/table.o:     U qp_down\n"
                   "src/lab/ops/gone.o:0000 T qp_gone\n"
                   "src/toolkit/gl/pass.o:      U qp_gone\n";
    assert_int_equal(look(upward), 5);
    assert_int_equal(faults, 1);
    assert_int_equal(look(circle), 6);
    assert_int_equal(faults, 3);
    assert_int_equal(
        run_for("cd " QP_BUILD_DIR " && find src -name '*.o' | while read -r o; do s=" QP_SOURCE_DIR
                "/${o%.o}; [ ! -e $s ] && [ ! -e $s.c ] || echo $o; done | xargs nm -A -g",
                &text),
        0);
    assert_true(look(text) > 2000);
    free(text);
    assert_int_equal(faults, 0);
    for (int i = 0; i < COUNT(circular); i++)
        assert_true(circle_seen[i]);
}
