# Tools of the shell: READER IN OUT.
case $1 in
gawk) gawk 'NR > 1 { print $1 + 0 }' "$2" > "$3" ;;
"gawk -M") gawk -M 'NR > 1 { print $1 + 0 }' "$2" > "$3" ;;
sqlite3) sqlite3 :memory: 'CREATE TABLE t (x INTEGER)' ".import --csv --skip 1 $2 t" '.headers on' '.mode csv' ".output $3" 'SELECT x FROM t' ;;
jq) tail -n +2 "$2" | jq -s -c '.[]' > "$3" ;;
perl) perl -ne 'print $_ + 0, "\n" if $. > 1' "$2" > "$3" ;;
esac
