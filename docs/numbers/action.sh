# Numbers of docs/models/action.md: what the tests of the source print, and scores of the example strokes.
"$BUILD/test/test_action" >action.txt 2>&1
awk '/^eps:/ && $NF == "Hz" && $2 + 0 > most && /above 20/ { most = $2 } END { print "wander/above percent," most }' action.txt
for example in smooth word jerky; do
  contatto guide --example $example -o $example.csv
  for level in 1 3 5; do
    contatto guide $example.csv -o guide.wav --level $level | awk -v at="score/$example/$level" '/score/ { print at "," $2 }'
  done
done
