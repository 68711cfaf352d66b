# Numbers of docs/lab.md. Where the lab could not be built its module has no size.
module=$BUILD/lab/contatto.wasm
if [ -e "$module" ]; then echo "module kB,$(($(wc -c <"$module") / 1000))"; else echo "module kB,absent"; fi
