#version 400 compatibility
// SPDX-License-Identifier: MIT
// Adds 4 x 4 terms in double as a tree four deep. A line in front makes them of cells of x and y: src/toolkit/reduce_kernels.c.
uniform usampler2DRect x;
#ifdef TWO
uniform usampler2DRect y;
uniform vec2 apart; // from a texel of x to that of y
#endif
uniform vec2 origin; // of the input, in texels of x
uniform vec2 size;   // of the input, in texels
out uvec2 words;

// A coordinate beyond the edge is moved onto it and the value dropped: nothing outside is ever
// read.
double term(vec2 place)
{
    vec2 here = origin + min(place, size - 0.5);
    double a = VALUE_OF(texture(x, here));
#ifdef TWO
    double b = VALUE_OF(texture(y, here + apart));
#else
    double b = a;
#endif
    return place.x < size.x && place.y < size.y ? TERM_OF(a, b) : 0.0LF;
}

double row(vec2 place)
{
    return (term(place) + term(place + vec2(1.0, 0.0))) +
           (term(place + vec2(2.0, 0.0)) + term(place + vec2(3.0, 0.0)));
}

void main()
{
    vec2 place = 4.0 * (gl_FragCoord.xy - 0.5) + 0.5;
    words = unpackDouble2x32((row(place) + row(place + vec2(0.0, 1.0))) +
                             (row(place + vec2(0.0, 2.0)) + row(place + vec2(0.0, 3.0))));
}
