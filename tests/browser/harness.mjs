// SPDX-License-Identifier: MIT
// Pages in Chromium: starting it with a renderer, opening an HTML file that may ask for nothing but
// itself, and checks that any page must pass. A check throws an error that says what is wrong.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

// Modules are where tools/setup.sh puts them. Exit code 77 asks to be skipped.
const modules = new URL('../../build/browser/node_modules/', import.meta.url);
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
for (const needed of [new URL('.package-lock.json', modules), chromium]) {
    if (!existsSync(needed)) {
        console.log(`no browser: there is no ${needed.pathname ?? needed}`);
        process.exit(77);
    }
}
const require = createRequire(modules);
const puppeteer = require('puppeteer-core');

export const renderers = {
    swiftshader: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    llvmpipe: ['--use-angle=gl-egl', '--ignore-gpu-blocklist'],
    none: ['--disable-3d-apis'],
};

// Chromium's sandbox refuses to start as root. Text and boxes need no GPU, least of all one in software.
export function launch(renderer) {
    const root = process.getuid() === 0 ? ['--no-sandbox'] : [];
    const args = [...renderers[renderer], ...root, '--disable-gpu-rasterization'];
    return puppeteer.launch({ executablePath: chromium, args, protocolTimeout: 60_000 });
}

// A page of the file at this address, or of another text in its place. Its `said` collects what the
// page prints, throws and requests, but for files below `folder`.
export async function open(browser, address, { width = 1280, scheme = 'light', text, folder } = {}) {
    const page = await browser.newPage();
    const said = [];
    page.on('console', (message) => said.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => said.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => { said.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on('request', (request) => {
        const [url] = request.url().split('#'), own = folder && url.startsWith(folder);
        if (url !== address && !own && url !== 'data:,') {
            said.push(`request: ${url.slice(0, 100)}`);
            request.abort();
        } else if (page.text && url === address) {
            request.respond({ contentType: 'text/html; charset=utf-8', body: page.text });
        } else {
            request.continue();
        }
    });
    await page.setRequestInterception(true);
    await show(page, { width, scheme });
    await Object.assign(page, { said, text }).goto(address);
    return page;
}

// Shows a page as wide as this, by day or by night.
export async function show(page, { width = 1280, scheme = 'light' }) {
    await page.setViewport({ width, height: 844 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
}

// Waits until a function of the page answers something true, and returns that.
export async function until(page, what, seconds, condition, ...given) {
    for (const end = Date.now() + 1000 * seconds; ;) {
        const answer = await page.evaluate(condition, ...given);
        if (answer) return answer;
        assert.ok(Date.now() < end, `${what}: not within ${seconds} s`);
        await new Promise((resume) => setTimeout(resume, 20));
    }
}

// Runs named tests in turn and prints a line for each: `ok NAME` or `not ok NAME: REASON`.
export async function report(tests) {
    for (const [name, test] of Object.entries(tests)) {
        const begin = performance.now();
        const end = () => `(${((performance.now() - begin) / 1000).toFixed(2)} s)`;
        try {
            const figures = await test();
            console.log(`ok ${name} ${end()}${figures ? ` ${figures}` : ''}`);
        } catch (error) {
            console.log(`not ok ${name} ${end()}: ${error.message.replace(/\s+/g, ' ').slice(0, 500)}`);
        }
    }
}

// Checks pages in views, each view once, `[views, check]` by the test's name; returns a test of each, which
// throws the first fault found. What `open` takes besides a view is `given`.
export async function inspect(browser, addresses, checks, given = {}) {
    const faults = {};
    for (const address of addresses) {
        const page = await open(browser, address, given);
        for (const view of new Set(Object.values(checks).flatMap(([views]) => views))) {
            await show(page, view);
            for (const [test, [, check]] of Object.entries(checks).filter(([, [views]]) => views.includes(view))) {
                try {
                    await check(page);
                } catch (error) {
                    faults[test] ??= `${address.replace(given.folder ?? '', '')}, ${view.width ?? 1280} px: ${error.message}`;
                }
            }
        }
        await page.close();
    }
    return Object.fromEntries(Object.keys(checks).map((test) => [test, async () => assert.ok(!faults[test], faults[test])]));
}

// Plants faults in a page: returns what makes a test that the page, with `is` in place of `was`, fails by this
// check for this reason. One page shows them all in turn, as another takes long to open.
export function planter(browser, address, view = {}) {
    const whole = readFileSync(fileURLToPath(address), 'utf8');
    let opened;
    return (was, is, check, reason) => async () => {
        const text = whole.replace(was, is);
        assert.ok(text !== whole, `the page has no ${was} in whose place this fault could be`);
        const page = await (opened ??= open(browser, address, view));
        await show(page, view);
        Object.assign(page, { text }).said.length = 0;
        await page.goto(address);
        await assert.rejects(async () => check(page), reason);
    };
}

// ---- Checks of any page ----

const none = (faults, what) =>
    assert.ok(faults.length === 0, `${what}: ${faults.slice(0, 8).join('; ')}`);

export function isQuiet(page) {
    none(page.said, 'the page says or requests something');
}

// No horizontal scroll, nor something cut off in its place.
export async function fits(page) {
    none(await page.evaluate(() => {
        const { documentElement: root, body } = document;
        const cut = [root, body].some((e) => /hidden|clip/.test(getComputedStyle(e).overflowX));
        if (root.scrollWidth <= root.clientWidth && !cut) return [];
        const wide = [...body.querySelectorAll('*')]
            .filter((e) => e.getBoundingClientRect().right > root.clientWidth + 0.5);
        return [cut ? 'overflow-x is hidden' : `${root.scrollWidth} px`, ...wide.map((e) =>
            `${e.localName}${e.id ? `#${e.id}` : ''} '${e.textContent.trim().slice(0, 30)}'`)];
    }), `the page is wider than ${page.viewport().width} px`);
}

// Luminance of a colour's red, green and blue from 0 to 255, for the page itself.
const light = (colour) => colour.slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);

// Contrast of each text with the colour behind it, 4.5 at least, in HTML and in SVG. Each is scrolled
// to where the page can be asked what is painted there, top first; no frame is drawn meanwhile.
export async function hasContrast(page) {
    await page.evaluate(`globalThis.light = ${light}`);
    none(await page.evaluate(() => {
        document.querySelectorAll('details').forEach((e) => { e.open = true; });
        const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const once = (compute, known = new Map()) => (key) =>
            known.get(key) ?? known.set(key, compute(key)).get(key);
        const read = once((colour) => {
            pen.clearRect(0, 0, 1, 1);
            pen.fillStyle = colour;
            pen.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
            return [r, g, b, a / 255];
        });
        const opacity = once((e) => getComputedStyle(e).opacity * (e.parentElement ? opacity(e.parentElement) : 1));
        const faded = ([r, g, b, a], e) => [r, g, b, a * opacity(e)];
        const over = ([r, g, b, a], [R, G, B]) =>
            [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
        const { light } = globalThis;
        // In SVG a shape and a letter are filled, elsewhere a box has its background.
        const inSvg = (e) => e instanceof SVGElement && !(e instanceof SVGSVGElement);
        const fill = once((e) => faded(read(getComputedStyle(e).fill), e)
            .map((c, k) => (k === 3 ? c * getComputedStyle(e).fillOpacity : c)));
        const layer = once((e) => (!inSvg(e) ? faded(read(getComputedStyle(e).backgroundColor), e)
            : /^t(ext|span)$/.test(e.localName) ? [0, 0, 0, 0] : fill(e)));
        // Colour of a page that has none of its own: the scheme decides.
        const sheet = document.body.appendChild(document.createElement('div'));
        sheet.style.background = 'Canvas';
        const paper = layer(sheet);
        sheet.remove();
        // Colour behind a text: layers painted below it, down to the first that hides all else.
        const behind = (element, x, y) => {
            const stack = document.elementsFromPoint(x, y);
            const below = stack.slice(stack.indexOf(element) + 1);
            const layers = (inSvg(element) ? below : [element, ...below]).map(layer);
            const last = layers.findIndex(([, , , alpha]) => alpha === 1);
            return layers.slice(0, last < 0 ? undefined : last + 1)
                .reduceRight((under, each) => over(each, under), paper);
        };
        const faults = [];
        const judge = (element, text, boxOf) => {
            element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
            const box = boxOf();
            const ground = behind(element, box.x + box.width / 2, box.y + box.height / 2);
            const own = over(inSvg(element) ? fill(element)
                : faded(read(getComputedStyle(element).color), element), ground);
            const [low, high] = [light(own), light(ground)].sort((a, b) => a - b);
            const contrast = (high + 0.05) / (low + 0.05);
            if (contrast < 4.5) faults.push(`${contrast.toFixed(2)} of '${text.trim().slice(0, 40)}'`);
        };
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const text = texts.currentNode, element = text.parentElement, range = document.createRange();
            range.selectNodeContents(text);
            const box = range.getClientRects()[0];
            if (text.data.trim() && box?.width > 1 && box.height > 1 && !element.closest(':disabled') &&
                element.checkVisibility({ visibilityProperty: true }))
                judge(element, text.data, () => range.getClientRects()[0]);
        }
        for (const field of document.querySelectorAll('textarea, input, select'))
            if (field.checkVisibility()) judge(field, field.value, () => field.getBoundingClientRect());
        return faults;
    }), 'contrast below 4.5');
}

// Tab reaches every control and is caught by none; each control shows that it has the focus. Of more than
// a hundred controls these are the first fifty, all that scrolls, a few of each kind and the last: keys go
// from the control before.
export async function hasKeys(page) {
    const stops = await page.evaluate(() => {
        const style = (e) => {
            const s = getComputedStyle(e), outlined = s.outlineStyle !== 'none' && s.outlineWidth !== '0px';
            return [outlined && s.outline, s.boxShadow, s.borderColor, s.backgroundColor].join();
        };
        document.activeElement.blur();
        const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
            .filter((e) => e.checkVisibility() && !e.disabled);
        const kinds = new Map(), kind = (e) => (e ? `${kind(e.parentElement)} ${e.localName}.${e.className}` : '');
        const isFew = (e) => kinds.set(kind(e), (kinds.get(kind(e)) ?? 0) + 1).get(kind(e)) <= 3;
        const chosen = [...controls.keys()].filter((k) => controls.length <= 100 || k < 50 || k === controls.length - 1 ||
            controls[k].hasAttribute('tabindex') || isFew(controls[k]));
        const at = new Map(chosen.map((k) => [controls[k], { before: style(controls[k]) }]));
        document.addEventListener('focusin', ({ target }) => {
            if (at.has(target)) at.get(target).focused ??= style(target);
        });
        const named = (e) => `${e.localName} ${e.id || e.ariaLabel || e.textContent.trim().slice(0, 20)}`;
        globalThis.focusBefore = (k) => controls[k - 1].focus();
        globalThis.unreached = () => [...at].filter(([, { focused, before }]) => !focused || focused === before)
            .map(([e, { focused }]) => `${focused ? 'no sign of focus on' : 'Tab does not reach'} ${named(e)}`);
        return chosen;
    });
    // Controls that come meanwhile take turns, too.
    let faults;
    for (let k = 0; k < 2 && faults?.length !== 0; k++) {
        for (const [press, stop] of stops.entries()) {
            if (stop > 0 && stop !== stops[press - 1] + 1) await page.evaluate((at) => globalThis.focusBefore(at), stop);
            await page.keyboard.press('Tab');
        }
        faults = await page.evaluate(() => globalThis.unreached());
    }
    none(faults, 'keyboard');
}

// Names of tables, of what scrolls and of plots; headings in order, and one of the first level; links
// within the page that lead somewhere.
export async function isMarked(page) {
    none(await page.evaluate(() => {
        const found = [], levels = [...document.querySelectorAll('h1, h2, h3, h4')].map((e) => Number(e.localName[1]));
        if (levels.filter((level) => level === 1).length !== 1) found.push('not one h1');
        levels.forEach((level, k) => { if (level > (levels[k - 1] ?? 0) + 1) found.push(`h${level} after h${levels[k - 1]}`); });
        const ids = new Set();
        for (const { id } of document.querySelectorAll('[id]')) {
            if (ids.has(id)) found.push(`the id ${id} comes twice`);
            ids.add(id);
        }
        for (const link of document.querySelectorAll('a[href^="#"]'))
            if (!ids.has(decodeURIComponent(link.hash.slice(1)))) found.push(`the link to ${link.hash} leads nowhere`);
        for (const table of document.querySelectorAll('main table'))
            if (!table.caption?.textContent || [...table.querySelectorAll('th')].some((e) => !e.scope)) found.push('a table without caption or scope');
        for (const e of document.querySelectorAll('main *'))
            if (e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX) && e.tabIndex < 0) found.push(`${e.localName} scrolls, and no key reaches it`);
        for (const e of document.querySelectorAll('[role=region]'))
            if (!e.ariaLabel && !e.getAttribute('aria-labelledby')) found.push(`${e.localName} is a region without a name`);
        for (const image of document.images)
            if (!image.naturalWidth || !image.alt) found.push(`picture ${image.getAttribute('src')}`);
        for (const plot of document.querySelectorAll('svg')) {
            const words = (plot.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => plot.querySelector(`[id="${id}"]`))
                .filter((e) => e?.textContent).map((e) => e.localName).join();
            if (plot.getAttribute('role') !== 'img' || words !== 'title,desc') found.push('a plot without title or description');
        }
        return found;
    }), 'marks');
}

// Texts of plots are whole, apart from each other and on a phone 11 px high; curves and their points have a
// contrast of 3 with white paper.
export async function hasPlots(page) {
    await page.evaluate(`globalThis.light = ${light}`);
    none(await page.evaluate(() => {
        const faults = [];
        const contrast = (colour) => 1.05 / (0.05 + globalThis.light(colour.match(/[\d.]+/g)));
        const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
        for (const plot of document.querySelectorAll('svg')) {
            const edge = plot.getBoundingClientRect(), scale = edge.width / plot.viewBox.baseVal.width;
            const texts = [...plot.querySelectorAll('text')].map((e) => ({ e, words: `'${e.textContent}'`, box: e.getBoundingClientRect() }));
            texts.forEach(({ e, words, box }, k) => {
                const size = parseFloat(getComputedStyle(e).fontSize) * scale;
                if (size < 11 * Math.min(1, innerWidth / 390)) faults.push(`${words} is ${size.toFixed(1)} px high`);
                if (box.left < edge.left || box.right > edge.right || box.top < edge.top || box.bottom > edge.bottom)
                    faults.push(`${words} is cut off`);
                for (const other of texts.slice(k + 1))
                    if (overlap(box, other.box)) faults.push(`${words} is over ${other.words}`);
            });
            for (const curve of plot.querySelectorAll('polyline')) {
                const { fill, stroke, strokeWidth } = getComputedStyle(curve);
                const colour = fill !== 'none' && fill !== 'rgb(255, 255, 255)' ? fill : stroke;
                if ((colour === fill || parseFloat(strokeWidth) > 1) && contrast(colour) < 3) faults.push(`a curve in ${colour}`);
            }
        }
        return faults;
    }), 'plots');
}

// Rules of axe-core, a judge of accessibility.
export async function passesAxe(page) {
    await page.evaluate(require('axe-core').source);
    none(await page.evaluate(async () => (await globalThis.axe.run()).violations
        .map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target).join(', ').slice(0, 100)}`)), 'axe');
}
