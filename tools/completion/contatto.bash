# bash completion for contatto. Scenes, presets, paths and works come from the program itself.

_contatto_scenes() {
  contatto list 2>/dev/null | sed -n 's/^\([^ ][^ ]*\) .*/\1/p'
}

_contatto_works() {
  contatto bench --list 2>/dev/null | sed 's/ .*//'
}

# _contatto_section SCENE SECTION: first words of a section of `contatto describe SCENE`
_contatto_section() {
  contatto describe "$1" 2>/dev/null |
    sed -n "/^$2/,/^\$/s/^  \([^ ][^ ]*\) .*/\1/p"
}

_contatto_paths() {
  _contatto_section "$1" controls
  _contatto_section "$1" parameters | sed 's/^bodies\.//; s/^contacts\.//; s/^sources\.//; s/^pickups\.//; s/\.points\././; s/\.regions\././'
}

_contatto_options() {
  case $1 in
    lab) echo "--port --no-open --export --help" ;;
    list) echo "--json --help" ;;
    describe) echo "--body --map --picture --preset --set --rate --strict --json --markdown --help" ;;
    render) echo "--out --seconds --rate --preset --set --gesture --motion --motion-of --energy --seed --raw --strict --ledger --help" ;;
    gallery) echo "--out --preset-all --help" ;;
    guide) echo "--out --level --log --participant --scene --set --rate --seed --example --pen-rate --json --help" ;;
    measure) echo "--json --band --mode --help" ;;
    fit) echo "--scene --out --preset --set --free --known --predict --compare --calibrated --seconds --points --seed --jobs --state --plot --json --help" ;;
    modes) echo "--out --modes --band --place --mass --hammer-mass --plot --wav --residual --json --help" ;;
    sweep) echo "--out --jobs --shard --shards --dry-run --portable --check --merge --parallel --slurm --help" ;;
    bench) echo "--list --quick --rate --portable --json --out --compare --plot --once --help" ;;
    study) echo "--out --csv --recording --help" ;;
  esac
}

# The first argument after the command that is not an option or an option's value.
_contatto_scene_word() {
  local i
  for ((i = 2; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --json | --markdown | --raw | --strict | --ledger | *=*) ;;
      -*) ((i++)) ;;
      *) echo "${COMP_WORDS[i]}" && return ;;
    esac
  done
}

# _contatto_offer WORDS: those that begin with what is typed
_contatto_offer() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")
}

_contatto_files() {
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
  compopt -o filenames 2>/dev/null
}

_contatto() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} scene
  if ((COMP_CWORD == 1)); then
    _contatto_offer "lab list describe render gallery guide measure modes fit sweep study bench --help --version"
    return
  fi
  case $before in
    -p | --preset) _contatto_offer "$(_contatto_section "$(_contatto_scene_word)" presets)" ;;
    --set)
      _contatto_offer "$(_contatto_paths "$(_contatto_scene_word)" | sed 's/$/=/')"
      compopt -o nospace 2>/dev/null
      ;;
    -b | --body) _contatto_offer "$(_contatto_section "$(_contatto_scene_word)" bodies)" ;;
    -m | --map) _contatto_offer "$(_contatto_section "$(_contatto_scene_word)" sources)" ;;
    -o | --out | -g | --gesture | --motion | --energy | --picture | --export | --log | --compare | --plot | --wav | --residual | --state | --predict) _contatto_files ;;
    --example) _contatto_offer "smooth jerky word" ;;
    --scene) _contatto_offer "$(_contatto_scenes)" ;;
    -s | --seconds | -r | --rate | --port | --seed | --band | --mode | --modes | --place | --mass | --hammer-mass | -l | --level | --participant | --pen-rate | --once | -j | --jobs | --points | --free | --known | --shard | --shards | --parallel) ;;
    *)
      scene=$(_contatto_scene_word)
      if [[ $word == -* ]]; then
        _contatto_offer "$(_contatto_options "$command")"
      elif [[ $command == bench ]]; then
        _contatto_offer "$(_contatto_works)"
      elif [[ -z $scene && ($command == render || $command == describe) ]]; then
        _contatto_files
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$(_contatto_scenes)" -- "$word")
      else
        _contatto_files
      fi
      ;;
  esac
}

complete -F _contatto contatto
