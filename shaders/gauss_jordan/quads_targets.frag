#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// quads.frag on four rows at once: they are in the same place of four textures, row y in texture y
// mod 4. `row` holds row k, divided already; row k itself is written out in its place.
// After paper 2, 'Matrix-row to texture quad mapping', which prints no program.
uniform sampler2DRect a[4];
uniform sampler2DRect row;
uniform vec2 k;       // centre of element (k, k), in texels
uniform vec2 origin;  // corner of the first square
uniform float square; // texels of a square, each way
uniform float sheet;  // k mod 4

vec2 corner_of(vec2 texel)
{
    return origin + square * floor((texel - origin) / square);
}

vec4 update(sampler2DRect a, vec2 factor, vec4 above, bool is_k)
{
    return is_k ? above
                : texture2DRect(a, gl_FragCoord.xy) - texture2DRect(a, factor) * above;
}

void main()
{
    vec2 here = corner_of(gl_FragCoord.xy), eliminating = corner_of(k);
    vec2 factor = here + (k - eliminating);
    vec4 above = texture2DRect(row, gl_FragCoord.xy - here);
    float mine = here == eliminating ? sheet : -1.0;
    gl_FragData[0] = update(a[0], factor, above, mine == 0.0);
    gl_FragData[1] = update(a[1], factor, above, mine == 1.0);
    gl_FragData[2] = update(a[2], factor, above, mine == 2.0);
    gl_FragData[3] = update(a[3], factor, above, mine == 3.0);
}
