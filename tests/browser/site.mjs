// SPDX-License-Identifier: MIT
// Pages of the site in Chromium, on a telephone and on a desk, by day and by night: site.mjs FOLDER
// [long], which is all pages in place of some; of files' texts, which are alike, it is one.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { argv, exit } from 'node:process';
import { pathToFileURL } from 'node:url';
import { launch, open, report, isQuiet, fits, hasContrast, hasKeys } from './harness.mjs';

const [, , place, long] = argv;
if (!existsSync(join(place, 'index.html'))) {
    console.log(`no site: there is no ${place}/index.html`);
    exit(77);
}
const folder = pathToFileURL(`${place}/`).href;
const some = ['index.html', 'docs/solve.html', 'include/quadpass/kernel.h.html', 'man/quadpass.1.html'];
const all = () => readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((each) => each.name.endsWith('.html')).map((each) => relative(place, join(each.parentPath ?? each.path, each.name)))
    .filter((name) => name !== 'docs/live/index.html' && !/\.[a-z]+\.html$/.test(name));
const pages = long ? [...new Set([...some, ...all()])] : some;
const browser = await launch('none');
console.log(`site: ${await browser.version()}`);

// Names of tables and texts that scroll, headings in order, and one of the first level.
async function isMarked(page) {
    const faults = await page.evaluate(() => {
        const found = [], levels = [...document.querySelectorAll('h1, h2, h3, h4')].map((e) => Number(e.localName[1]));
        if (levels.filter((level) => level === 1).length !== 1) found.push('not one h1');
        levels.forEach((level, k) => { if (level > (levels[k - 1] ?? 0) + 1) found.push(`h${level} after h${levels[k - 1]}`); });
        const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
        if (new Set(ids).size !== ids.length) found.push('an id comes twice');
        for (const table of document.querySelectorAll('main table'))
            if (!table.caption?.textContent || [...table.querySelectorAll('th')].some((e) => !e.scope)) found.push('a table without caption or scope');
        for (const e of document.querySelectorAll('main *'))
            if (e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX) && e.tabIndex < 0) found.push(`${e.localName} scrolls, and no key reaches it`);
        for (const image of document.images)
            if (!image.naturalWidth || !image.alt) found.push(`picture ${image.getAttribute('src')}`);
        return found;
    });
    if (faults.length > 0) throw new Error(faults.slice(0, 8).join('; '));
}

const phone = { width: 390 };

// A page with a fault in it must fail by this check, for this reason.
const noticed = (was, is, check, reason) => async () => {
    const text = readFileSync(join(place, 'docs/poisson5.html'), 'utf8'), other = join(place, 'docs/fault.html');
    assert.notEqual(text.replace(was, is), text);
    writeFileSync(other, text.replace(was, is));
    const page = await open(browser, pathToFileURL(other).href, { ...phone, folder });
    await assert.rejects(async () => check(page), reason);
    await page.close();
    rmSync(other);
};

// Checks of each page in several views; the first fault of each is kept.
const checks = {
    it_is_quiet: [[{}], isQuiet],
    it_fits: [[{ width: 320 }, phone, { width: 768 }, {}], fits],
    it_is_legible: [[phone, { ...phone, scheme: 'dark' }], hasContrast],
    it_is_marked: [[phone], isMarked],
    keys_reach_everything: [[phone], hasKeys],
};
const faults = {};
for (const name of pages) {
    const page = await open(browser, folder + name, { folder });
    for (const [test, [views, check]] of Object.entries(checks)) {
        for (const { width = 1280, scheme = 'light' } of views) {
            await page.setViewport({ width, height: 844 });
            await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
            try {
                await check(page);
            } catch (error) {
                faults[test] ??= new Error(`${name}, ${width} px: ${error.message}`);
            }
        }
    }
    await page.close();
}
const keep = (test) => async () => { if (faults[test]) throw faults[test]; };

await report({
    ...Object.fromEntries(Object.keys(checks).map((test) => [`site: ${test}`, keep(test)])),
    'fault: a_table_in_no_region': noticed(/<div class="wide"[^>]*>/g, '<div>', fits, /wider than 390 px/),
    'fault: a_region_for_no_key': noticed(/ tabindex="0"><table/g, '><table', isMarked, /no key reaches it/),
    'fault: a_table_without_caption': noticed(/<caption>.*?<\/caption>/, '', isMarked, /without caption/),
    'fault: a_picture_that_is_lost': noticed(/<h2/, '<p><img alt="x" src="none.svg"></p><h2', isMarked, /picture/),
    'fault: a_pale_text': noticed(/<p>/g, '<p style="color: #999">', hasContrast, /contrast/),
    'fault: a_heading_too_deep': noticed(/<(.?)h2/g, '<$1h4', isMarked, /h4 after h1/),
    'fault: a_request': noticed('</main>', '<img alt="x" src="http://a.invalid/"></main>', isQuiet, /request/),
});
await browser.close();
