// SPDX-License-Identifier: MIT
// Tests of the live page: `node live.mjs [long] RENDERER...`, from an empty folder and with the command in the
// PATH. tests/browser/test_live.c has their names.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import process from 'node:process';
import * as harness from './harness.mjs';

const file = new URL('../../docs/live/index.html', import.meta.url);
const words = process.argv.slice(2); // with `long` axe-core judges, too
const exercises = ['shift', 'wrap', 'blur', 'life', 'prefix', 'packing', 'sum', 'redblack'];
const source = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const quadpass = (...words) => promisify(execFile)('quadpass', words);
const own = (name) => (exercises.includes(name) ? `#exercise-${name}` : `#step-${name}`);

// ---- The page ----

const open = (browser, { query = '', ...rest } = {}) => harness.open(browser, file.href + query, rest);

// Verdicts on texts by section, typed in all at once, as [verdict, sentence] by section.
async function verdicts(page, texts) {
    await page.evaluate((given) => given.forEach(([section, text]) => {
        const field = document.querySelector(`${section} textarea`);
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
    }), Object.entries(texts).map(([name, text]) => [own(name), text]));
    return harness.until(page, 'verdicts', 60, (names) => {
        const said = names.map(([name, section]) => {
            const { dataset, textContent } = document.querySelector(`${section} .verdict`);
            return [name, [dataset.verdict, textContent]];
        });
        return said.every(([, [verdict]]) => verdict !== 'busy') && Object.fromEntries(said);
    }, Object.keys(texts).map((name) => [name, own(name)]));
}

// Each of these texts must get this verdict.
async function expect(page, wanted, texts, why = '') {
    for (const [name, [verdict, sentence]] of Object.entries(await verdicts(page, texts)))
        assert.equal(verdict, wanted, `${name}${why}: ${sentence}`);
}

const texts = (page, names, part) => page.evaluate((given, what) => Object.fromEntries(given.map(
    ([name, section]) => {
        const found = document.querySelector(`${section} ${what}`);
        return [name, found.defaultValue ?? found.textContent];
    })), names.map((name) => [name, own(name)]), part);
const starts = (page, names = exercises) => texts(page, names, 'textarea');
const answers = (page) => texts(page, exercises, 'pre');

// ---- Arrays of the command ----

// Array files of NumPy, of floats: rows of cells, from row 0 on.
function write(name, cells, shape) {
    const head = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`;
    const line = Buffer.from(`${head.padEnd(117)}\n`); // 128 bytes with what is before it
    writeFileSync(name, Buffer.concat([Buffer.from('\x93NUMPY\x01\x00v\x00', 'latin1'), line,
        Buffer.from(Float32Array.from(cells).buffer)]));
}

function read(name) {
    const bytes = readFileSync(name), begin = 10 + bytes.readUInt16LE(8);
    const [, type] = bytes.toString('latin1', 0, begin).match(/'descr': '<(f4|f8)'/);
    const values = bytes.buffer.slice(bytes.byteOffset + begin, bytes.byteOffset + bytes.length);
    return Array.from(new (type === 'f4' ? Float32Array : Float64Array)(values));
}

// Whole numbers from 0 to 9, the same each time; of life 0 and 1.
const made = (count, most = 10) => Array.from({ length: count }, (_, k) => (k * k * 7 + 3 * k) % 31 % most);

// A text, its size and steps, and how much of a cell is in a texel; other arrays by name.
const runs = {
    ...Object.fromEntries(exercises.filter((name) => name !== 'sum').map((name) =>
        [name, { path: `docs/exercises/${name}/answer.frag`, pack: name === 'packing' ? 4 : 1, most: name === 'life' ? 2 : 10 }])),
    hand: { path: 'demos/shaders/five_point.frag', others: ['f'] },
    heat: { path: 'demos/shaders/heat.frag' },
};

// The largest difference of the page's answer and the command's, in parts of the largest value.
async function difference(page, name, { path, pack = 1, most = 10, others = [] }) {
    const width = 12, height = 7, steps = 3, arrays = {};
    for (const array of ['x', ...others]) {
        arrays[array] = made(width * height, most);
        write(`${name}-${array}.npy`, arrays[array], pack === 4 ? [height, width / 4, 4] : [height, width]);
    }
    const files = Object.keys(arrays).flatMap((array) => ['--input', `${array}=${name}-${array}.npy`]);
    await quadpass('run', new URL(`../../${path}`, import.meta.url).pathname, ...files, '--steps', String(steps),
        '-o', `${name}.npy`);
    const wanted = read(`${name}.npy`), got = await page.evaluate((task, text, w, h, n, given) => {
        const whole = /\bint kernel/.test(text), of = whole ? Int32Array : Float32Array;
        return Array.from(window.quadpass.run(task, text, w, h, n,
            Object.fromEntries(Object.entries(given).map(([key, cells]) => [key, of.from(cells)]))));
    }, name, source(path), width, height, steps, arrays);
    assert.equal(got.length, wanted.length, `${name}: cells`);
    const scale = Math.max(...wanted.map(Math.abs));
    return Math.max(...wanted.map((value, k) => Math.abs(value - got[k]) / scale));
}

// ---- Tests of a page ----

const checks = {
    async it_is_one_small_file() {
        const { size } = statSync(file), text = readFileSync(file, 'utf8');
        assert.ok(size <= 60 * 1024, `${size} bytes, and 61440 are the most`);
        assert.ok(/Content-Security-Policy" content="default-src 'none';/.test(text), 'a policy');
        assert.ok(!/<(script|img|link|iframe)[^>]* (src|href)="(?!data:)/.test(text), 'parts elsewhere');
        return `${size} bytes`;
    },

    // In both schemes, as wide as a phone and as a screen.
    async it_is_legible(page) {
        for (const width of [390, 1280]) {
            for (const scheme of ['light', 'dark']) {
                await harness.show(page, { width, scheme });
                await harness.fits(page);
                await harness.hasContrast(page);
                if (words.includes('long')) await harness.passesAxe(page);
            }
        }
    },

    async keys_reach_everything(page) {
        await harness.hasKeys(page);
    },

    async typing_gets_a_verdict(page) {
        await verdicts(page, await starts(page, ['shift']));
        await page.focus('#exercise-shift textarea');
        await page.keyboard.down('Control');
        await page.keyboard.press('A');
        await page.keyboard.up('Control');
        await page.keyboard.type('float kernel(vec2 here) { return x_at(-1.0, 0.0); }');
        const begin = performance.now();
        await harness.until(page, 'a verdict', 10, () =>
            document.querySelector('#exercise-shift .verdict').dataset.verdict === 'pass');
        return `${Math.round(performance.now() - begin)} ms after the last key`;
    },

    async starts_fail(page) {
        await expect(page, 'fail', await starts(page));
    },

    async answers_pass(page) {
        await expect(page, 'pass', await answers(page));
    },

    async wrong_answers_fail(page) {
        for (let k = 1, found = { 0: 0 }; Object.keys(found).length > 0; k++) {
            const there = exercises.filter((name) => name !== 'sum' &&
                readdirSync(new URL(`../../docs/exercises/${name}`, import.meta.url)).includes(`wrong-${k}.frag`));
            found = Object.fromEntries(there.map((name) => [name, source(`docs/exercises/${name}/wrong-${k}.frag`)]));
            await expect(page, 'fail', found, `, wrong-${k}.frag`);
        }
    },

    // Each term of the sum of eight neighbours, of the shader as the page has it.
    async dropped_neighbours_fail(page) {
        const { jacobi9: text } = await starts(page, ['jacobi9']);
        const terms = text.match(/texture2DRect\(band_\w\w, here\)\.x \* texture2DRect\(x, here \+ [^)]*\)\)\.x/g);
        assert.equal(terms.length, 8);
        for (const term of terms)
            await expect(page, 'fail', { jacobi9: text.replace(term, '0.0') }, ` without ${term}`);
        await expect(page, 'pass', { jacobi9: text });
    },

    // A guard is no number, which is below no other, and so is a cell that nothing writes.
    async guards_are_no_numbers(page) {
        const { jacobi9: text } = await starts(page, ['jacobi9']);
        const end = (line) => ({ jacobi9: text.replace(/\}\s*$/, `${line}\n}`) });
        await expect(page, 'pass', end('if (texture2DRect(x, here).x < 1e30) gl_FragColor += 0.0;'));
        await expect(page, 'fail', end('if (!(texture2DRect(x, here + vec2(2.0, 0.0)).x < 1e30)) gl_FragColor += 1.0;'));
        const { jacobi9: [verdict, sentence] } = await verdicts(page, end('if (here.x < 1.0) discard;'));
        assert.equal(verdict, 'fail');
        assert.match(sentence, /no number/);
    },

    async mutants_are_noticed(page) {
        await expect(page, 'pass', { shift: (await answers(page)).shift });
        await page.evaluate(() => document.querySelector('#exercise-shift .mutants').click());
        await harness.until(page, 'mutants', 20, () =>
            / 5 of 5 /.test(document.querySelector('#exercise-shift .mutant-report').textContent));
        await expect(page, 'fail', await starts(page, ['shift'])); // another text, of which that report says nothing
        assert.equal(await page.evaluate(() => document.querySelector('#exercise-shift .mutant-report').textContent), '');
    },

    async it_equals_the_command(page, names = Object.keys(runs)) {
        const off = await Promise.all(names.map((name) => difference(page, name, runs[name])));
        names.forEach((name, k) => assert.ok(off[k] <= 1e-6, `${name}: off by ${off[k]}`));
        return `largest difference ${Math.max(...off).toExponential(1)}`;
    },

    // Heat that is 0 or more stays so up to a rate of 0.25, and not beyond.
    async the_slider_sets_the_rate(page) {
        const negative = () => / from -/.test(document.querySelector('#step-heat .film-report').textContent);
        await page.evaluate(() => document.querySelector('#step-heat .play').click());
        await harness.until(page, 'steps', 10, () =>
            !/ 0[, ]/.test(document.querySelector('#step-heat .film-report').textContent));
        assert.equal(await page.evaluate(negative), false);
        await page.focus('#rate');
        await page.keyboard.press('End');
        await harness.until(page, 'a chessboard', 20, negative);
        await page.evaluate(() => document.querySelector('#step-heat .play').click());
    },

    // A film plays the text as it is when Play is pressed, and stops where there is no number to show.
    async films_play_the_newest_text(page) {
        const plays = async (value, words) => {
            await verdicts(page, { life: `float kernel(vec2 here) { return ${value}; }` });
            await page.evaluate(() => document.querySelector('#exercise-life .play').click());
            await harness.until(page, words, 10, (wanted) =>
                document.querySelector('#exercise-life .film-report').textContent.includes(wanted), words);
        };
        await plays('7.0', 'from 7 to 7');
        await page.evaluate(() => document.querySelector('#exercise-life .play').click());
        await plays('1e30 * (x_at(0.0, 0.0) + 1.0)', 'too large for a float, at step 2');
        assert.equal(await page.evaluate(() => document.querySelector('#exercise-life .play').textContent), 'Play');
        await plays('5.0', 'from 5 to 5');
        await page.evaluate(() => document.querySelector('#exercise-life .play').click());
    },

    // Loops as people write them. A software renderer has nobody who would end one that the page does not see.
    async what_never_ends_ends_in_a_sentence(page) {
        const { shift: right } = await answers(page);
        for (const loop of ['while (true)', 'for (;;)', 'for (float k = 0.0; k < 1.0; k *= 0.5)']) {
            const text = `float kernel(vec2 here) { float a = abs(x_at(-1.0, 0.0)); ${loop} a = fract(a + 0.1); return a; }`;
            const { shift: [verdict, sentence] } = await verdicts(page, { shift: text });
            assert.equal(verdict, 'error', sentence);
            assert.match(sentence, /^\S.* .*\S$/);
        }
        await expect(page, 'pass', { shift: right });
    },

    // What learners of C write, with the line and how it is said in GLSL.
    async errors_come_with_advice(page) {
        const kernel = (type, body) => `${type} kernel(vec2 here)\n{\n    ${body}\n}\n`;
        for (const [name, text, words] of [
            ['shift', kernel('float', 'return 0;'), /^line 3, "return 0;": 'return' .* float: write 0\.0\)$/],
            ['life', kernel('int', 'return 0.0;'), / int: write 0\)$/],
            ['shift', kernel('float', 'return here.x % 2.0;'), /use mod\(a, b\)\)$/],
            ['shift', kernel('float', 'return x[0];'), /x is no C array: read x_at/],
            ['shift', kernel('float', 'return x_at(0.0, 0.0) + x[0];'), /x is no C array: read x_at/],
            ['shift', kernel('float', 'return x_at(0.0, 0.0) + 1;'), /write 2\.0 for 2\)$/],
            ['shift', kernel('float', 'return 0.0;').replace('}\n', ''), /^the text ends too early: is a } missing\?$/]]) {
            const { [name]: [verdict, sentence] } = await verdicts(page, { [name]: text });
            assert.equal(verdict, 'error', text);
            assert.match(sentence, words);
        }
        await expect(page, 'pass', { shift: (await answers(page)).shift });
    },

    // The device gives up in the midst of a verdict, as it may where a text takes too long.
    async a_lost_context_is_followed_by_another(page) {
        const { shift: right } = await answers(page);
        await page.evaluate(() => {
            const { gl } = window.quadpass.device;
            gl.drawArrays = () => gl.getExtension('WEBGL_lose_context').loseContext();
        });
        const { shift: [verdict, sentence] } = await verdicts(page, { shift: right });
        assert.equal(verdict, 'error', sentence);
        assert.match(sentence, /^\S.* .*\S$/);
        await expect(page, 'pass', { shift: right });
    },

    async it_is_quiet(page) {
        harness.isQuiet(page);
    },

    // ---- In half floats, and without WebGL ----

    async it_says_so(page) {
        assert.equal(await page.evaluate(() => document.body.dataset.mode), 'half');
        assert.match(await page.evaluate(() => document.body.innerText), /half float/);
    },

    async there_is_no_verdict(page) {
        assert.equal(await page.evaluate(() => document.body.dataset.mode), 'none');
        await expect(page, 'none', { ...await answers(page), ...await starts(page, ['jacobi9']) });
        assert.match(await page.evaluate(() => document.body.innerText), /WebGL/);
    },
};

// ---- Faults of the page, each of which a check must notice ----

// Text that is replaced, and the check that then fails with such words: of verdicts, and of any page.
const faults = {
    a_wide_tolerance: [[/2 \*\* -20/, '1'], checks.dropped_neighbours_fail, /jacobi9 without/],
    a_verdict_that_always_passes: [['<= allowed)', '<= Infinity)'], checks.starts_fail, /'pass'/],
    guards_of_zeros: [[/fill\(NaN/g, 'fill(0'], checks.guards_are_no_numbers, /jacobi9/],
    a_reference_without_a_neighbour: [[/ \+ at\(i, j \+ 1\)/, ''], checks.answers_pass, /redblack|packing/],
    a_step_too_many: [[/k < steps; (k\+\+\)\s*run\.step\(\);\s*const cells)/, 'k <= steps; $1'],
        (page) => checks.it_equals_the_command(page, ['blur']), /blur: off by/],
};
const plain = {
    a_request: [[/<meta http-equiv[^]*?<body/, '<body background="https://quadpass.invalid/x.png"'],
        checks.it_is_quiet, /request: https:/],
    a_pale_colour: [['</head>', '<style>p { color: #999 !important }</style></head>'], checks.it_is_legible, /contrast/],
    a_wide_picture: [['</body>', '<div style="width: 500px">wide</div></body>'], checks.it_is_legible, /wider than 390/],
    a_button_without_keys: [['<button', '<button tabindex="-1"'], checks.keys_reach_everything, /does not reach button/],
};

// ---- Suites ----

// Checks by renderer; half floats take that of Mesa, and faults of any page none.
const suites = {
    swiftshader: Object.keys(checks).filter((name) => !['it_says_so', 'there_is_no_verdict'].includes(name)),
    llvmpipe: ['starts_fail', 'answers_pass', 'dropped_neighbours_fail', 'it_equals_the_command', 'it_is_quiet'],
    half: ['it_says_so', 'starts_fail', 'answers_pass', 'wrong_answers_fail', 'it_is_quiet'],
    none: ['there_is_no_verdict', 'it_is_legible', 'keys_reach_everything', 'it_is_quiet'],
};

async function run(browser, suite, query = '') {
    const page = await open(browser, { query });
    await harness.report(Object.fromEntries(suites[suite].map((name) => [`${suite}: ${name}`, () => checks[name](page)])));
    await page.close();
}

function plant(browser, some) {
    const noticed = harness.planter(browser, file.href);
    return harness.report(Object.fromEntries(
        Object.entries(some).map(([name, [what, check, words]]) => [`fault: ${name}`, noticed(...what, check, words)])));
}

for (const renderer of words.filter((word) => word !== 'long')) {
    const browser = await harness.launch(renderer);
    try {
        console.log(`${renderer}: ${await browser.version()}`);
        await run(browser, renderer);
        if (renderer === 'llvmpipe') await run(browser, 'half', '?mode=half');
        if (renderer === 'swiftshader') await plant(browser, faults);
        if (renderer === 'none') await plant(browser, plain);
    } finally {
        await browser.close();
    }
}
