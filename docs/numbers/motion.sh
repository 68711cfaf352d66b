# Numbers of docs/motion.md: how many columns a table of everything has.
for scene in hammer rub marble goblet; do
  contatto render $scene --seconds 0.01 --motion motion.csv
  echo "columns/$scene,$(head -n 1 motion.csv | tr , '\n' | wc -l)"
done
