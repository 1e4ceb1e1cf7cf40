#version 430 compatibility
// SPDX-License-Identifier: MIT
// A cycle from 0 over all grids of 1024 nodes and fewer, by one work group in shared memory. Its invocations have a few
// nodes each. ADD: the answer corrects `old`.
layout(local_size_x = 256) in;
layout(rgba32f) writeonly uniform image2DRect target;
uniform sampler2DRect b; // right-hand side of the finest of these grids, four nodes of a row a texel
#ifdef ADD
uniform sampler2DRect old;
#endif
// Six texels a node: DL DU LD UD, and LL LU UL UU, over the diagonal; the coarse column before, its weights and the
// next one's, and the diagonal; the coarse row with weights; four weights of finer columns, and of finer rows.
uniform sampler2DRect nodes;
uniform sampler2DRect inverse; // the coarsest grid's, in columns of which the diagonal is a factor
uniform float grid[64];        // nodes across and up, the first node, the radius, and the rim, of each grid
uniform int grids, steps;
uniform float smoother[3]; // weights of its steps, times the radius
uniform vec2 corner;       // the first texel of the target

const int EACH = 4, MOST = 1024, ALL = 3072;
shared float x[ALL], right[ALL], rest[MOST];

int number(int k, int which)
{
    return int(grid[8 * k + which]);
}

vec4 texel(int i, int which)
{
    return texture2DRect(nodes, vec2(float(i % 64 * 6 + which) + 0.5, float(i / 64) + 0.5));
}

// b - A x over the diagonal, and the whole answer of a step.
float residual(int k, int i)
{
    int width = number(k, 0), height = number(k, 1), at = number(k, 2) + i, column = i % width, row = i / width;
    vec4 sides = texel(at, 0), corners = texel(at, 1);
    bool left = column > 0, right_of = column < width - 1, below = row > 0, above = row < height - 1;
    float sum = x[at];
    sum += left ? sides.x * x[at - 1] : 0.0;
    sum += right_of ? sides.y * x[at + 1] : 0.0;
    sum += below ? sides.z * x[at - width] : 0.0;
    sum += above ? sides.w * x[at + width] : 0.0;
    sum += left && below ? corners.x * x[at - width - 1] : 0.0;
    sum += right_of && below ? corners.y * x[at - width + 1] : 0.0;
    sum += left && above ? corners.z * x[at + width - 1] : 0.0;
    sum += right_of && above ? corners.w * x[at + width + 1] : 0.0;
    return right[at] - sum;
}

int count(int k)
{
    return number(k, 0) * number(k, 1);
}

void relax(int k, float weight)
{
    float next[EACH];
    int first = number(k, 2), here = int(gl_LocalInvocationIndex);
    for (int q = 0; q < EACH; q++)
        if (here + 256 * q < count(k))
            next[q] = x[first + here + 256 * q] + weight * residual(k, here + 256 * q);
    barrier();
    for (int q = 0; q < EACH; q++)
        if (here + 256 * q < count(k))
            x[first + here + 256 * q] = next[q];
    barrier();
}

void smooth_on(int k, int from)
{
    for (int i = from; i < steps; i++)
        relax(k, smoother[i] / grid[8 * k + 3]);
}

void go_down(int k)
{
    int first = number(k, 2), here = int(gl_LocalInvocationIndex), width = number(k, 0), height = number(k, 1);
    for (int i = here; i < count(k); i += 256)
        x[first + i] = smoother[0] / grid[8 * k + 3] * right[first + i];
    barrier();
    smooth_on(k, 1);
    for (int i = here; i < count(k); i += 256)
        rest[i] = residual(k, i) * texel(first + i, 2).w;
    barrier();
    for (int i = here; i < count(k + 1); i += 256) {
        int to = number(k + 1, 2) + i, column = i % number(k + 1, 0) * 2 + number(k, 4) - 1;
        int row = i / number(k + 1, 0) * 2 + number(k, 5) - 1;
        vec4 across = texel(to, 4), up = texel(to, 5);
        float sum = 0.0;
        for (int q = 0; q < 16; q++) {
            int from_x = column + q % 4, from_y = row + q / 4;
            if (from_x >= 0 && from_x < width && from_y >= 0 && from_y < height)
                sum += across[q % 4] * up[q / 4] * rest[from_y * width + from_x];
        }
        right[to] = sum / texel(to, 2).w;
    }
    barrier();
}

void go_up(int k)
{
    int first = number(k, 2), below = number(k + 1, 2), here = int(gl_LocalInvocationIndex);
    int width = number(k + 1, 0), height = number(k + 1, 1);
    for (int i = here; i < count(k); i += 256) {
        vec4 across = texel(first + i, 2), up = texel(first + i, 3);
        for (int q = 0; q < 4; q++) {
            int column = int(across.x) + q % 2, row = int(up.x) + q / 2;
            float weight = across[1 + q % 2] * up[1 + q / 2];
            if (column >= 0 && column < width && row >= 0 && row < height)
                x[first + i] += weight * x[below + row * width + column];
        }
    }
    barrier();
    smooth_on(k, 0);
}

void main()
{
    int here = int(gl_LocalInvocationIndex), width = number(0, 0), last = grids - 1, across = (width + 3) / 4;
    for (int i = here; i < count(0); i += 256)
        right[i] = texture2DRect(b, vec2(float(i % width / 4) + 0.5, float(i / width) + 0.5))[i % width % 4];
    barrier();
    for (int k = 0; k < last; k++)
        go_down(k);
    for (int i = here; i < count(last); i += 256) {
        float sum = 0.0;
        for (int j = 0; j < count(last); j++)
            sum += texture2DRect(inverse, vec2(float(j) + 0.5, float(i) + 0.5)).x * right[number(last, 2) + j];
        x[number(last, 2) + i] = sum;
    }
    barrier();
    for (int k = last - 1; k >= 0; k--)
        go_up(k);
    for (int i = here; i < across * number(0, 1); i += 256) {
        vec4 answer = vec4(0.0);
        for (int q = 0; q < 4; q++)
            if (i % across * 4 + q < width)
                answer[q] = x[i / across * width + i % across * 4 + q];
        vec2 place = vec2(float(i % across), float(i / across)) + corner;
#ifdef ADD
        answer += texture2DRect(old, place + 0.5);
#endif
        imageStore(target, ivec2(place), answer);
    }
}
