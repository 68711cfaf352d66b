# Numbers of docs/measure.md: the modes it lists of a struck marimba bar.
contatto render mallet -o mallet.wav
contatto measure mallet.wav | awk '/mode Hz/ { on = 1; next } /^ *$/ { on = 0 } on { n++; print "mallet/" n "," $1 } END { print "mallet/count," n }'
