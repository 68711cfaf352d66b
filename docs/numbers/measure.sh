# Numbers of docs/measure.md: the modes it lists of a struck marimba bar, and of a steel bar.
for scene in mallet hammer; do
  contatto render $scene -o $scene.wav
  contatto measure $scene.wav | awk -v scene=$scene '/mode Hz/ { on = 1; next } /^ *$/ { on = 0 } on { n++; print scene "/" n "," $1 } END { print scene "/count," n }'
done
