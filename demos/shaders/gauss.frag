// SPDX-License-Identifier: MIT
// A picture blurred: each step takes means by 1 2 1 across and up; many of them make Gauss's bell.
//     quadpass run demos/shaders/gauss.frag -o blurred.png
//     quadpass run demos/shaders/gauss.frag --input x=photo.png --steps 50 -o blurred.png
//@ input x=../../docs/pictures/gallery/landscape.png
//@ outside clamp
//@ steps 8
//@ check gauss.c

vec4 kernel(vec2 here)
{
    vec4 sum = vec4(0.0);
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += float((2 - dx * dx) * (2 - dy * dy)) * x_at(dx, dy);
    return sum / 16.0;
}
