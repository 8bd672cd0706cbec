# SPDX-License-Identifier: Apache-2.0
# heddle lex: the tokens of a text. (cli.real_texts compares files of the machine.)
. "$(dirname "$0")/../_lib.sh"

lex() { "$HEDDLE" lex "$@" 2>&1 | tr '\n' ';'; }
printf '{"a": [1, tru\145]}' >a.json
equal json '0 1 { {;1 3 string "a";4 1 : :;6 1 [ [;7 1 number 1;8 1 , ,;10 4 true true;14 1 ] ];15 1 } };' \
    "$(lex --lang json a.json)"
equal scan "$(lex --lang json a.json)" "$(lex --lang json a.json --method scan)"
equal blocks "$(lex --lang json a.json)" "$(lex --lang json a.json --method blocks --backend serial)"
equal csv "0 1 text a;1 1 comma ,;2 5 quoted \"b\"\"\";" "$(printf 'a,"b"""' | lex --lang csv -)"
printf 'int main(void) { return x+++1; } /* never' >a.c
equal c "2 identifier;1 number" \
    "$(printf 'a+b-1 // c' >b.c; "$HEDDLE" lex --lang c -c b.c | grep -v punct | paste -sd';')"
equal longest '21 6 identifier return' "$(lex --lang c a.c | tr ';' '\n' | sed -n 's/^17 /21 /p')"
equal open '33 1 punctuator /' "$(lex --lang c a.c | tr ';' '\n' | grep '^33')"

printf '# words\n!blank [ \\n]+\nword [a-z]+\nnumber\t[0-9]{1,3}\n' >my.rules
equal rules '0 2 word ab;3 3 number 123;6 2 number 45;' "$(printf 'ab 12345\n' | lex --rules my.rules -)"
equal counts '1 word;2 number;' "$(printf 'ab 12345\n' | lex --rules my.rules -c -)"
equal errors '0 1 word a;1 1 error #;2 1 word b;' "$(printf 'a#b' | lex --rules my.rules --errors -)"
equal blank '' "$(printf '  ' | lex --rules my.rules -)"

exits 0 "" "$HEDDLE" lex --lang json a.json -o tokens.npy
equal file 27 "$(elements tokens.npy)"
exits 0 "" "$HEDDLE" lex --lang json a.json --json
grep -q '"string": 1' stdout.txt || fail "json: $(cat stdout.txt)"
exits 7 "no rule matches at byte 1 of the text, which is 0x23 ('#')" \
    "$HEDDLE" lex --rules my.rules "$(printf 'a#b' >bad.txt; echo bad.txt)"
exits 2 "expected either --lang or --rules" "$HEDDLE" lex a.json
exits 2 "--lang" "$HEDDLE" lex --lang pascal a.json
printf 'word [a-z\n' >bad.rules
exits 7 "rule 0 (word), position 0" "$HEDDLE" lex --rules bad.rules a.json
printf 'word\n' >bad.rules
exits 7 "bad.rules, line 1: expected a name" "$HEDDLE" lex --rules bad.rules a.json
exits 6 "absent" "$HEDDLE" lex --lang json absent
finish
