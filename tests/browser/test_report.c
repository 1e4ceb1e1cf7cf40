/* SPDX-License-Identifier: MIT */
/* Page of `quadpass report` in Chromium: of some records, or with LONG=1 of all that are built in,
 * and faults of a page that must be noticed (tests/browser/report.mjs). */
#include "support/browser.h"
#include "support/shell.h"

#include <unistd.h>

#define REPORT "quadpass report --measured-only "
#define WITH   "--with " QP_SOURCE_DIR "/docs/measurements/2026-11-"

static int open_page(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0)
        return -1;
    expect(REPORT "-o whole", 0, "");
    expect(REPORT WITH "24-h200-paper1.json -o small", 0, "");
    expect(REPORT WITH "24-h200-paper1.json " WITH "24-h200-paper3.json " WITH
                       "27-llvmpipe-spmv.json -o some",
           0, "");
    browser_run(support_takes_long() ? "report.mjs whole whole small long"
                                     : "report.mjs some whole small");
    return 0;
}

#define PAGE(name)  BROWSER_TEST(page, name)
#define FAULT(name) BROWSER_TEST(fault, name)

PAGE(it_is_quiet)
PAGE(it_is_legible)
PAGE(it_fits)
PAGE(it_is_marked)
PAGE(plots_are_legible)
PAGE(keys_reach_everything)
PAGE(figures_are_at_their_addresses)
PAGE(figures_lead_to_their_records)
PAGE(claims_are_two_clicks_from_records)
PAGE(it_needs_no_script)
PAGE(nothing_is_cut_off_in_print)
PAGE(all_plots_are_legible)
PAGE(names_and_figures_are_printed)

FAULT(a_table_in_no_region)
FAULT(a_region_for_no_key)
FAULT(a_region_without_name)
FAULT(a_table_without_caption)
FAULT(a_head_without_scope)
FAULT(an_id_that_comes_twice)
FAULT(a_link_that_leads_nowhere)
FAULT(a_heading_too_deep)
FAULT(a_plot_without_description)
FAULT(a_pale_text)
FAULT(a_pale_letter_in_a_plot)
FAULT(a_pale_curve)
FAULT(small_letters)
FAULT(letters_over_letters)
FAULT(letters_beyond_the_edge)
FAULT(a_link_for_no_key)
FAULT(a_focus_that_nobody_sees)
FAULT(a_request)
FAULT(a_script_that_prints)
FAULT(a_text_by_script)
FAULT(another_figure)
FAULT(a_lost_address)
FAULT(a_record_of_another)
FAULT(a_claim_by_another)
FAULT(a_claim_far_from_its_record)
FAULT(a_record_under_its_heading)
FAULT(a_table_that_scrolls_in_print)
FAULT(a_table_wider_than_paper)
FAULT(a_table_cut_off_by_paper)

TEST(each_has_its_line)
{
    browser_must_have(browser_tests);
}

GROUP(open_page, remove_folder)
