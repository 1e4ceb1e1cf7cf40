/*@ origin */
/* GLSL's vectors, and functions of numbers and vectors, for heat.frag in C++. */
/*@ end */
#ifndef GLSL_HPP
#define GLSL_HPP

#define ALL HOST_DEVICE constexpr

namespace glsl {

FOR_NUMBERS(int, , b)
FOR_FLOATS(float, , f)
FOR_FLOATS(double, , )
FOR_INTEGERS()

/* ---- Vectors ---- */

template <typename T, int N> struct vector;

/* Component I of a vector. A number has itself as each. */
template <int I, typename T> ALL T part(T a) { return a; }
template <int I, typename T, int N> ALL T part(vector<T, N> a) { return a[I]; }

/* Number of components of a type. */
template <typename T> constexpr int size = 1;
template <typename T, int N> constexpr int size<vector<T, N>> = N;

/* Component I of several numbers and vectors, one after the other. */
template <int I, typename A> ALL auto among(A a) { return part<I>(a); }
template <int I, typename A, typename... B> ALL auto among(A a, B... b)
{
    if constexpr (I < size<A>)
        return part<I>(a);
    else
        return among<I - size<A>>(b...);
}

template <typename T, int N> struct components;
template <typename T> struct components<T, 2> { T x, y; };
template <typename T> struct components<T, 3> { T x, y, z; };
template <typename T> struct components<T, 4> { T x, y, z, w; };

template <char C> constexpr int place = C == 'w' ? 3 : C - 'x';

/* Components that are written together: v.yx = ... is v.set<'y', 'x'>() = ... */
template <typename V, char... C> struct chosen {
    V &of;
    template <typename B> ALL void operator=(B b)
    {
        vector<typename V::type, sizeof...(C)> from = b;
        int i = 0;
        ((of[place<C>] = from[i++]), ...);
    }
    template <typename B> ALL void operator+=(B b) { *this = of.template get<C...>() + b; }
    template <typename B> ALL void operator-=(B b) { *this = of.template get<C...>() - b; }
    template <typename B> ALL void operator*=(B b) { *this = of.template get<C...>() * b; }
    template <typename B> ALL void operator/=(B b) { *this = of.template get<C...>() / b; }
};

template <typename T, int N> struct vector : components<T, N> {
    using type = T;
    vector() = default;
    template <typename... A> ALL vector(A... a) : components<T, N>{}
    {
        (*this)[0] = T(among<0>(a...));
        (*this)[1] = T(among<1>(a...));
        if constexpr (N > 2)
            (*this)[2] = T(among<2>(a...));
        if constexpr (N > 3)
            (*this)[3] = T(among<3>(a...));
    }
    ALL T &operator[](int i)
    {
        if constexpr (N == 4)
            return i == 0 ? this->x : i == 1 ? this->y : i == 2 ? this->z : this->w;
        else if constexpr (N == 3)
            return i == 0 ? this->x : i == 1 ? this->y : this->z;
        else
            return i == 0 ? this->x : this->y;
    }
    ALL T operator[](int i) const { return vector(*this)[i]; }
    ALL explicit operator T() const { return this->x; }

    /* v.yx is v.get<'y', 'x'>() */
    template <char... C> ALL auto get() const { return vector<T, sizeof...(C)>(part<place<C>>(*this)...); }
    template <char... C> ALL auto set() { return chosen<vector, C...>{*this}; }
};

#define VECTORS(n)                                                       \
    using vec##n = vector<single, n>; using dvec##n = vector<double, n>; \
    using ivec##n = vector<int, n>; using bvec##n = vector<bool, n>;
VECTORS(2) VECTORS(3) VECTORS(4)

/* ---- Component by component ---- */

template <int... N> constexpr int largest = 1;
template <int A, int... N> constexpr int largest<A, N...> = A > largest<N...> ? A : largest<N...>;

/* Calls a function with all first components, with all second ones, and so on. */
template <typename F, typename... A> ALL auto each(F f, A... a)
{
    constexpr int n = largest<size<A>...>;
    using T = decltype(f(part<0>(a)...));
    if constexpr (n == 1)
        return f(a...);
    else if constexpr (n == 2)
        return vector<T, 2>(f(part<0>(a)...), f(part<1>(a)...));
    else if constexpr (n == 3)
        return vector<T, 3>(f(part<0>(a)...), f(part<1>(a)...), f(part<2>(a)...));
    else
        return vector<T, 4>(f(part<0>(a)...), f(part<1>(a)...), f(part<2>(a)...), f(part<3>(a)...));
}

#define BETWEEN(name, sign)                                   \
    template <typename A, typename B> ALL auto name(A a, B b) \
    { return each([](auto p, auto q) { return p sign q; }, a, b); }
#define OPERATOR(sign)                                                                        \
    BETWEEN(operator sign, sign)                                                              \
    template <typename T, int N, typename B> ALL auto &operator sign##=(vector<T, N> &a, B b) \
    { return a = a sign b; }
#define UNARY(sign)                                                     \
    template <typename T, int N> ALL auto operator sign(vector<T, N> a) \
    { return each([](auto p) { return sign p; }, a); }

OPERATOR(+) OPERATOR(-) OPERATOR(*) OPERATOR(/) OPERATOR(%)
BETWEEN(lessThan, <) BETWEEN(lessThanEqual, <=) BETWEEN(greaterThan, >) BETWEEN(greaterThanEqual, >=)
BETWEEN(equal, ==) BETWEEN(notEqual, !=)
UNARY(+) UNARY(-) UNARY(!) /* which C++ calls not, too */

/* ---- Functions: of any numbers, or of floats alone ---- */

template <typename... A> using number = decltype((part<0>(A()) + ...));
template <typename... A> using floating = number<A..., single>;

#define FUNCTIONS(name, type)                      \
    template <typename... A> ALL auto name(A... a) \
    { return each([](auto... p) { return name##_((type<A...>)(p)...); }, a...); }

FUNCTIONS(min, number) FUNCTIONS(max, number) FUNCTIONS(clamp, number)
FUNCTIONS(sign, number) FUNCTIONS(abs, number)
FUNCTIONS(floor, floating) FUNCTIONS(ceil, floating) FUNCTIONS(fract, floating) FUNCTIONS(mod, floating)
FUNCTIONS(mix, floating) FUNCTIONS(step, floating) FUNCTIONS(smoothstep, floating)
FUNCTIONS(sqrt, floating) FUNCTIONS(inversesqrt, floating) FUNCTIONS(sin, floating)
FUNCTIONS(cos, floating) FUNCTIONS(exp, floating) FUNCTIONS(log, floating) FUNCTIONS(pow, floating)

/* The sum of all components, as OpenGL on llvmpipe adds them: the last ones first. */
template <typename A> ALL auto sum(A a)
{
    if constexpr (size<A> == 1)
        return a;
    else if constexpr (size<A> == 2)
        return a.y + a.x;
    else if constexpr (size<A> == 3)
        return a.z + a.y + a.x;
    else
        return a.w + a.z + a.y + a.x;
}

template <typename T> constexpr bool is_integer = T(1) / T(2) == T(0);
template <typename A, typename B> ALL auto qp_quotient(A a, B b)
{
    return each([](auto p, auto q) {
        if constexpr (is_integer<decltype(p + q)>)
            return qp_quotient_(p, q);
        else
            return p / q;
    }, a, b);
}
template <typename A, typename B> ALL auto qp_rest(A a, B b) { return each([](auto p, auto q) { return qp_rest_(p, q); }, a, b); }

template <typename A, typename B> ALL auto dot(A a, B b) { return sum(a * b); }
template <typename A> ALL auto length(A a) { return sqrt(dot(a, a)); }
template <typename A, typename B> ALL auto distance(A a, B b) { return length(a - b); }
template <typename A> ALL auto normalize(A a) { return a * inversesqrt(dot(a, a)); }
template <typename A, typename B> ALL auto cross(A a, B b)
{
    return a.template get<'y', 'z', 'x'>() * b.template get<'z', 'x', 'y'>() -
           a.template get<'z', 'x', 'y'>() * b.template get<'y', 'z', 'x'>();
}
template <int N> ALL bool any(vector<bool, N> a) { return sum(a) > 0; }
template <int N> ALL bool all(vector<bool, N> a) { return sum(a) == N; }
template <typename T, int N, typename U> ALL bool operator==(vector<T, N> a, vector<U, N> b) { return all(equal(a, b)); }
template <typename T, int N, typename U> ALL bool operator!=(vector<T, N> a, vector<U, N> b) { return !(a == b); }

}

using glsl::vec2;
#undef ALL

#endif
