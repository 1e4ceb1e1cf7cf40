#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// pivots.vert with lists: a small pass, candidates.frag, has searched before and made a list for the last
// known pivot, with the pivots before it. For pivots not yet known the rows of U are zero, and 1 / pivot is 1.
#ifndef GROUP // defined by the engine, in front of this file
#define GROUP 32
#endif
layout(rgba32f) readonly uniform image2DArray panel;
layout(rgba32f) readonly uniform image2DArray list;
uniform int k; // the block's first column
uniform int j; // texel column of the four in the block
uniform int known; // number of known pivots
uniform int n;

flat out ivec4 pivot;   // numbers of the pivots' rows in the panel
flat out vec4 upper[4]; // rows of U
flat out vec4 lower[4]; // rows of L^-1
flat out vec4 reciprocal; // reciprocals of the pivots
flat out vec4 exchange; // rows that the pivots' rows change places with, one exchange after the other

const int FIRST = 2;
const int BATCH = 8;

ivec4 found = ivec4(-1);
vec4 u[4], w[4];

// The first of the list's largest, read in batches as in pivots.vert; -1 if all are zero.
int largest(int last)
{
    float best = 0.0;
    int at = -1;
    for (int g = 0; g <= last; g += BATCH) {
        vec4 candidate[BATCH];
        for (int i = 0; i < BATCH; i++)
            candidate[i] = imageLoad(list, ivec3(min(g + i, last), 0, 0));
        for (int i = 0; i < BATCH; i++) {
            bool larger = candidate[i].x > best;
            at = larger ? int(candidate[i].y) : at;
            best = larger ? candidate[i].x : best;
        }
    }
    return at;
}

void eliminate(int s)
{
    u[s] = w[s] = vec4(0.0);
    reciprocal[s] = 1.0;
    if (s < known) {
        u[s] = found[s] < 0 ? vec4(0.0)
                            : imageLoad(panel, ivec3(FIRST + j, found[s] / 4, found[s] % 4));
        w[s][s] = 1.0;
        for (int t = 0; t < s; t++) {
            float factor = u[s][t] * reciprocal[t];
            u[s] -= factor * u[t];
            w[s] -= factor * w[t];
        }
        reciprocal[s] = 1.0 / u[s][s];
    }
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
    int last = (n - k - 1) / GROUP;
    if (known > 0) {
        found = ivec4(imageLoad(list, ivec3(last, 0, 1))); // all texels of layer 1 are equal
        found[known - 1] = largest(last);
    }
    eliminate(0);
    eliminate(1);
    eliminate(2);
    eliminate(3);
    pivot = found;
    upper = u;
    lower = w;
    if (known == 4) {
        found = pivot = max(found, ivec4(k)); // a missing pivot may have any row
        exchange = exchanges();
    } else {
        exchange = vec4(0.0);
    }
}
