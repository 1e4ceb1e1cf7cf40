// SPDX-License-Identifier: MIT
// Fourier transforms of all rows by Stockham's FFT, divided by their length: before a step there are
// transforms of length span, after it of twice that. Row y has a slit y / 4 wide around its first cell.
//     quadpass run demos/shaders/fft.frag --picture spectra.png
//@ state re im
//@ input re=(fmin(x - 1, 129 - x) < y / 8 ? (x % 2 - 0.5) / (2 * floor((y + 7) / 8) - 1) : 0)
//@ input im=zeros
//@ schedule span=1,2,4,8,16,32,64
//@ size 128x128
//@ steps 7
//@ tolerance 1e-5
//@ check fft.c

void kernel(vec2 here)
{
    float apart = 0.5 * size.x / span, k = floor(here.x / apart);
    vec2 even = vec2(here.x + (mod(k, span) - k + mod(k, span)) * apart, here.y);
    vec2 odd = even + vec2(apart, 0.0);
    float c = cos(3.14159265 * k / span), s = -sin(3.14159265 * k / span);
    out0 = 0.5 * (re_cell(even) + c * re_cell(odd) - s * im_cell(odd));
    out1 = 0.5 * (im_cell(even) + c * im_cell(odd) + s * re_cell(odd));
}
