float kernel(vec2 here) { return 0.5 * (x_at(-1.0, 0.0) + b_at(1.0, 0.0)); }
