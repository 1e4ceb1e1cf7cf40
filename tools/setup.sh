#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what Debian or Ubuntu lacks for one role: setup.sh build|test|lint|fuzz|browser
# Does nothing when nothing is missing; SETUP=0 never touches the package manager.
set -eu

usage() {
    echo 'usage: tools/setup.sh build|test|lint|fuzz|browser' >&2
    exit 2
}

[ $# -eq 1 ] || usage
case $1 in
build | test | lint | fuzz | browser) role=$1 ;;
*) usage ;;
esac
[ "${SETUP:-1}" != 0 ] || exit 0

# A line each: role, package, a program or pkg-config module that shows it is there on other systems
# (- if nothing does; / before it: here, too, whoever brought it), reason. All roles include build.
table='
build gcc              cc          C compiler, OpenMP, sanitizers
build libc6-dev        -           C library headers
build make             make        runs the build
build pkg-config       pkg-config  finds libraries
build git              git         names the commit in records, lists the files to check
build libegl-dev       .egl        OpenGL without a screen: headers
build libegl1          -           OpenGL without a screen: loader
build libegl-mesa0     -           OpenGL without a screen: Mesa
build libgl-dev        .gl         OpenGL: headers
build libgl1           -           OpenGL: loader
build libgl1-mesa-dri  -           OpenGL: drivers, llvmpipe for machines without a GPU
build libglew-dev      .glew       OpenGL: entry points
build libpng-dev       .libpng     pictures
build libcjson-dev     .libcjson   records in JSON
test  g++              c++         compiles the public headers as C++
test  libcmocka-dev    .cmocka     test framework
test  libopenblas-dev  .openblas   BLAS for jacobi9/blas, an opponent; without it that variant is skipped
test  liblapacke-dev   .lapacke    LAPACK for gauss_jordan/sgesv, an opponent; without it that variant is skipped
test  libsuitesparse-dev  -        direct solver, the judge of whole solves; without it they have none
test  libfftw3-dev     .fftw3      sine transforms, the judge of Poisson problems; without it they have none
test  libopenmpi-dev   .ompi-c     Open MPI for mpi variants, over several processes; without it they are skipped
test  openmpi-bin      mpirun      starts those processes; without it mpi variants run in one
test  libgmp-dev       -           whole numbers of any length, which judge what solves claim; without it nobody does
test  cmark-gfm        cmark-gfm   pages of the site; without it there is none
test  mandoc           mandoc      manual pages of the site, likewise
test  jq               jq          reads records for the tables in the documentation
test  valgrind         valgrind    looks for reads of what nobody wrote
test  python3-pytest   -           runs the cases of the plugin for pytest; without it they are skipped
test  python3-numpy    -           references of these cases
test  python3-moderngl -           OpenGL for Python, whose contexts the plugin proves
lint  clang-format     clang-format  format check
lint  cppcheck         cppcheck    static analysis
lint  mandoc           mandoc      check of the manual pages
lint  glslang-tools    glslangValidator  check of the shaders
lint  shellcheck       shellcheck  check of the shell scripts
fuzz  clang            clang       compiler with libFuzzer
fuzz  libclang-rt-dev  -           libFuzzer, and sanitizers for clang
browser  chromium      /chromium   opens the live page, without a screen
browser  nodejs        /node       runs the tests in it, and reference functions of the page
browser  npm           /npm        installs puppeteer-core, which drives it
browser  poppler-utils /pdftotext  reads pages as they are printed
'
wanted=$(echo "$table" | awk -v role="$role" '$1 == "build" || $1 == role')

# show PACKAGES: one aligned line each, with the reason.
show() {
    echo "$wanted" | awk -v list="$*" '
        BEGIN { split(list, names, " "); for (i in names) shown[names[i]] = 1 }
        $2 in shown {
            name = $2
            $1 = $2 = $3 = ""
            sub(/^ +/, "")
            printf "  %-16s %s\n", name, $0
        }'
}

# The role browser: modules as their lock file has them, again when it has changed. npm writes the
# last file looked for at its end.
modules() {
    [ "$role" = browser ] || return 0
    cd "$(dirname "$0")/.."
    place=build/browser
    if cmp -s tests/browser/package-lock.json "$place/package-lock.json" && [ -e "$place/node_modules/.package-lock.json" ]; then
        return 0
    fi
    mkdir -p "$place"
    cp tests/browser/package.json tests/browser/package-lock.json "$place"
    if ! (cd "$place" && npm ci --omit=optional --ignore-scripts --no-audit --no-fund) >"$place/log" 2>&1 </dev/null; then
        rm "$place/package-lock.json"
        tail -n 25 "$place/log" >&2
        echo "setup: npm could not install the modules of tests/browser/package-lock.json (its last lines are above)" >&2
        return 1
    fi
    echo "setup: installed the modules of tests/browser/package-lock.json in $place"
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    # Packages have other names here: look for what they bring, and leave installing to the user.
    missing=$(echo "$wanted" | while read -r _ package sign _; do
        case $sign in
        -) ;;
        .*) pkg-config --exists "${sign#.}" 2>/dev/null || echo "$package" ;;
        *) command -v "${sign#/}" >/dev/null || echo "$package" ;;
        esac
    done)
    [ -n "$missing" ] || { modules; exit 0; }
    echo "setup: this is no Debian or Ubuntu; please install what these Debian packages bring:"
    # shellcheck disable=SC2086 # names are separate words
    show $missing
    echo "setup: then run again, or with SETUP=0 to go on without this look"
    exit 1
fi

names=$(echo "$wanted" | awk '{ print $2 }')
# shellcheck disable=SC2086 # names are separate words
# dpkg-query fails if it does not know a name; what it knows is all that counts.
installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $names 2>/dev/null |
    awk '$2 == "installed" { print $1 }')
missing=$(echo "$wanted" | while read -r _ name sign _; do
    case $sign in
    /*) ! command -v "${sign#/}" >/dev/null || continue ;;
    esac
    echo "$installed" | grep -Fqx "$name" || echo "$name"
done | xargs)
[ -n "$missing" ] || { modules; exit 0; }

echo "setup: missing to $role:"
# shellcheck disable=SC2086 # names are separate words
show $missing

sudo=''
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: installing takes root, and there is no sudo here; please run as root:"
        echo "  apt-get update && apt-get install -y --no-install-recommends $missing"
        exit 1
    fi
    sudo=sudo
fi

# env, because sudo does not hand the environment on.
apt() {
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 "$@" </dev/null
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# A source that cannot be reached need not matter, so only the installation decides.
apt update >"$log" 2>&1 || echo "setup: the package lists could not all be updated; going on"
# shellcheck disable=SC2086 # names are separate words
if ! apt install --no-install-recommends $missing >>"$log" 2>&1; then
    tail -n 25 "$log" >&2
    echo "setup: apt-get could not install these packages (its last lines are above); install them" \
        "by hand and run again, with SETUP=0 to leave the package manager alone" >&2
    exit 1
fi
echo "setup: installed"
modules
