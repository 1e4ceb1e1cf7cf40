/* SPDX-License-Identifier: MIT */
/* Pages of the site in Chromium, four of them or with LONG=1 all, and faults of a page that must be
 * noticed (tests/browser/site.mjs). */
#include "support/browser.h"
#include "support/shell.h"

static int open_pages(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    expect_tool("site.sh site || true", 0, "site: ");
    browser_run(support_takes_long() ? "site.mjs site long" : "site.mjs site");
    return 0;
}

#define SITE(name)  BROWSER_TEST(site, name)
#define FAULT(name) BROWSER_TEST(fault, name)

SITE(it_is_quiet)
SITE(it_fits)
SITE(it_is_legible)
SITE(keys_reach_everything)
SITE(it_is_marked)

FAULT(a_table_in_no_region)
FAULT(a_region_for_no_key)
FAULT(a_table_without_caption)
FAULT(a_picture_that_is_lost)
FAULT(a_pale_text)
FAULT(a_heading_too_deep)
FAULT(a_request)

TEST(each_has_its_line)
{
    browser_must_have(browser_tests);
}

GROUP(open_pages, remove_folder)
