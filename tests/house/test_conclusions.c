/* SPDX-License-Identifier: MIT */
/* The scripts that judge paper 5's conclusions and make its tables, with records made by hand. */
#include "support/shell.h"

#include <stdio.h>
#include <string.h>

/* A run of paper 5's table; with a null in place of its transfers, of figure 21. */
#define STEPS(row, kind, steps, time, rate)                                                  \
    "{\"variant\": \"" row "\", \"backend\": \"" kind                                        \
    "\", \"problem\": \"spike\", \"width\": 4096, \"height\": 4096, \"iterations\": " #steps \
    ", \"seconds\": " #time ", \"glups\": " #rate                                            \
    ", \"upload_seconds\": 0.01, \"readback_seconds\": 0.006, \"alpha\": null, \"block\": null}"
#define NEARS(row, steps, time, alpha) NEARS_AT("d", row, steps, time, alpha)
#define NEARS_AT(place, row, steps, time, alpha)                                               \
    "{\"variant\": \"poisson5/" row "\", \"backend\": \"cuda\", \"problem\": \"spike\", "      \
    "\"width\": 4096, \"height\": 4096, \"iterations\": " #steps ", \"seconds\": " #time       \
    ", \"glups\": 1, \"upload_seconds\": null, \"readback_seconds\": null, \"alpha\": " #alpha \
    ", \"block\": 8, \"cell\": \"c at " place "\"}"
/* Narrow blocks, and grids in parts over two devices beside one. */
#define STEADY(row, steps, rate, block)                                                   \
    "{\"variant\": \"poisson5/" row "\", \"backend\": \"cuda\", \"problem\": \"spike\", " \
    "\"width\": 4096, \"height\": 4096, \"iterations\": " #steps ", \"seconds\": 1, "     \
    "\"glups\": " #rate ", \"upload_seconds\": 0.01, \"readback_seconds\": 0.006, "       \
    "\"alpha\": null, \"block\": " #block "}"

/* A record of paper 5 on a card, and one of a model whose lower part is nine times slower and gains
 * with a tenth. */
static void write_thesis(void)
{
    static const char *const records[] = {
        STEPS("poisson5/threads", "cpu", 32, 0.032, 10),
        STEPS("poisson5/threads_bound", "cpu", 32, 0.03, 12),
        STEPS("poisson5/threads_numa", "cpu", 32, 0.04, 9),
        STEPS("poisson5/cuda_naive", "cuda", 16, 0.004, 40),
        STEPS("poisson5/cuda_padded", "cuda", 16, 0.004, 40),
        STEPS("poisson5/cuda_shared", "cuda", 16, 0.003, 60),
        STEPS("poisson5/cuda_tuned_sync", "cuda", 32, 0.0032, 80),
        STEPS("poisson5/cuda_temporal", "cuda", 240, 0.01, 400),
        STEADY("cuda_tuned_sync", 16, 90, 6408),
        STEADY("cuda_tuned_sync", 16, 50, 1608),
        STEADY("cuda_sweep", 72, 100, 0),
        STEADY("parts_cuda", 72, 180, 0),
        STEADY("parts_cuda_locked", 72, 120, 0),
        "{\"variant\": \"transfer/cuda_pinned\", \"backend\": \"cuda\", \"problem\": \"round\", "
        "\"width\": 4096, \"height\": 4096, \"iterations\": 2, \"seconds\": 0.0176, \"glups\": 1}",
        NEARS("cuda_tuned_sync_waits", 1000, 0.2, null),
        NEARS("cuda_tuned_sync", 1000, 0.1, null),
        NEARS("cuda_async1", 400, 0.125, 2),
        NEARS("cuda_async1", 240, 0.05, 4),
        NEARS("cuda_async2", 400, 0.08, 2),
        NEARS("cuda_async2", 240, 0.05, 4),
        NEARS("cuda_async3", 160, 0.04, 4),
        NEARS_AT("e", "cuda_tuned_sync", 1000, 0.1, null),
        NEARS_AT("e", "cuda_async3", 240, 0.05, 4),
    };
    char text[8192] = "{\"device\": \"NVIDIA H9\", \"cpu\": \"c, 8 threads\", \"records\": [";
    for (int i = 0; i < COUNT(records); i++)
        sprintf(text + strlen(text), "%s%s", i > 0 ? "," : "", records[i]);
    strcat(text, "]}");
    write_file("thesis.json", text);
    strcpy(text, "{\"device\": \"NVIDIA H9\", \"records\": [");
    for (int i = 0; i <= 10; i++)
        sprintf(text + strlen(text),
                "%s{\"variant\": \"poisson5/hybrid_cuda\", \"runs\": \"sweep\", \"width\": 100, "
                "\"height\": 100, \"iterations\": 8, \"slow\": 3, \"rows\": %d, "
                "\"seconds_a_step\": %g, \"predicted\": 1, \"ratio\": 1, \"lower_residual\": 0, "
                "\"upper_residual\": 0, \"exchange_seconds\": 0, \"hindrance\": 0, \"best\": %d}",
                i > 0 ? "," : "", 10 * i,
                i == 1   ? 0.8
                : i == 0 ? 1.0
                         : 0.9 * i,
                i == 2);
    strcat(text, "]}");
    write_file("model.json", text);
    write_file("list.csv", "place,conclusion,there,judgement,why\n"
                           "3.1,a,b,baseline,c\n3.1,a,b,binding,c\n3.1,a,b,numa,c\n"
                           "3.2,a,b,gains cuda_padded cuda_naive 1.05,c\n"
                           "3.2,a,b,gains cuda_shared cuda_naive 1.05,c\n"
                           "3.2,a,b,below cuda_prefetch cuda_tuned_sync 1.02,c\n"
                           "3.4,a,b,transfers,c\n3.4,a,b,match,c\n3.4,a,b,hide,c\n3.4,s,b,steps,c\n"
                           "4.2,a,b,unlike,c\n4.2,a,b,model,c\n4.2,a,b,hybrid,c\n"
                           "3.4,a,b,blocks,c\n4.2,a,b,devices,c\n"
                           "5.4,a,b,never_faster,c\n5.4,a,b,takes_more,c\n5.4,a,b,accelerates,c\n"
                           "5.4,a,b,fewer_accesses,c\n5.4,a,b,small_alpha,c\n5.4,a,b,wildest,c\n"
                           "7,a,b,worth,c\n"
                           "9,a,b,nonsense,c\n");
}

/* A record of a card with noisy transfers, rates that do not settle, and a race within a tenth. */
static void write_near(void)
{
    write_file(
        "near.json",
        "{\"device\": \"NVIDIA H9\", \"cpu\": \"c, 8 threads\", \"records\": [" //
        STEPS("poisson5/cuda_tuned_sync", "cuda", 16, 0.0064, 40) ","           //
        STEPS("poisson5/cuda_tuned_sync", "cuda", 32, 0.0064, 80) ","           //
        STEPS("poisson5/cuda_tuned_sync", "cuda", 64, 0.0256,
              41) "," //
                  "{\"variant\": \"transfer/cuda_pinned\", \"backend\": \"cuda\", "
                  "\"problem\": \"round\", \"width\": 4096, \"height\": 4096, \"iterations\": 2, "
                  "\"seconds\": 0.02, \"samples\": [0.01, 0.02, 0.04], \"spread\": 0.75}," //
        NEARS("cuda_tuned_sync", 1000, 0.1, null) ","                                      //
        NEARS("cuda_async1", 400, 0.095, 2) "]}");
}

/* Conclusions of paper 5 are judged by records, with a dash where there is none. */
TEST(conclusions_are_judged)
{
    static const struct {
        const char *script, *line;
        int code;
    } cases[] = {
        {"tables.sh conclusions list.csv 3.1 thesis.json",
         "| 3.1 | a | b | - | 8 threads, n = 4096: 60 GFLOP/s | - | c |\n", 0},
        {"tables.sh conclusions list.csv 3 thesis.json", "n = 4096: bound 1.2 of unbound |", 0},
        {"tables.sh conclusions list.csv 3 thesis.json", "n = 4096: 0.75 of bound |", 0},
        {"tables.sh conclusions list.csv 3 thesis.json",
         "| 3.2 | a | b | - | - | no longer: 1 | c |\n", 0},
        {"tables.sh conclusions list.csv 3 thesis.json", "| - | - | still so: 1.5 | c |\n", 0},
        {"tables.sh conclusions list.csv 3 thesis.json", "| 3.2 | a | b | - | - | - | c |\n", 0},
        {"tables.sh conclusions list.csv 3 thesis.json", "| still so: 73.3 % by the fastest way |",
         0},
        {"tables.sh conclusions list.csv 3 thesis.json",
         "| 3.4 | a | b | - | - | later: 10 | c |\n", 0},
        {"tables.sh conclusions list.csv 3 thesis.json",
         "| 3.4 | a | b | - | - | later: 352 | c |\n", 0},
        {"tables.sh conclusions list.csv 3 thesis.json",
         "| 3.4 | a | b | - | - | still so: 1.8 | c |\n", 0},
        {"tables.sh conclusions list.csv 4 thesis.json",
         "| still so: 1.8 (through the host 1.2) at n = 4096 | c |\n", 0},
        {"tables.sh conclusions list.csv 4 model.json",
         "no longer: `hybrid_cuda` 25 % at 10 % of the rows (9 times apart) |", 0},
        {"tables.sh conclusions list.csv 4 model.json",
         "at most 125 % from the fastest, of 1 sweeps |", 0},
        {"tables.sh conclusions list.csv 4 model.json", "| 4.2 | a | b | - | - | - | c |\n", 0},
        {"tables.sh conclusions list.csv 5 thesis.json", "| no longer: 2 at alpha 4 | c |\n", 0},
        {"tables.sh conclusions list.csv 5 thesis.json", "| still so: 1.2 of T | c |\n", 0},
        {"tables.sh conclusions list.csv 5 thesis.json",
         "| in part: 0.8 of T (1.2 with the spike in the middle of a block) | c |\n", 0},
        {"tables.sh conclusions list.csv 5 thesis.json",
         "| not seen: only alpha 2 and 4 were tried, and both gain | c |\n", 0},
        {"tables.sh conclusions list.csv 7 thesis.json",
         "| in part: spike at d 40 ms, at e 50; 1000 exact steps by `cuda_temporal` 41.9 | c |\n",
         0},
        {"tables.sh conclusions list.csv 7 near.json", "| 7 | a | b | - | - | - | c |\n", 0},
        {"tables.sh conclusions list.csv 5 near.json",
         "| still so, within runs that differ by a tenth: 1.05 at alpha 2 | c |\n", 0},
        {"tables.sh conclusions list.csv 3 near.json", "| 3.4 | a | b | - | - | - | c |\n", 0},
        {"tables.sh conclusions list.csv 3 near.json",
         "no longer: 40 to 80 GLUP/s at n = 4096 | c |\n", 0},
        {"tables.sh conclusions list.csv 5 thesis.json",
         "| still so: 2 at alpha 4, 1.2 of T | c |\n", 0},
        {"tables.sh conclusions list.csv 5 thesis.json", "| still so: 2.5 at alpha 4 | c |\n", 0},
        {"tables.sh conclusions list.csv 9 thesis.json", "no judgement is called nonsense", 5},
        {"tables.sh conclusions list.csv 8 thesis.json", "no lines of 8", 5},
        {"tables.sh best_splits model.json",
         "| NVIDIA H9, `hybrid_cuda` | 100 | the lower part 9 times slower (each step 3 times) | "
         "10 % | 25 % | 2.25 |\n",
         0},
        {"tables.sh splits_chart model.json", "<title id=\"t\">", 0},
        {"tables.sh splits model.json", "NVIDIA H9; alone the lower part 9 times slower", 0},
        {"tables.sh splits model.json", "| 20 (20 %) | 1800 | 1000 | 1 | best by the model |\n", 0},
        {"tables.sh splits model.json", "| 10 (10 %) | 800 | 1000 | 1 | fastest |\n", 0},
        {"tables.sh baselines thesis.json", "| `threads_bound` | 12 | 60 |\n", 0},
        {"tables.sh payback thesis.json",
         "| `cuda_tuned_sync`, 100 us a step; `transfer/cuda_pinned` | 8.8 | 73.3 % | 352 | 10 |\n",
         0},
        {"tables.sh payback near.json", "`transfer/cuda_pinned` | 5 to 20 | - | - | - |\n", 0},
        {"tables.sh payback thesis.json", "a step; its own | 16 | 83.3 % | 640 | 18 |\n", 0},
        {"tables.sh async_chart thesis.json", "Best: ", 0},
        {"tables.sh async thesis.json", "| `cuda_async1` | 0.8 (1.2) | 2 (1.2) |\n", 0},
        {"tables.sh contests thesis.json", "| 2.5 (0.8), alpha 4, 64 x 8 |\n", 0},
    };
    write_thesis();
    write_near();
    for (int i = 0; i < COUNT(cases); i++)
        expect_tool(cases[i].script, cases[i].code, cases[i].line);
}

GROUP(make_folder, remove_folder)
