# SPDX-License-Identifier: Apache-2.0
# Small files that say, and hold, gigabytes are refused before there is memory for them; --max-bytes
# and HEDDLE_MAX_BYTES move the bound.
. "$(dirname "$0")/../_lib.sh"
python=$(command -v python3) || exit 77
"$HEDDLE" doctor >doctor.txt
has() { grep -q "yes  $1 " doctor.txt; }

"$python" - <<'END' || fail "no bombs"
import struct, zlib

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

def image(w, h, data):  # one bit a pixel, four bytes of an array: a palette with alpha
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 1, 3, 0, 0, 0)) + \
        chunk(b"PLTE", bytes(6)) + chunk(b"tRNS", bytes(2)) + chunk(b"IDAT", data) + \
        chunk(b"IEND", b"")

def header(n):
    text = ("{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }" % n).encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + text.ljust(117) + b"\n"

def archive(name, packed, size):  # one deflated member
    of = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, 0, len(packed), size, len(name), 0)
    directory = b"PK\1\2\x14\0" + of + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    at = 30 + len(name) + len(packed)
    return b"PK\3\4" + of + name + packed + directory + \
        struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(directory), at, 0)

# What is compressed is not looked at before sizes are: zeros do.
open("bomb.png", "wb").write(image(30000, 29900, bytes(109000)))
open("small.png", "wb").write(image(4000, 1000, zlib.compress(bytes(501 * 1000))))
open("bomb.npz", "wb").write(archive(b"a.npy", bytes(1600000), 3 << 29))
open("lie.npy", "wb").write(header(1 << 40) + b"x")
END

# most MEGABYTES COMMAND...: it must end within so much memory.
most() {
    sanitized && { shift && "$@" >/dev/null 2>&1; return; }
    "$python" - "$@" <<'END' || fail "$*"
import resource, subprocess, sys
subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
               stdin=subprocess.DEVNULL)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
sys.exit(0 if peak <= int(sys.argv[1]) else "it took %d MB" % peak)
END
}

if has libpng; then
    [ "$(wc -c <bomb.png)" -lt 120000 ] || fail "the bomb is $(wc -c <bomb.png) bytes"
    exits 7 "bomb.png: the image of 30000 x 29900 pixels would take 3588240000 bytes" \
        "$HEDDLE" show bomb.png
    grep -qF -- "--max-bytes 3423M, or HEDDLE_MAX_BYTES, raises it" stderr.txt ||
        fail "$(cat stderr.txt)"
    most 100 "$HEDDLE" reduce bomb.png
    most 100 sh -c "cat bomb.png | '$HEDDLE' reduce -"
    exits 0 "" "$HEDDLE" reduce small.png
    exits 7 "more than the bound of 15728640 (15M)" "$HEDDLE" reduce small.png --max-bytes 15M
    exits 0 "" "$HEDDLE" reduce small.png --max-bytes 16M
    HEDDLE_MAX_BYTES=15M exits 7 "more than the bound" "$HEDDLE" reduce small.png
    HEDDLE_MAX_BYTES=15M exits 0 "" "$HEDDLE" reduce small.png --max-bytes 1G
fi
if has zlib; then
    exits 7 "bomb.npz: the array would take 1610612736 bytes" "$HEDDLE" reduce bomb.npz
    most 100 "$HEDDLE" reduce bomb.npz
    exits 7 "a.npy" "$HEDDLE" show "bomb.npz:a.npy"
fi
exits 7 "the file ends too early: expected" "$HEDDLE" reduce lie.npy
most 100 sh -c "cat lie.npy | '$HEDDLE' sort -"
cat lie.npy | "$HEDDLE" sort - 2>err.txt
grep -q "the data end too early" err.txt || fail "a lie in a pipe: $(cat err.txt)"

# An endless pipe, with a bound.
most 200 sh -c "'$HEDDLE' sort - --dtype u8 --max-bytes 20M </dev/zero"
"$HEDDLE" sort - --dtype u8 --max-bytes 20M </dev/zero 2>err.txt
equal "an endless pipe" 7 $?
grep -q "standard input: the array would take more memory than the bound of 20971520" err.txt ||
    fail "$(cat err.txt)"
"$HEDDLE" histogram --letters - --max-bytes 1M </dev/zero 2>err.txt
equal "endless letters" 7 $?
# What is mapped or read chunk by chunk takes no memory, and has no bound.
head -c 2000000 /dev/zero >x.raw
exits 0 "" "$HEDDLE" sort x.raw --dtype u8 --max-bytes 1M -o y.npy
equal "chunk by chunk" 2000000 "$(cat x.raw | elements - --dtype u8 --max-bytes 1M)"
# A file of lengths asks for as much as it likes.
npy_u8 7 >value.npy
printf '1000000000000\n' >length.csv
exits 7 "length.csv: the result would take 1000000000000 bytes" \
    "$HEDDLE" expand value.npy length.csv

exits 2 "--max-bytes: expected a size such as 500M or 4G" "$HEDDLE" reduce x.raw --max-bytes much
HEDDLE_MAX_BYTES=-1 exits 2 "HEDDLE_MAX_BYTES: expected a size" "$HEDDLE" reduce x.raw
finish
