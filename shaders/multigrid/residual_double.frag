#version 400 compatibility
// SPDX-License-Identifier: MIT
// The residual of x in double, over the diagonal: D^-1 (b - A x) in floats, four nodes of a row a texel, where a texel
// of x has the words of two. EQUAL and FIVE are those of relax_rgba.frag.
uniform usampler2DRect x;
uniform sampler2DRect b;
uniform double mean; // b's, where the matrix is singular
#ifdef EQUAL
uniform double band[9];
uniform float weight; // 1 over the diagonal
#else
uniform sampler2DRect bands; // LL LD LU DL DU UL UD UU, then the diagonal, `apart` texels from each other
uniform float apart;
uniform vec2 repeated; // a row of the matrix, and how many equal ones follow it, which are not stored
#endif
uniform vec2 from; // the first texel of x

dvec2 two(vec2 place)
{
    uvec4 words = texture(x, place);
    return dvec2(packDouble2x32(words.rg), packDouble2x32(words.ba));
}

double last(vec2 place)
{
    return packDouble2x32(texture(x, place).ba);
}

double first(vec2 place)
{
    return packDouble2x32(texture(x, place).rg);
}

dvec4 four(vec2 place)
{
    return dvec4(two(place), two(place + vec2(1.0, 0.0)));
}

dvec4 left_of(vec2 place, dvec4 at)
{
    return dvec4(last(place + vec2(-1.0, 0.0)), at.xyz);
}

dvec4 right_of(vec2 place, dvec4 at)
{
    return dvec4(at.yzw, first(place + vec2(2.0, 0.0)));
}

#ifndef EQUAL
dvec4 entry(float block)
{
    vec2 node = gl_FragCoord.xy;
    vec2 row = vec2(node.x + block * apart, node.y - clamp(node.y - 0.5 - repeated.x, 0.0, repeated.y));
    return dvec4(texture2DRect(bands, row));
}
#endif

void main()
{
    vec2 node = gl_FragCoord.xy, here = vec2(2.0 * node.x - 0.5, node.y) + from, up = vec2(0.0, 1.0);
    dvec4 at = four(here), below = four(here - up), above = four(here + up);
    dvec4 left = left_of(here, at), right = right_of(here, at);
#ifndef FIVE
    dvec4 below_left = left_of(here - up, below), below_right = right_of(here - up, below);
    dvec4 above_left = left_of(here + up, above), above_right = right_of(here + up, above);
#endif
    dvec4 rest = dvec4(texture2DRect(b, node)) - dvec4(mean);
#ifdef EQUAL
    rest -= band[0] * at + ((band[2] * below + band[7] * above) + (band[4] * left + band[5] * right));
#ifndef FIVE
    rest -= (band[1] * below_left + band[3] * below_right) + (band[6] * above_left + band[8] * above_right);
#endif
    gl_FragColor = weight * vec4(rest);
#else
    dvec4 diagonal = entry(8.0);
    rest -= diagonal * at + ((entry(1.0) * below + entry(6.0) * above) + (entry(3.0) * left + entry(4.0) * right));
    rest -= (entry(0.0) * below_left + entry(2.0) * below_right) + (entry(5.0) * above_left + entry(7.0) * above_right);
    gl_FragColor = mix(vec4(rest / diagonal), vec4(0.0), equal(vec4(diagonal), vec4(0.0))); // after a row's last node
#endif
}
