// SPDX-License-Identifier: MIT
// Tests of the live page without a browser: `node page.mjs TEST [WAS IS]`, from an empty folder. With
// WAS and IS the page has that fault. tests/live/test_page.c has their names.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { runInNewContext } from 'node:vm';

const [, , test, was = '', is = ''] = process.argv;
const root = new URL('../../', import.meta.url).pathname;
const read = (name) => readFileSync(root + name, 'utf8').replace('// SPDX-License-Identifier: MIT\n', '');
const page = read('docs/live/index.html').replace(was, is);
const judgeOf = (text) => runInNewContext(`${text.match(/<script id="judge">([^]*?)<\/script>/)[1]}
    ({expression, made, stepOf, taskOf, casesOf, testOf, wantedOf, wrongOf, refusal, mutantsOf, bounded, bare})`);
const judge = judgeOf(page);
const exercises = ['shift', 'wrap', 'blur', 'life', 'prefix', 'packing', 'sum', 'redblack'];

// What a part of a section says: its text, as a browser reads it.
function said(section, part) {
    const text = page.match(new RegExp(`id="${section}"[^]*?<${part}[^>]*>\n([^]*?)</`))[1];
    return text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
}
const start = (name) => said(`exercise-${name}`, 'textarea');
const answer = (name) => said(`exercise-${name}`, 'pre');

// The references in C, as one program in this folder.
function references(input) {
    if (!existsSync('references')) {
        writeFileSync('fold.h', read('docs/exercises/sum/judge.c').match(/^static double fold_in_c[^]*?^}/m)[0]);
        execFileSync('cc', ['-w', '-ffp-contract=off', '-I.', `-I${root}`, `-I${root}src`,
            `${root}tests/live/references.c`, '-o', 'references']);
    }
    return execFileSync('./references', { input, maxBuffer: 1 << 26 });
}

// Sizes from 1 x 1 to 24 x 24, and values that are no whole numbers but in Life.
function grids(name, which) {
    return Array.from({ length: 20 }, (_, k) => {
        const width = (1 + (k * 7) % 24) * (name === 'packing' ? 4 : 1), height = 1 + (k * 5) % 24;
        const cells = Float64Array.from(judge.made('random', width, height, 'float', which * 20 + k + 1));
        return { which, width, height, step: k % 5, cells: name === 'life' ? cells.map((value) => +(value < 0.4)) : cells };
    });
}

const tests = {
    // Starts, answers and shaders are the project's, byte for byte.
    texts_are_ours() {
        const inC = (name) => read(`docs/exercises/sum/${name}.c`).split('.body =')[1].split('.input')[0]
            .match(/"(?:[^"\\]|\\.)*"/g).map((line) => JSON.parse(line)).join('');
        for (const name of exercises.filter((each) => each !== 'sum')) {
            const whole = read(`docs/exercises/${name}/answer.frag`), head = whole.indexOf('\n\n') + 2;
            assert.equal(start(name), read(`docs/exercises/${name}/start.frag`), name);
            assert.equal(start(name).slice(0, head), whole.slice(0, head), name);
            assert.equal(answer(name), whole.slice(head), name);
        }
        assert.equal(start('sum').split('\n\n')[1].replace(' // change this', ''), inC('start'));
        assert.equal(answer('sum'), inC('answer'));
        for (const [name, path] of [['hand', 'demos/shaders/five_point'], ['heat', 'demos/shaders/heat'],
            ['stages', 'shaders/poisson5/luminance'], ['jacobi9', 'shaders/jacobi9/luminance'], ['rgba', 'shaders/poisson5/rgba']])
            assert.ok(`\n${read(`${path}.frag`)}`.endsWith(`\n${said(`step-${name}`, 'textarea')}`), name);
        assert.equal(said('film-gray_scott', 'textarea'), read('demos/shaders/gray_scott.frag'));
    },

    // Twenty grids each, bit for bit, and the numbers that `quadpass run` draws.
    references_agree() {
        const all = [...exercises.flatMap(grids), ...[1, 2, 77].map((step) => (
            { which: exercises.length, width: 9, height: 5, step, cells: new Float64Array(45) }))];
        const input = all.flatMap(({ which, width, height, step, cells }) =>
            [Buffer.from(Int32Array.of(which, width, height, step).buffer), Buffer.from(cells.buffer)]);
        const output = references(Buffer.concat(input));
        let at = 0;
        for (const { which, width, height, step, cells } of all) {
            const name = exercises[which], wanted = Array.from({ length: cells.length }, (_, k) => output.readDoubleLE(at + 8 * k));
            const got = name ? judge.stepOf(judge.taskOf(name, start(name)), { width, height, cells }, step, {}).cells
                : judge.made('random', width, height, 'float', step);
            assert.deepEqual(Array.from(got), wanted.slice(0, got.length), `${name} at ${width} x ${height}, step ${step}`);
            at += 8 * cells.length;
        }
    },

    // Heads and expressions; the cells of the exercise packing are in a file.
    inputs_are_ours() {
        const { input: { x }, size: [width, height] } = judge.taskOf('packing', start('packing'));
        const bytes = readFileSync(`${root}docs/exercises/packing/cells.npy`), cells = bytes.subarray(128);
        assert.deepEqual(Array.from(judge.made(x, width, height, 'float', 1)),
            Array.from({ length: cells.length / 4 }, (_, k) => cells.readFloatLE(4 * k)));
        for (const [text, value] of [['1 - 2 - 3', -4], ['2 + 3 * 4 % 5', 4], ['(x < y) + (x == 2 && y == 3)', 2],
            ['x > y ? 1 : y > x ? 2 : 3', 2], ['-x * hypot(3, 4)', -10], ['fmin(x, 1e-1) * 10', 1], ['fabs(-y) - floor(2.5)', 1]])
            assert.equal(judge.expression(text, 2, 3), value, text);
        for (const text of ['', '1 +', 'z', 'x y', '(x', 'PI', 'fmin'])
            assert.throws(() => judge.expression(text, 1, 1), (error) => error.message.startsWith(`'${text}': `), text);
        assert.throws(() => judge.testOf(judge.taskOf('shift', start('shift')), '6x4 0x1', 'zeros'), /'0x1' is no size/);
        const sizes = judge.testOf(judge.taskOf('shift', start('shift')), ' 6 x 4, 3x2 1', 'zeros').map((each) => each.size.join('x'));
        assert.equal(sizes.join(' '), '6x4 3x2 1x1');
    },

    // A rule of Life that errs for one state and one number of neighbours alone is noticed, for all 18.
    life_shows_every_rule() {
        const task = judge.taskOf('life', start('life')), rule = /\+\((alive === 3 .*)\);/;
        const answers = (by) => by.casesOf(task).flatMap((each) => by.wantedOf(task, each).flatMap(({ cells }) => [...cells]));
        const right = answers(judge), unseen = [];
        for (const own of [0, 1])
            for (let near = 0; near <= 8; near++) {
                const wrong = judgeOf(page.replace(rule, `+(($1) !== (at(i, j) === ${own} && alive === ${near + own}));`));
                if (answers(wrong).every((cell, k) => cell === right[k])) unseen.push(`${own} with ${near} neighbours`);
            }
        assert.deepEqual(unseen, []);
    },

    // NaN is wrong, an int must be exact, and what is allowed is small.
    comparison_is_strict() {
        const wrong = (got, type, mode = 'float') => [...judge.wrongOf(got, [1, 2, 4], 1, mode, type)];
        assert.deepEqual(wrong([1, 2, 4]), []);
        assert.deepEqual(wrong([1, NaN, 4.00001]), [1, 2]);
        assert.deepEqual(wrong([1.000003, 2, 4]), []);
        assert.deepEqual(wrong([1.000003, 2, 4], 'int'), [0]);
        assert.deepEqual(wrong([1.01, 2.1, 4], 'float', 'half'), [1]);
    },

    // What is refused, what mutants there are, and that each loop counts.
    texts_are_changed_as_promised() {
        const kernel = (body) => judge.taskOf('shift', start('shift'), `float kernel(vec2 here)\n{\n    ${body}\n}\n`);
        for (const body of ['x_at(1.0, 0.0) = 1.0; return 0.0;', 'x_cell(here).x += 1.0;', 'x_at(0.0, 0.0)++;'])
            assert.match(judge.refusal(kernel(body)), /^line 3: '.*' is set, but a kernel writes its own cell only, by return/);
        assert.match(judge.refusal(kernel('return y_at(0.0, 0.0);')), /reads an array 'y'; here is x/);
        assert.match(judge.refusal(judge.taskOf('shift', start('shift'), 'nothing')), /no kernel/);
        assert.match(judge.refusal(judge.taskOf('wrap', start('wrap'), `//@ outside wrap\n${answer('shift')}`)), /^do without the line/);
        assert.equal(judge.refusal(judge.taskOf('life', start('life'))), '');
        assert.match(judge.refusal(kernel('\n#define L \\\n while\nL (true) ;')), /a macro holds no loop/);
        assert.equal(judge.refusal(kernel('return x_at(0.0, 0.0) == 1.0 ? 1.0 : 2.0; // x_at(1.0, 0.0) = 1.0')), '');
        const count = (name, text = start(name)) => judge.mutantsOf(judge.taskOf(name, text)).length;
        assert.deepEqual(exercises.map((name) => count(name, answer(name))), [5, 5, 5, 10, 10, 25, 20, 25]);
        assert.equal(count('jacobi9', said('step-jacobi9', 'textarea')), 95);
        const { text } = judge.mutantsOf(kernel('return x_at(-1.0, 0.0); // x_at'))[2];
        assert.match(text, /return x_cell\(quad_here \+ vec2\(-1\.0, 0\.0\) \+ vec2\(1\.0, 0\.0\)\); \/\/ x_at/);
        const loops = 'for (;;) for (int k = 0; k < 3; k++) do x(); while (y(1)); // for (;;)';
        assert.equal(judge.bounded(loops, judge.bare(loops)).match(/quad_rounds\+\+ < 65536/g).length, 3);
    },
};

tests[test]();
