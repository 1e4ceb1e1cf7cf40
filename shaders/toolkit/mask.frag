// SPDX-License-Identifier: MIT
// Drops cells where an array is 0, which NaN is not. Lines in front say of which type it is: src/toolkit/mask.c.
uniform SAMPLER x;
uniform vec2 origin; // of the array, in texels of x

void main()
{
    if (FETCH(x, origin + gl_FragCoord.xy).r == ZERO)
        discard;
    gl_FragColor = vec4(1.0);
}
