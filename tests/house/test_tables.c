/* SPDX-License-Identifier: MIT */
/* The scripts that make the documentation's tables of records. */
#include "support/shell.h"

#include <stdio.h>
#include <string.h>

/* Records of paper 5's table and of small grids. */
#define SPMV(row, kind, side, rate)                                              \
    "{\"variant\": \"spmv/" row "\", \"backend\": \"cpu\", \"problem\": \"" kind \
    "\", \"width\": " #side ", \"height\": " #side ", \"glups\": " rate "}"
#define RAN(row, size, steps, rate, blocks)                                                       \
    "{\"variant\": \"" row "\", \"problem\": \"spike\", \"width\": " #size ", \"height\": " #size \
    ", \"iterations\": " #steps ", \"glups\": " #rate ", \"block\": " #blocks "}"
#define TUNED(steps, rate) RAN("poisson5/cuda_tuned_sync", 4096, steps, rate, 6408)
#define BATCH(row, time, rate, blocks)                                             \
    "{\"variant\": \"poisson5_batch/" row                                          \
    "\", \"problem\": \"field\", \"width\": 64, \"height\": 64, "                  \
    "\"systems\": 3, \"iterations\": 9, \"seconds\": " #time ", \"glups\": " #rate \
    ", \"block\": " #blocks "}"
#define CONTEST                                                                             \
    "{\"variant\": \"poisson5/cuda_tuned_sync\", \"problem\": \"spike\", \"width\": 4096, " \
    "\"height\": 4096, \"iterations\": 1000, \"glups\": 99, \"upload_seconds\": null}"
#define COPY                                                                                 \
    "{\"variant\": \"transpose/cuda_copy_memcpy\", \"problem\": \"copy\", \"width\": 8192, " \
    "\"height\": 8192, \"glups\": 100}"

/* The documentation's tables of eliminations, from a record made by hand. */
TEST(tables_of_records_are_right)
{
    static const struct {
        const char *script, *line;
    } cases[] = {
        {"tables.sh cubes r.json", "| `gauss_jordan/loop` | 1000 | - |\n"},
        {"tables.sh cubes r.json", "| d, ns / N^3 | N = 10 | N = 20 |\n"},
        {"tables.sh cubes r.json", "| `gauss_jordan/systems` | - | 12.5 |\n"},
        {"tables.sh blocks r.json", "| b = 4 | 2 | 1 |\n"},
        {"tables.sh batches b.json", "| `gauss_jordan_batch/loop` | 0.5 | fail |\n"},
        {"tables.sh curve w.json", "| n = 4 | 10 | 2.5 | skip | 4 ±2 % |\n"},
        {"tables.sh curve w.json", "| n = 20 | - | 0.5 | 1 | - |\n"},
        {"tables.sh curve b.json", "| n = 12 | 0.5 |\n"},
        {"tables.sh transfers t.json", "| d, `up`, GB/s | 2 KiB | 1 MiB |\n"},
        {"tables.sh transfers t.json", "| `transfer/small` | 1.5 | skip |\n"},
        {"tables.sh pieces t.json", "| `transfer/small` | 1.5 | skip |\n"},
        {"tables.sh pieces t.json", "| d, `up`, GB/s | 1 KiB | 4 KiB |\n"},
        {"tables.sh sweeps stride gbytes_per_s a.json", "| p = 2 | 12.5 | - |\n"},
        {"tables.sh sweeps stride gbytes_per_s a.json",
         "| d, stride, 8 x 4, GB/s | `loop` | `openmp` |\n"},
        {"tables.sh sweeps stride gbytes_per_s a.json openmp", "| p = 3 | skip |\n"},
        {"tables.sh sweeps sin error a.json", "| p = 1 | 2 u |\n"},
        {"tables.sh sweeps 'sin|stride' error a.json", "| d, 8 x 4, error | `loop` | `openmp` |\n"},
        {"tables.sh sweeps 'sin|stride' error a.json", "| sin, p = 1 | 2 u | - |\n"},
        {"tables.sh sweeps 'sin|stride' error a.json p=1", "| d, sin, 8 x 4, error | `loop` |\n"},
        {"tables.sh transpose u.json", "| d, GB/s | 4 x 3 | 5 x 3 |\n"},
        {"tables.sh transpose u.json",
         "| `transpose/cuda_padded`, 8 rows of threads | 30 (0.75) | - |\n"},
        {"tables.sh transpose u.json", "| `transpose/loop` | - | 2 |\n"},
        {"tables.sh transpose u.json", "| CPU of the cpu variants | c | c |\n"},
        {"tables.sh sparse v.json", "| d, 1e9 entries/s | nine | arrow | mean |\n"},
        {"tables.sh sparse v.json", "| `loop` | 2 | 8 | 4 |\n"},
        {"tables.sh sparse v.json", "| `diagonals` | 5 | skip | - |\n"},
        {"tables.sh sparse v.json", "| CPU of the cpu variants | c |  |  |\n"},
        {"tables.sh steps p.json", "| `cuda_tuned_sync`, n = 4096 | 20 | 40 | 50 |\n"},
        {"tables.sh systems p.json",
         "| `poisson5_batch/cuda_graphs`, 8 in flight | 50 | 2 | 1 |\n"},
        {"tables.sh systems p.json", "| `poisson5_batch/cuda_batch` | 0.5 | 200 | 100 |\n"},
        {"tables.sh systems r.json p.json", "| d, 3 grids of 64 x 64, 9 steps | ms |"},
        {"tables.sh shapes p.json", "| 16 x 8 | 16 | 30 | 1.67 |\n"},
    };
    write_file(
        "r.json",
        "{\"device\": \"d\", \"records\": [{\"variant\": \"gauss_jordan/loop\", \"height\": 10, "
        "\"systems\": 1, \"iterations\": 2, \"seconds\": 0.002}, {\"variant\": "
        "\"gauss_jordan/systems\", \"height\": 20, \"systems\": 4, \"iterations\": 1, "
        "\"seconds\": 0.0004}, {\"variant\": \"gauss_jordan/blocks_noop_notex\", \"height\": 20, "
        "\"systems\": 1, \"block\": 4, \"vertices\": 2e6, \"iterations\": 2, \"seconds\": 4}]}");
    static const char *const records[] = {
        COPY,
        CONTEST,
        TUNED(1, 20),
        TUNED(4, 40),
        TUNED(16, 50),
        RAN("poisson5/cuda_tuned_sync", 4096, 16, 30, 1608),
        RAN("poisson5/cuda_naive", 4096, 16, 40, null),
        RAN("poisson5/cuda_double_hilo", 4096, 16, 25, null),
        RAN("poisson5/cuda_sweep", 8192, 16, 40, null),
        RAN("poisson5/parts_cuda", 8192, 16, 72, null),
        BATCH("cuda_graphs", 0.06, 1.5, 1),
        BATCH("cuda_graphs", 0.05, 2, 8),
        BATCH("cuda_batch", 0.0005, 200, null),
    };
    char text[4096] = "{\"device\": \"d\", \"records\": [";
    for (int i = 0; i < COUNT(records); i++)
        sprintf(text + strlen(text), "%s%s", i > 0 ? "," : "", records[i]);
    strcat(text, "]}");
    write_file("p.json", text);
    write_file("b.json",
               "{\"device\": \"d\", \"records\": [{\"variant\": \"gauss_jordan_batch/loop\", "
               "\"width\": 12, \"systems\": 100, \"iterations\": 5, \"seconds\": 0.001}, "
               "{\"variant\": \"gauss_jordan_batch/loop\", \"width\": 12, \"systems\": 200, "
               "\"iterations\": 5, \"seconds\": null, \"verdict\": \"fail\"}]}");
    write_file("w.json",
               "{\"device\": \"d\", \"records\": ["
               "{\"variant\": \"gauss_jordan_batch/cuda_registers\", \"width\": 4, \"systems\": "
               "10, \"iterations\": 1, \"seconds\": 1e-6, \"spread\": 0.01}, "
               "{\"variant\": \"gauss_jordan_batch/cuda_cublas\", \"width\": 4, \"systems\": 10, "
               "\"iterations\": 1, \"seconds\": 4e-6, \"spread\": 0.01}, "
               "{\"variant\": \"gauss_jordan_batch/cuda_cusolver\", \"width\": 4, \"systems\": 10, "
               "\"iterations\": 1, \"seconds\": null, \"verdict\": \"skip\"}, "
               "{\"variant\": \"gauss_jordan_batch/cuda_cublas\", \"width\": 20, \"systems\": 10, "
               "\"iterations\": 1, \"seconds\": 2e-5}, "
               "{\"variant\": \"gauss_jordan_batch/cuda_cusolver\", \"width\": 20, \"systems\": "
               "10, \"iterations\": 1, \"seconds\": 1e-5}]}");
    write_file("t.json",
               "{\"device\": \"d\", \"records\": [{\"variant\": \"transfer/small\", \"problem\": "
               "\"up\", \"width\": 256, \"height\": 2, \"block\": 1, \"gbytes_per_s\": 1.5}, "
               "{\"variant\": \"transfer/small\", \"problem\": \"up\", \"width\": 256, "
               "\"height\": 1024, \"block\": 4, \"gbytes_per_s\": null, \"verdict\": \"skip\"}]}");
    write_file("a.json",
               "{\"device\": \"d\", \"records\": [{\"variant\": \"access/loop\", \"problem\": "
               "\"stride\", \"parameter\": 2, \"width\": 8, \"height\": 4, \"gbytes_per_s\": "
               "12.5}, {\"variant\": \"access/openmp\", \"problem\": \"stride\", \"parameter\": "
               "3, \"width\": 8, \"height\": 4, \"gbytes_per_s\": null, \"verdict\": \"skip\"}, "
               "{\"variant\": \"access/loop\", \"problem\": \"stride\", \"parameter\": 2, "
               "\"width\": 4, \"height\": 4, \"gbytes_per_s\": 99}, {\"variant\": "
               "\"access/loop\", \"problem\": \"sin\", \"parameter\": 1, \"width\": 8, "
               "\"height\": 4, \"error\": 1.1920928955078125e-07}]}");
    write_file(
        "u.json",
        "{\"device\": \"d\", \"cpu\": \"c\", \"records\": [{\"variant\": \"transpose/cuda_copy\", "
        "\"backend\": \"cuda\", \"width\": 4, \"height\": 3, \"gbytes_per_s\": 40}, {\"variant\": "
        "\"transpose/cuda_padded\", \"backend\": \"cuda\", \"width\": 4, \"height\": 3, "
        "\"block\": 8, \"gbytes_per_s\": 30}, {\"variant\": \"transpose/loop\", \"backend\": "
        "\"cpu\", \"width\": 5, \"height\": 3, \"gbytes_per_s\": 2}]}");
    write_file(
        "v.json",
        "{\"device\": \"d\", \"cpu\": \"c\", \"records\": [" SPMV("loop", "nine", 9, "2") ", " SPMV(
            "loop", "nine", 4,
            "7") ", " SPMV("loop", "arrow", 9,
                           "8") ", " SPMV("diagonals", "nine", 9,
                                          "5") ", " SPMV("diagonals", "arrow", 9,
                                                         "null, \"verdict\": \"skip\"") "]}");
    for (int i = 0; i < COUNT(cases); i++)
        expect_tool(cases[i].script, 0, cases[i].line);
}

/* A ratio of docs/forgiven.md is one speed over another of the same size on the same device, the
 * newest that has both; without records there is none. */
TEST(forgiven_is_a_ratio)
{
    static const struct {
        const char *section, *line;
        int code;
    } cases[] = {
        {"one", "| against the rule / with it | then | now | since |\n", 0},
        {"one", "| w | 0.25, c | 0.3, d | s |\n", 0},
        {"one", "| v | - | 2, d | t |\n", 0},
        {"two", "no records of reduce/tree and access/loop stride 1, 4x3, on one device", 5},
        {"three", "no lines of three", 5},
        {"four", "no claim is nothing", 5},
    };
    write_file("f.csv", "section,what,card,theirs,claim,size,since\n"
                        "one,w,c,5/20,order,4x3,s\n"
                        "one,v,,,memory,4x3,t\n"
                        "two,u,,,passes,4x3,r\n"
                        "four,u,,,nothing,4x3,r\n");
    write_file("claims.csv", "paper,place,claim,theirs,ours,against,sizes\n"
                             "4,x,order,,access/loop stride 1,access/loop stride 8,\n"
                             "4,x,memory,,access/loop stride 1,reduce/loop,\n"
                             "4,x,passes,,access/loop stride 1,reduce/tree,\n");
    write_file("f.json",
               "{\"device\": \"d\", \"records\": [{\"variant\": \"access/loop\", \"problem\": "
               "\"stride\", \"parameter\": 8, \"width\": 4, \"height\": 3, \"glups\": 1.5}, "
               "{\"variant\": \"access/loop\", \"problem\": \"stride\", \"parameter\": 1, "
               "\"width\": 4, \"height\": 3, \"glups\": 5}, {\"variant\": \"reduce/loop\", "
               "\"problem\": \"sum\", \"parameter\": null, \"width\": 4, \"height\": 3, "
               "\"glups\": 10}, {\"variant\": \"reduce/tree\", \"problem\": \"sum\", "
               "\"parameter\": null, \"width\": 4, \"height\": 4, \"glups\": 10}]}");
    write_file("g.json", "{\"device\": \"NVIDIA e\", \"records\": [{\"variant\": \"reduce/tree\", "
                         "\"problem\": \"sum\", \"parameter\": null, \"width\": 4, \"height\": 3, "
                         "\"glups\": 7}]}");
    for (int i = 0; i < COUNT(cases); i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "cd %s && " QP_SOURCE_DIR "/tools/tables.sh forgiven f.csv claims.csv "
                 "%s f.json g.json",
                 folder, cases[i].section);
        expect(command, cases[i].code, cases[i].line);
    }
}

/* Ours beside an opponent of the same record or another, in the unit that the list names. */
TEST(reach_is_told_by_records)
{
    static const char row[] = "{\"device\": \"d\", \"records\": [{\"variant\": \"reduce/%s\", "
                              "\"systems\": 1, \"iterations\": 4, \"seconds\": 0.%d, "
                              "\"gbytes_per_s\": %d}]}";
    char text[512];
    snprintf(text, sizeof text, row, "tree", 2, 30);
    write_file("2000-01-01-d1-one.json", text);
    snprintf(text, sizeof text, row, "loop", 8, 20);
    write_file("2000-01-01-d1-two.json", text);
    write_file("good.csv", "figure,unit,ours,opponent,wanted\n"
                           "speed,GB/s,one:reduce/tree,two:reduce/loop,1\n"
                           "time,ms,one:reduce/tree,two:reduce/loop,2\n");
    write_file("bad.csv", "figure,unit,ours,opponent,wanted\n"
                          "speed,GB/s,one:reduce/tree,one:reduce/loop,1\n");
    expect_tool("tables.sh reach good.csv *-d1-*.json", 0,
                "| speed, GB/s | d | `reduce/tree` 30 | `reduce/loop` 20 | 1.5 | 1 |\n");
    expect_tool("tables.sh reach good.csv *-d1-*.json", 0,
                "| time, ms | d | `reduce/tree` 50 | `reduce/loop` 200 | 0.25 | 2 |\n");
    expect_tool("tables.sh reach bad.csv *-d1-*.json", 5, "not one record of one:reduce/loop");
}

/* Ratios of two records with samples have the sum of their spreads, in percent of the ratio itself;
 * where samples lie further apart than a fifth a table shows the range, and no ratio. */
TEST(spreads_are_shown)
{
    static const char row[] = "%s{\"variant\": \"transpose/%s\", \"backend\": \"gl\", "
                              "\"pingpong\": \"%s\", \"target\": \"rect\", \"width\": 4, "
                              "\"height\": 4, \"systems\": 1, \"iterations\": 2, \"seconds\": 0.1, "
                              "\"samples\": [0.2, 0.1, 0.05], \"spread\": %g, \"glups\": %d, "
                              "\"gbytes_per_s\": %d}";
    static const struct {
        const char *name, *style;
        double spread;
        int rate;
    } runs[] = {{"copy", "two_attachments", 0.012, 40},
                {"rows", "two_attachments", 0.004, 30},
                {"turns", "two_attachments", 0.21, 20},
                {"rows", "copy", 0.02, 15}};
    static const struct {
        const char *script, *line;
    } cases[] = {
        {"tables.sh grid 4 4 2000-01-01-d-s.json", "| `transpose/rows` | 30 |\n"},
        {"tables.sh grid 4 4 2000-01-01-d-s.json", "| `transpose/turns` | 10 to 40 |\n"},
        {"tables.sh grid_bars 4 4 2000-01-01-d-s.json",
         "# 4 x 4, GLUP/s on d\nlabel,value,note,group\n\"copy\",40,,\"OpenGL\"\n"},
        {"tables.sh grid_bars 4 4 2000-01-01-d-s.json", "\"turns\",20,10 to 40,\"OpenGL\"\n"},
        {"tables.sh sizes_bars 2000-01-01-d-s.json", "\"4 x 4, rows\",30,,\"rows\"\n"},
        {"tables.sh transpose 2000-01-01-d-s.json", "| `transpose/rows` | 30 (0.75 ±2 %) |\n"},
        {"tables.sh transpose 2000-01-01-d-s.json", "| `transpose/turns` | 10 to 40 |\n"},
        {"tables.sh styles 2000-01-01-d-s.json", "`transpose/rows` | 30 |  |  | 50 ±2 % |"},
        {"tables.sh reach s.csv 2000-01-01-d-s.json", "`transpose/copy` 50 | 1 | 1 |\n"},
        {"tables.sh reach s.csv 2000-01-01-d-s.json", "`transpose/turns` 25 to 100 | - | 2 |\n"},
    };
    char text[2048] = "{\"device\": \"d\", \"cpu\": \"c\", \"records\": [";
    for (int i = 0; i < COUNT(runs); i++)
        sprintf(text + strlen(text), row, i > 0 ? "," : "", runs[i].name, runs[i].style,
                runs[i].spread, runs[i].rate, runs[i].rate);
    strcat(text, "]}");
    write_file("2000-01-01-d-s.json", text);
    write_file("s.csv", "figure,unit,ours,opponent,wanted\n"
                        "good,ms,s:transpose/copy,s:transpose/copy,1\n"
                        "bad,ms,s:transpose/copy,s:transpose/turns,2\n");
    for (int i = 0; i < COUNT(cases); i++)
        expect_tool(cases[i].script, 0, cases[i].line);
}

/* The newest of several records of one run counts, in whatever order they are named. */
TEST(newer_records_count)
{
    static const char record[] =
        "{\"device\": \"d\", \"date\": \"2000-01-0%d\", \"records\": [{\"variant\": \"%s\", "
        "\"problem\": \"%s\", \"parameter\": 1, \"width\": 4, \"height\": 4, \"systems\": 1, "
        "\"iterations\": 1, \"seconds\": %d, \"glups\": %d, \"gbytes_per_s\": %d}]}";
    static const struct {
        const char *script, *variant, *problem, *line;
    } cases[] = {
        {"tables.sh sizes", "jacobi9/rgba", "random", "| `jacobi9/rgba` | 3 |\n"},
        {"tables.sh cubes", "gauss_jordan/lu", "exact", "| `gauss_jordan/lu` | 46875000 |\n"},
        {"tables.sh transfers", "transfer/small", "up", "| `transfer/small` | 3 |\n"},
        {"tables.sh sweeps stride gbytes_per_s", "access/loop", "stride", "| p = 1 | 3 |\n"},
        {"tables.sh turns", "jacobi9/cuda_2d", "random", "| `cuda_2d` | 3000000 |\n"},
        {"tables.sh forgiven newer.csv claim.csv one", "access/loop", "stride",
         "| w | - | 1, d | s |\n"},
    };
    char text[512], command[256];
    write_file("newer.csv", "section,what,card,theirs,claim,size,since\n"
                            "one,w,,,same,4x4,s\n");
    write_file("claim.csv", "paper,place,claim,theirs,ours,against,sizes\n"
                            "4,x,same,,access/loop stride 1,access/loop stride 1,\n");
    for (int i = 0; i < 2 * COUNT(cases); i++) {
        for (int day = 1; day <= 2; day++) {
            const int speed = day == 1 ? 9 : 3;
            snprintf(text, sizeof text, record, day, cases[i / 2].variant, cases[i / 2].problem,
                     speed, speed, speed);
            write_file(day == 1 ? "older.json" : "newer.json", text);
        }
        snprintf(command, sizeof command, "cd %s && " QP_SOURCE_DIR "/tools/%s %s.json %s.json",
                 folder, cases[i / 2].script, i % 2 ? "older" : "newer", i % 2 ? "newer" : "older");
        expect(command, 0, cases[i / 2].line);
    }
}

/* An operation's line: variants as `quadpass list` has them, the fastest by the newest record of
 * each variant on the problem, size and steps that the list names; the equation and dashes for an
 * operation that it does not name. */
TEST(operations_are_told_by_rows_and_records)
{
    static const char *const lines[] = {
        "| [`reduce`](docs/r.md) | a sum | 4 | 3 | 5 | 11 | ms | `tree` 20 | `cuda_tree` 10 |\n",
        "| [`transpose`](docs/variants.md) | transpose[i, j] = x[j, i], copy[i, j] = x[i, j] | 4 "
        "| ",
        " | 12 | - | - | - |\n"};
    static const char record[] =
        "{\"device\": \"%s\", \"date\": \"2000-01-0%d\", \"cpu\": \"%s\", \"records\": "
        "[{\"variant\": \"reduce/%s\", \"backend\": \"%s\", \"verdict\": \"%s\", \"problem\": "
        "\"sum\", \"parameter\": null, \"width\": 4, \"height\": %d, \"systems\": 1, "
        "\"iterations\": %d, \"seconds\": %s}]}";
    static const struct {
        const char *file, *device, *name, *backend, *verdict, *seconds;
        int height, steps, day;
        const char *cpu;
    } runs[] = {{"o1.json", "llvmpipe (x)", "tree", "gl", "pass", "0.08", 3, 4, 2, "c"},
                {"o2.json", "llvmpipe (x)", "loop", "cpu", "pass", "0.01", 3, 4, 2, "c"},
                {"o3.json", "llvmpipe (x)", "tree_notex", "gl", "bound", "0.01", 3, 4, 2, "c"},
                {"o4.json", "llvmpipe (x)", "tree", "gl", "pass", "0.01", 2, 4, 2, "c"},
                {"o5.json", "NVIDIA H200/PCIe", "cuda_tree", "cuda", "pass", "0.04", 3, 4, 2, "c"},
                {"o6.json", "NVIDIA H100/PCIe", "cuda_tree", "cuda", "pass", "0.01", 3, 4, 2, "c"},
                /* faster, but older; of other steps; passed before it failed */
                {"o7.json", "llvmpipe (x)", "tree", "gl", "pass", "0.02", 3, 4, 1, "b"},
                {"o8.json", "llvmpipe (x)", "tree", "gl", "pass", "0.02", 3, 8, 3, "b"},
                {"o9.json", "llvmpipe (x)", "rgba", "gl", "pass", "0.02", 3, 4, 1, "b"},
                {"oa.json", "llvmpipe (x)", "rgba", "gl", "fail", "null", 3, 4, 2, "b"}};
    static const char command[] = "tables.sh operations operations.csv o?.json";
    char text[512];
    for (int i = 0; i < COUNT(runs); i++) {
        snprintf(text, sizeof text, record, runs[i].device, runs[i].day, runs[i].cpu, runs[i].name,
                 runs[i].backend, runs[i].verdict, runs[i].height, runs[i].steps, runs[i].seconds);
        write_file(runs[i].file, text);
    }
    write_file("operations.csv",
               "operation,page,what it computes,kind,size,systems,steps,unit\n"
               "reduce,r.md,a sum,sum,4x3,1,4,ms\naccess,a.md,reads,offset 2,12x12,100,1,ms\n");
    for (int i = 0; i < COUNT(lines); i++)
        expect_tool(command, 0, lines[i]);
    /* An older processor beside the other. */
    snprintf(
        text, sizeof text,
        "cd %s && sed 's/reduce.tree/access\\/x/; s/\"sum\"/\"offset\"/; s/null/2/; s/: 3/: 12/; "
        "s/\"width\": 4/\"width\": 12/; s/\"systems\": 1/\"systems\": 100/; s/: 4/: 1/; "
        "s/\"c\"/\"b\"/' o1.json >ob.json",
        folder);
    expect(text, 0, "");
    expect_tool(command, 0, " ms | `x` 80 (b) | - |\n");
    must_print((const char *[]){" ms | `tree` 20 (c) | `cuda_tree` 10 |\n"}, 1);
}

TEST(commands_repeat_the_table)
{
    static const char commands[] =
        "quadpass bench reduce --problem sum --size 4x3 --iterations 4\n"
        "quadpass bench access --problem offset --parameter 2 --size 12x100 --iterations 1\n";
    write_file("commands.csv",
               "operation,page,what it computes,kind,size,systems,steps,unit\n"
               "reduce,r.md,a sum,sum,4x3,1,4,ms\naccess,a.md,reads,offset 2,12x12,100,1,ms\n");
    expect_tool("tables.sh commands commands.csv", 0, commands);
}

/* Figures of years come from the files that the list names, and one that is not there fails. */
TEST(years_are_looked_up)
{
    static const struct {
        const char *change, *words;
        int rc;
    } cases[] = {
        {"s/x/x/", "\"GeForce 6800, 2004\",0.1179,paper 1,OpenGL\n", 0},
        {"s/x/x/", "\"GeForce GTX 280, 2008\",2.07228", 0},
        {"s/x/x/", "\"H200: fragments, 2026\",2.92012", 0},
        {"s/6800_red/6900_red/", "no 6900_red of 1048576 in docs/papers/paper1-results.csv", 5},
        {"s/PH_280/PH_290/", "no seconds of PH_290 CUDA_Texture in docs/papers/", 5},
        {"s/cuda_simple/cuda_simpel/", "no glups of cuda_simpel in docs/measurements/", 5},
        {"s/h200-paper3/h900-paper3/", "No such file or directory", 2},
        {"s/paper3-table3/paper3-table9/", "No such file or directory", 2},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "cd " QP_SOURCE_DIR " && sed '%s' docs/papers/years.csv >%s/y.csv && "
                 "tools/tables.sh years %s/y.csv",
                 cases[i].change, folder, folder);
        expect(command, cases[i].rc, cases[i].words);
    }
}

GROUP(make_folder, remove_folder)
