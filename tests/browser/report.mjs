// SPDX-License-Identifier: MIT
// Pages of `quadpass report` in Chromium: report.mjs FOLDER WHOLE SMALL [long]. Checks open the first page in
// more or fewer views; of WHOLE all plots are looked at; faults are planted in SMALL.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { launch, open, until, inspect, planter, report, isQuiet, fits, hasContrast, hasKeys, hasPlots, isMarked } from './harness.mjs';

const [, , folder, whole, small, long] = argv;
const page = (place) => pathToFileURL(resolve(place, 'index.html')).href;
const browser = await launch('none');
console.log(`report: ${await browser.version()}`);

// Lines of figures.csv: an address, a place, a row, a column, the figure, its device.
const figures = (place) => readFileSync(join(place, 'figures.csv'), 'utf8').trimEnd().split('\n').slice(1)
    .map((line) => line.slice(1).split('","'));

function none(faults, what) {
    assert.ok(faults.length === 0, `${what}: ${faults.length}, ${faults.slice(0, 5).join('; ')}`);
}

// Each figure of the list is in the element of its address, and each element for one figure is in the list.
const hasFigures = (place) => async (opened) => none(await opened.evaluate((rows) => {
    const known = new Set(rows.map(([address]) => address));
    const has = (e, figure) => e && [e, ...e.querySelectorAll('a')].some((part) => part.textContent === figure);
    return [...rows.filter(([address, , , , figure]) => !has(document.getElementById(address), figure))
        .map(([address, , , , figure]) => `${figure} is not at #${address}`),
    ...[...document.querySelectorAll('td[id], span[id]')].filter((e) => !known.has(e.id))
        .map((e) => `#${e.id} is not in figures.csv`)];
}, figures(place)), 'figures');

// Each figure of ours leads to a record with its command; the two of a claim are of its variants, and the
// figures of a place of the variant before them.
const hasRecords = (place) => async (opened) => none(await opened.evaluate((rows) => {
    const found = [], variant = (link) => document.querySelector(`.records > [id="${link?.hash.slice(1)}"] > code`)
        ?.textContent.match(/^quadpass bench (\S+) /)?.[1];
    for (const [address, , , , figure, device] of rows) {
        const links = device === 'the paper' ? [] : [...document.getElementById(address)?.querySelectorAll('a[href^="#r"]') ?? []];
        if (device !== 'the paper' && !links.some((link) => variant(link))) found.push(`${figure} at #${address} has no record`);
    }
    for (const claim of document.querySelectorAll('.claims > li')) {
        for (const size of claim.querySelectorAll('span[id]')) {
            const names = [...size.querySelectorAll('a')].map(variant).join(' over ');
            if (/Judged by (\S+ over [^\s,]+?)[.,]/.exec(claim.textContent)?.[1] !== names) found.push(`#${size.id} is judged by ${names}`);
        }
    }
    for (const link of document.querySelectorAll('tr[id] > td a[href^="#r"]'))
        for (let before = link; before; before = before.previousSibling)
            if (before.previousSibling?.localName === 'br') {
                if (!before.data.startsWith(`${variant(link)} `)) found.push(`${before.data}leads to ${variant(link)}`);
                break;
            }
    return found;
}, figures(place)), 'records');

// From the top: a claim of the plan, and its figure; then the record is in view.
async function isNear(opened) {
    const claims = await opened.$$eval('.claims > li', (all) => all.filter((e) => e.querySelector('span[id] a')).map((e) => e.id));
    for (const claim of [claims[0], claims[claims.length >> 1], claims.at(-1)]) {
        await (await opened.$(`#${claim} span[id] a`)).click();
        await until(opened, `the record of #${claim}`, 1, (id) => {
            const [, wanted] = document.getElementById(id).textContent.match(/Judged by (\S+)/);
            const record = document.querySelector(':target'), box = record?.getBoundingClientRect();
            const top = box && document.elementFromPoint(box.x + box.width / 2, box.y + 2);
            return box?.bottom <= innerHeight && record.contains(top) && record.textContent.startsWith(`quadpass bench ${wanted} `);
        }, claim);
        await opened.evaluate(() => { location.hash = '#report'; });
    }
}

// Scripts off, the page has the same words.
async function needsNoScript(opened) {
    const words = () => opened.evaluate(() => document.body.textContent);
    const before = await words();
    await opened.setJavaScriptEnabled(false);
    await opened.reload();
    const after = await words();
    await opened.setJavaScriptEnabled(true);
    assert.ok(after.length > 1000 && after === before, 'a script changes the text');
}

// On paper, 718 pixels of A4 between its margins, nothing scrolls, and nothing is so much wider that all
// letters become small with it, as a browser makes a page that is too wide.
async function fitsPaper(opened) {
    await opened.emulateMediaType('print');
    await opened.setViewport({ width: 718, height: 1016 });
    const faults = await opened.evaluate(() => [...document.querySelectorAll('main *')].filter((e) =>
        e.getBoundingClientRect().right > 1.2 * document.documentElement.clientWidth ||
        /auto|scroll|hidden/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1 ||
        e.matches('.wide') && getComputedStyle(e).overflowX !== 'visible')
        .map((e) => `${e.localName} '${e.textContent.trim().slice(0, 30)}'`));
    await opened.emulateMediaType(null);
    none(faults, 'cut off in print');
}

// Names and figures of five tables' rows are in the text of the page's PDF.
async function isPrinted(opened) {
    writeFileSync('page.pdf', await opened.pdf());
    const words = new Set(execFileSync('pdftotext', ['-layout', 'page.pdf', '-'], { encoding: 'utf8' }).split(/\s+/));
    const rows = await opened.$$eval('tr', (all) => all.filter((e) => e.querySelector('td.right a'))
        .map((e) => [...e.querySelectorAll('td')].map((cell) => cell.textContent).join(' ')));
    assert.ok(rows.length >= 5);
    none(rows.filter((row, k) => (k < 4 || k === rows.length - 1) && !row.split(' ').every((word) => words.has(word))), 'not printed');
}

const phone = { width: 390 }, desk = { width: 1280 };
const views = [{ width: 320 }, phone, { width: 768 }, desk].flatMap((view) => [view, { ...view, scheme: 'dark' }]);
const tests = await inspect(browser, [page(folder)], {
    it_is_quiet: [[phone], isQuiet],
    it_is_legible: [long ? views : [phone, { ...desk, scheme: 'dark' }], hasContrast],
    it_fits: [views, fits],
    it_is_marked: [[phone, desk], isMarked],
    plots_are_legible: [views, hasPlots],
    keys_reach_everything: [[phone], hasKeys],
    figures_are_at_their_addresses: [[phone], hasFigures(folder)],
    figures_lead_to_their_records: [[phone], hasRecords(folder)],
    claims_are_two_clicks_from_records: [[phone], isNear],
    it_needs_no_script: [[phone], needsNoScript],
    nothing_is_cut_off_in_print: [[desk], fitsPaper],
});
// The whole page without all else is opened soon.
const text = readFileSync(join(whole, 'index.html'), 'utf8');
const plots = text.replace(/<body>[^]*<\/body>/, () => `<body><main>${text.match(/<figure>[^]*?<\/figure>/g).join('')}</main></body>`);
Object.assign(tests, await inspect(browser, [page(whole)], { all_plots_are_legible: [views, hasPlots] }, { text: plots }),
    await inspect(browser, [page(small)], { names_and_figures_are_printed: [[desk], isPrinted] }));

const noticed = planter(browser, page(small), phone), policy = /<meta http-equiv[^>]*>/;
await report({
    ...Object.fromEntries(Object.entries(tests).map(([name, test]) => [`page: ${name}`, test])),
    'fault: a_table_in_no_region': noticed(/<div class="wide"[^>]*>/g, '<div>', fits, /wider than 390 px/),
    'fault: a_region_for_no_key': noticed(/ tabindex="0"><table/g, '><table', isMarked, /no key reaches it/),
    'fault: a_region_without_name': noticed(/(role="region") aria-label="[^"]*"/, '$1', isMarked, /without a name/),
    'fault: a_table_without_caption': noticed(/<caption>.*?<\/caption>/, '', isMarked, /without caption/),
    'fault: a_head_without_scope': noticed('<th scope="row"', '<th', isMarked, /or scope/),
    'fault: an_id_that_comes_twice': noticed('id="p2"', 'id="p1"', isMarked, /id p1 comes twice/),
    'fault: a_link_that_leads_nowhere': noticed('id="records"', 'id="others"', isMarked, /link to #records leads nowhere/),
    'fault: a_heading_too_deep': noticed(/<(.?)h3/g, '<$1h4', isMarked, /h4 after h2/),
    'fault: a_plot_without_description': noticed(/<desc.*?<\/desc>/, '', isMarked, /without title or description/),
    'fault: a_pale_text': noticed('<small>', '<small style="color: #999">', hasContrast, /contrast/),
    'fault: a_pale_letter_in_a_plot': noticed('<text ', '<text fill="#999" ', hasContrast, /contrast/),
    'fault: a_pale_curve': noticed(/stroke="#1d6fa5" stroke-width="2"/, 'stroke="#9cf" stroke-width="2"', hasPlots, /a curve in rgb\(153, 204, 255\)/),
    'fault: small_letters': noticed(' font-size="12" ', ' font-size="9" ', hasPlots, / is 8\.9 px high/),
    'fault: letters_over_letters': noticed(/( y="[\d.]+")(.*\n<text [^>]*) y="[\d.]+"/, '$1$2$1', hasPlots, / is over /),
    'fault: letters_beyond_the_edge': noticed(/(<text x=")[\d.]+/, '$1340', hasPlots, /is cut off/),
    'fault: a_link_for_no_key': noticed('<a href="#c2">', '<a tabindex="-1" href="#c2">', hasKeys, /does not reach a 2/),
    'fault: a_focus_that_nobody_sees': noticed('</style>', '.claims a { outline: none !important }</style>', hasKeys, /no sign of focus on a 2/),
    'fault: a_request': noticed(policy, '<link rel="stylesheet" href="other.css">', isQuiet, /request: file.*other\.css/),
    'fault: a_script_that_prints': noticed(policy, '<script>console.log("words")</script>', isQuiet, /console: words/),
    'fault: a_text_by_script': noticed(policy, '<script>onload = () => document.body.append("words")</script>', needsNoScript, /script changes/),
    'fault: another_figure': noticed(/(<td class="right" id=[^>]*>(<a [^>]*>)?[\d.]+)/, '$17', hasFigures(small), /is not at #p1-/),
    'fault: a_lost_address': noticed(/(<td class="right") id="[^"]*"/, '$1', hasFigures(small), /is not at #p1-/),
    'fault: a_record_of_another': noticed(/(<br>\S+ A.<a href="#r0-)\d+/, '$19999', hasRecords(small), /leads to/),
    'fault: a_claim_by_another': noticed(/(over <a href="#r0-)\d+/, '$19999', hasRecords(small), /#c\d+-\S+ is judged by/),
    'fault: a_claim_far_from_its_record': noticed(/(<span id="c[^>]*><a href="#r0-)\d+/, '$10', isNear, /the record of #c/),
    'fault: a_record_under_its_heading': noticed('scroll-margin-top: 6rem', 'scroll-margin-top: 0 } main::after { display: block; height: 50rem; content: ""', isNear, /the record of #c/),
    'fault: a_table_that_scrolls_in_print': noticed('.wide { overflow: visible', '.wide { overflow-x: auto', fitsPaper, /cut off in print/),
    'fault: a_table_wider_than_paper': noticed('<table>', '<table style="width: 900px">', fitsPaper, /cut off in print/),
    'fault: a_table_cut_off_by_paper': noticed(/<table/g, '<table style="min-width: 4000px"', isPrinted, /not printed/),
});
await browser.close();
