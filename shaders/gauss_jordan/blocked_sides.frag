#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The right-hand sides after elimination, from the factors to where they are substituted back.
#ifndef SHEETS // who runs it says
#define SHEETS 8
#endif
layout(rgba32f) readonly uniform image2DRect factors;

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy) - 1;
    for (int s = 0; s < SHEETS; s++)
        gl_FragData[s] = imageLoad(factors, ivec2(here.x, SHEETS * here.y + s) + 1);
}
