#version 400 compatibility
// SPDX-License-Identifier: MIT
// luminance.frag in double: a texel is the two words of a double. Texture filters cannot take doubles, but texels
// are fetched one by one, without a filter.
uniform usampler2DRect x;
#ifdef RHS
uniform usampler2DRect rhs; // h^2 f
#endif
#ifdef SPIKE
uniform vec2 origin; // corner of the domain, in texels
uniform vec2 spike;  // the cell with h^2 f = 1
#endif
#ifdef WEIGHTED
uniform double weight[1];
#endif
out uvec2 words;

double value(usampler2DRect array, vec2 place)
{
    return packDouble2x32(texture(array, place).rg);
}

void main()
{
    vec2 here = gl_FragCoord.xy;
    precise double sum = (value(x, here + vec2(-1.0, 0.0)) + value(x, here + vec2(1.0, 0.0))) +
                         (value(x, here + vec2(0.0, -1.0)) + value(x, here + vec2(0.0, 1.0)));
#ifdef RHS
    sum += value(rhs, here);
#endif
#ifdef SPIKE
    sum += double(here == origin + spike + 0.5);
#endif
    precise double relaxed = sum * 0.25LF;
#ifdef WEIGHTED
    double old = value(x, here);
    relaxed = old + weight[0] * (relaxed - old);
#endif
    words = unpackDouble2x32(relaxed);
}
