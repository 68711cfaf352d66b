# Numbers of docs/models/shapes.md: how much lower a thick bar's first mode is.
lower() { # thickness of a bar of 0.3 m
  for thin in true false; do
    contatto describe --body "{\"shape\": \"bar\", \"size_m\": [0.3, 0.04], \"thickness_m\": $1, \"material\": \"steel\", \"count\": 3, \"thin\": $thin}" |
      awk '$1 ~ /^[0-9]+$/ { print $2 }' >"$thin.txt"
  done
  paste true.txt false.txt | awk '{ print 100 * (1 - $2 / $1) }'
}
lower 0.006 | awk '{ print "thick/50/" NR "," $1 }'
lower 0.03 | awk '{ print "thick/10/" NR "," $1 }'
