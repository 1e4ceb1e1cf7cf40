#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The factors of a block, rows exchanged: in the block's columns what pivots.frag left there, to the right of them
// the pivots' rows, not yet changed.
#ifndef SHEETS // defined by the engine, in front of this file
#define SHEETS 8
#endif
layout(rgba32f) readonly uniform image2DArray source;
layout(rgba32f) readonly uniform image2DArray panel;
layout(rgba32f) readonly uniform image2DRect map;
uniform int k;       // the block's first column
uniform int columns; // texel columns of the block

const int FIRST = 2;

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy) - 1;
    int from = int(imageLoad(map, ivec2(here.y / 4, 0))[here.y % 4]), x = here.x - k / 4;
    gl_FragColor = x < columns
                       ? imageLoad(panel, ivec3(FIRST + x, from / 4, from % 4))
                       : imageLoad(source, ivec3(here.x + 1, from / SHEETS + 1, from % SHEETS));
}
