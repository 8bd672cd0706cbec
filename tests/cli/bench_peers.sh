# SPDX-License-Identifier: Apache-2.0
# Where heddle bench takes peers from: the folder of its installation, of a program in its build
# folder `peers` there, or the one that HEDDLE_PEERS_DIR names; never the working folder, nor one
# beside the program.
. "$(dirname "$0")/_lib.sh"
unset HEDDLE_PEERS_DIR

# An installed program, and plug-ins everywhere that are no peers: each that is opened is said to be
# left out.
libdir=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$BUILD/CMakeCache.txt")
case ${libdir:-/} in /*) exit 77 ;; esac
mkdir -p tree/bin/peers "tree/$libdir/heddle/peers" peers elsewhere
cp "$HEDDLE" tree/bin/heddle || exit 1
echo 'int heddle_nothing;' | "${CC:-cc}" -shared -fPIC -x c - -o nothing.so || exit 1
for folder in tree/bin/peers "tree/$libdir/heddle/peers" peers elsewhere tree/bin .; do
    cp nothing.so "$folder/heddle-peer-nothing.so"
done

# opened WHAT FOLDER COMMAND...: it opens the plug-in of that folder (none: "") and no other.
opened() {
    local what=$1 want=$2 got
    shift 2
    "$@" bench reduce --peers --no-peaks --quick --time 0.001 --sizes 64 --types f32 --ops sum >out 2>err ||
        fail "$what: exit $?: $(cat err)"
    got=$(sed -n 's/^peer left out: \(.*\)\/heddle-peer-nothing.so: .*/\1/p' err)
    [ -z "$got" ] || got=$(cd "$got" && pwd -P)
    [ -z "$want" ] || want=$(cd "$want" && pwd -P)
    equal "$what" "$want" "$got"
}
installed=$PWD/tree/bin/heddle
opened "installed" "tree/$libdir/heddle/peers" "$installed"
opened "named" elsewhere env HEDDLE_PEERS_DIR=elsewhere "$installed"
rm "tree/$libdir/heddle/peers/heddle-peer-nothing.so"
opened "installed without peers" "" "$installed"
touch tree/bin/CMakeCache.txt
opened "in its build folder" tree/bin/peers "$installed"
finish
