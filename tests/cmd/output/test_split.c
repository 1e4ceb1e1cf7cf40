/* SPDX-License-Identifier: MIT */
/* The line by which `solve` names a split: the learned one, the equal one, and none where there is
 * no split. */
#include "tools/cmd/output/split.h"

#include <stdlib.h>
#include <string.h>

#include "lab/engines/parts/learned.h"
#include "support/support.h"

static const char *told(const char *row, int split)
{
    static char text[256];
    const struct qp_parts_desc asked = {.split = split};
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    split_tell(out, NULL, qp_variant_find(row), &asked);
    fclose(out);
    return text;
}

TEST(lines)
{
    char folder[] = "/tmp/quadpass-split-XXXXXX", command[128];
    const struct qp_learned learned = {
        .width = 300, .height = 200, .depth = 1, .split = 50, .seconds = 1.0, .alone = {4.0, 1.5}};
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    assert_string_equal(told("poisson5/hybrid_rgba", 0),
                        "split: half of the rows to the CPU, for nothing is learned here; "
                        "'quadpass model poisson5/hybrid_rgba' does that\n");
    assert_ok(qp_learned_write(NULL, "poisson5/hybrid_rgba", &learned));
    assert_string_equal(told("poisson5/hybrid_rgba", 0),
                        "split: 25.0 % of the rows to the CPU, as 'quadpass model' learned at "
                        "300 x 200\n");
    assert_string_equal(told("poisson5/hybrid_rgba", 7), "");
    assert_string_equal(told("poisson5/hybrid_rgba", -1), "");
    assert_string_equal(told("poisson5/rgba", 0), "");
    assert_string_equal(told("poisson5/parts_rgba", 0), "");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}
