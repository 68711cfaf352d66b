# Tables of docs/scenes.md: the built-in scenes by family, each with its picture, what happens, controls and presets, as
# `contatto describe` tells them. A scene that is in no family, or in two, is an error.
struck='hammer mallet xylophone chime knock drop cradle'
rubbed='glass door wheel brake chalk rub'
bowed='cello violin fiddle saw bowl'
rolled='marble ball barrel skate track slide scrape'
obeying='goblet viola plate creak guide'

row() { # scene
  contatto describe "$1" | awk -v scene="$1" '
    NR == 1 { title = $0; sub(/^[^:]*: /, "", title) }
    NR == 2 { about = $0 }
    /^[a-z]+$/ { part = $1; next }
    part == "controls" && /^  [^ ]/ { controls = controls (controls ? ", " : "") "`" $1 "`" }
    part == "presets" && /^  [^ ]/ { name = $1; sub(/^  [^ ]+ +/, ""); presets = presets "<br>*" name "*: " $0 }
    END { printf "| ![%s](pictures/rooms/%s.jpg) | **%s** `%s`<br>%s<br>**Controls** %s<br>**Presets**%s |\n", title, scene, title, scene, about, controls, presets }'
}
table() { # name, scenes
  printf '| in play | what happens, controls, presets |\n| --- | --- |\n' >"$1.md"
  for scene in $2; do row "$scene" >>"$1.md"; done
}
table struck "$struck"
table rubbed "$rubbed"
table bowed "$bowed"
table rolled "$rolled"
table obeying "$obeying"

contatto list | awk '/^[^ ]/ { scene = $1 } /presets:/ { print scene }' | sort >there
printf '%s\n' $struck $rubbed $bowed $rolled $obeying | sort >shown
cmp there shown >&2
echo "scenes,$(wc -l <there)"
