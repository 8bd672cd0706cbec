# SPDX-License-Identifier: Apache-2.0
# Help: it is everywhere, goes to standard output, and its examples work.
. "$(dirname "$0")/_lib.sh"

exits 0 "" "$HEDDLE" --help
grep -q "Exit codes" stdout.txt || fail "no exit codes in the help"
# The man page and docs/reference/files.md have the same codes in the same words.
sed -n '/^Exit codes/,/^$/s/^  \([0-9]\)  /\1 /p' stdout.txt >codes.txt
equal "exit codes" "0 1 2 3 4 5 6 7" "$(cut -d' ' -f1 codes.txt | xargs)"
sed -n '/^.SH EXIT STATUS/,/^.SH ENV/p' "$SOURCE/man/heddle.1" |
    sed -n '/^.B \([0-9]\)$/{s/^.B //;N;s/\n/ /;s/\.$//;s/ ./\L&/p}' >man.txt
diff -u codes.txt man.txt || fail "heddle.1 and heddle --help differ in the exit codes"
sed -n 's/^| \([0-9]\) | \([^|]*\) |.*/\1 \2/p' "$SOURCE/docs/reference/files.md" >docs.txt
diff -u codes.txt docs.txt || fail "docs/reference/files.md and heddle --help differ in the exit codes"
exits 0 "" "$HEDDLE" help
exits 0 "" "$HEDDLE" --version
grep -Eq '^heddle [0-9]+\.[0-9]+\.[0-9]+$' stdout.txt || fail "version: $(cat stdout.txt)"

cp "$SOURCE/tests/data/le_f4.npy" x.npy
cp x.npy y.npy
PATH=$(dirname "$HEDDLE"):$PATH
for command in $("$HEDDLE" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -v help); do
    exits 0 "" "$HEDDLE" help $command
    cp stdout.txt help.txt
    exits 0 "" "$HEDDLE" $command --help
    cmp -s help.txt stdout.txt || fail "heddle help $command and heddle $command --help differ"
    grep -q "^usage: heddle $command" help.txt || fail "no usage in the help of $command"
    awk 'length > 100' help.txt | grep . && fail "lines too long in the help of $command"
done

# docs/reference/command-line.md has every command once.
sed -n '/^## Commands/,/^## Options/p' "$SOURCE/docs/reference/command-line.md" >table.txt
for command in $("$HEDDLE" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -v help); do
    equal "$command in the table of commands" 1 "$(grep -o "\`$command\`" table.txt | wc -l)"
done

# The examples of reduce, scan and the program, as they are printed.
for command in "" reduce scan show convert; do
    "$HEDDLE" help $command | grep -E "^  .*heddle (reduce|scan|show|convert) .*(-|x\.npy)" | grep -v "COMMAND" |
        sed 's/  *prints .*//' >examples.txt
    [ -s examples.txt ] || fail "no examples in the help of '$command'"
    while read -r line; do
        bash -c "$line" >out.txt 2>err.txt </dev/null || fail "$line: $(cat err.txt)"
    done <examples.txt
done
finish
