// SPDX-License-Identifier: MIT
// Pages of the site in Chromium, on a telephone and on a desk, by day and by night: site.mjs FOLDER
// [long], which is all pages in place of some; of files' texts, which are alike, it is one.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { argv, exit } from 'node:process';
import { pathToFileURL } from 'node:url';
import { launch, inspect, planter, report, isQuiet, fits, hasContrast, hasKeys, isMarked } from './harness.mjs';

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

const phone = { width: 390 };

const noticed = planter(browser, `${folder}docs/poisson5.html`, { ...phone, folder });
const tests = await inspect(browser, pages.map((name) => folder + name), {
    it_is_quiet: [[{}], isQuiet],
    it_fits: [[{ width: 320 }, phone, { width: 768 }, {}], fits],
    it_is_legible: [[phone, { ...phone, scheme: 'dark' }], hasContrast],
    it_is_marked: [[phone], isMarked],
    keys_reach_everything: [[phone], hasKeys],
}, { folder });

await report({
    ...Object.fromEntries(Object.entries(tests).map(([name, test]) => [`site: ${name}`, test])),
    'fault: a_table_in_no_region': noticed(/<div class="wide"[^>]*>/g, '<div>', fits, /wider than 390 px/),
    'fault: a_region_for_no_key': noticed(/ tabindex="0"><table/g, '><table', isMarked, /no key reaches it/),
    'fault: a_table_without_caption': noticed(/<caption>.*?<\/caption>/, '', isMarked, /without caption/),
    'fault: a_picture_that_is_lost': noticed(/<h2/, '<p><img alt="x" src="none.svg"></p><h2', isMarked, /picture/),
    'fault: a_pale_text': noticed(/<p>/g, '<p style="color: #999">', hasContrast, /contrast/),
    'fault: a_heading_too_deep': noticed(/<(.?)h2/g, '<$1h4', isMarked, /h4 after h1/),
    'fault: a_request': noticed('</main>', '<img alt="x" src="http://a.invalid/"></main>', isQuiet, /request/),
});
await browser.close();
