# The bounds of docs/models/islands.md and docs/architecture.md: what ct_scene_bound says.
"$CC" -std=c17 -I"$ROOT/include" -I"$ROOT/src" -o steps "$ROOT/docs/numbers/steps.c" "$BUILD/libcontatto_file.a" "$BUILD/libcontatto.a" -ljansson -lsndfile -lm
./steps "$ROOT/scenes/hammer.json" - 1 | awk -F, '$1 == "bound" { print "evaluations per solve," $2; print "substeps per sample," $3 }'
