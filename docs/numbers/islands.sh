# The bounds of docs/models/islands.md and docs/architecture.md: what ct_scene_bound says where a contact may take as
# many substeps as any may.
"$CC" -std=c17 -I"$ROOT/include" -I"$ROOT/src" -o steps "$ROOT/docs/numbers/steps.c" "$BUILD/libcontatto_io.a" "$BUILD/libcontatto_file.a" "$BUILD/libcontatto.a" -ljansson -lsndfile -lm
sed 's/"kind": "impact",/& "quality": "best",/' "$ROOT/scenes/hammer.json" >best.json
./steps best.json - 1 | awk -F, '$1 == "bound" { print "evaluations per solve," $2; print "substeps per sample," $3 }'
