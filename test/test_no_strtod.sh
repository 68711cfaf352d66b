# Numbers are read by src/base/number.c alone: what the C library reads depends on the host's locale.
found=$(grep -rnEw 'strtod|strtof|strtold|atof|sscanf|fscanf|setlocale' "$ROOT/src" "$ROOT/hosts" "$ROOT/study" "$ROOT/include" \
  --include='*.[ch]')
[ -z "$found" ] || {
  echo "wrong: numbers read by the locale, or a locale set:"
  echo "$found"
  exit 1
}
