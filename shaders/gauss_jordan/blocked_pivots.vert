#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Four pivots, one after the other, each the largest of its column below the pivots before it; the
// factors of the 4 x 4 block D = L U where the pivots' rows and columns cross; and the rows that LAPACK
// exchanges. Every vertex finds the same, and all fragments get it unchanged.
layout(rgba32f) readonly uniform image2DArray panel;
uniform int k; // the block's first column
uniform int j; // texel column of the four in the block
uniform int n;

flat out ivec4 pivot;   // numbers of the pivots' rows in the panel
flat out vec4 upper[4]; // the rows of U
flat out vec4 lower[4]; // the rows of L^-1
flat out vec4 reciprocal; // reciprocals of the pivots
flat out vec4 exchange; // rows that the pivots' rows change places with, one exchange after the other

const int NEXT = 1, FIRST = 2;
const int BATCH = 8;

ivec4 found = ivec4(-1);
vec4 u[4], w[4];

// Four rows of column s, after the known pivots are eliminated from them.
vec4 eliminated(mat4 a, int s)
{
    for (int t = 0; t <= s; t++) {
        for (int i = 0; i < t; i++)
            a[t] -= a[i] * u[i][t];
        if (t < s)
            a[t] *= reciprocal[t];
    }
    return a[s];
}

// The row of the largest of column s, -1 if all are zero. Texels are read in batches, for a GPU waits as long for a
// texel as for many. The last batch looks at the last rows a second time, which changes nothing.
int largest(int s)
{
    float best = 0.0;
    int at = -1, last = n / 4 - 1;
    for (int y = k / 4; y <= last; y += BATCH) {
        mat4 batch[BATCH];
        for (int q = 0; q < BATCH; q++)
            for (int t = 0; t <= s; t++)
                batch[q][t] = imageLoad(panel, ivec3(NEXT, min(y + q, last), t));
        for (int q = 0; q < BATCH; q++) {
            ivec4 row = 4 * min(y + q, last) + ivec4(0, 1, 2, 3);
            vec4 size = abs(eliminated(batch[q], s));
            for (int t = 0; t < s; t++)
                size = mix(size, vec4(-1.0), equal(row, ivec4(found[t])));
            for (int c = 0; c < 4; c++) {
                if (size[c] > best) {
                    best = size[c];
                    at = row[c];
                }
            }
        }
    }
    return at;
}

// A missing pivot is 0, and the log says so.
void eliminate(int s)
{
    int row = largest(s);
    found[s] = max(row, k);
    u[s] = row < 0 ? vec4(0.0) : imageLoad(panel, ivec3(FIRST + j, row / 4, row % 4));
    w[s] = vec4(0.0);
    w[s][s] = 1.0;
    for (int t = 0; t < s; t++) {
        float factor = u[s][t] * reciprocal[t];
        u[s] -= factor * u[t];
        w[s] -= factor * w[t];
    }
    reciprocal[s] = 1.0 / u[s][s];
}

// Position of a row after rows a and b are exchanged.
vec4 exchanged(vec4 rows, float a, float b)
{
    return mix(mix(rows, vec4(b), equal(rows, vec4(a))), vec4(a), equal(rows, vec4(b)));
}

// Rows to exchange, as LAPACK counts them: after each exchange; the pivots' numbers are those of the block's start.
vec4 exchanges()
{
    vec4 at = vec4(found);
    for (int t = 0; t < j; t++) {
        vec4 with = imageLoad(panel, ivec3(FIRST + t, n / 4, 0));
        for (int c = 0; c < 4; c++)
            at = exchanged(at, float(k + 4 * t + c), with[c]);
    }
    for (int c = 0; c < 3; c++)
        at = mix(at, exchanged(at, float(k + 4 * j + c), at[c]),
                 greaterThan(ivec4(0, 1, 2, 3), ivec4(c)));
    return at;
}

void main()
{
    gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;
    eliminate(0);
    eliminate(1);
    eliminate(2);
    eliminate(3);
    pivot = found;
    upper = u;
    lower = w;
    exchange = exchanges();
}
