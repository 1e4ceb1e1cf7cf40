#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The map of rows: for each place the row that a block's exchanges bring there, by undoing them from the last. Four
// rows a texel. The two texel rows above keep the log of all blocks, side by side: rows exchanged, and pivots.
layout(rgba32f) readonly uniform image2DArray panel;
uniform int k;       // the block's first column
uniform int columns; // texel columns of the block
uniform int n;

const int FIRST = 2;

vec4 logged(int x, int layer)
{
    return imageLoad(panel, ivec3(FIRST + x, n / 4, layer));
}

vec4 exchanged(vec4 rows, float a, float b)
{
    return mix(mix(rows, vec4(b), equal(rows, vec4(a))), vec4(a), equal(rows, vec4(b)));
}

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec4 from = float(4 * here.x) + vec4(0.0, 1.0, 2.0, 3.0);
    for (int t = columns - 1; t >= 0 && here.y == 0; t--) {
        vec4 with = logged(t, 0);
        for (int c = 3; c >= 0; c--)
            from = exchanged(from, float(k + 4 * t + c), with[c]);
    }
    gl_FragColor = here.y == 0 ? from : logged(min(here.x - k / 4, columns - 1), here.y - 1);
}
