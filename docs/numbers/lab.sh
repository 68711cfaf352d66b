# Numbers of docs/lab.md. Where the lab could not be built its modules have no size.
for name in contatto modes; do
  module=$BUILD/lab/$name.wasm
  size=absent
  [ ! -e "$module" ] || size=$(($(wc -c <"$module") / 1000))
  case $name in contatto) echo "module kB,$size" ;; *) echo "$name kB,$size" ;; esac
done
