# Pushes kotef's notes to the remote of a push, as `kotef sync` does. It runs in the background; its failure is ignored.
share() {
  notes=refs/notes/kotef there=refs/kotef/pushed/$$ scratch=refs/notes/kotef-$$
  export GIT_TERMINAL_PROMPT=0
  for _ in 1 2 3; do
    ours=$(git rev-parse --verify --quiet "$notes") || return
    git push --quiet --no-verify --end-of-options "$1" "$ours:$notes" && return
    git fetch --quiet --no-tags --no-write-fetch-head --end-of-options "$1" "+$notes:$there" || return
    git update-ref "$scratch" "$ours" &&
      git notes --ref="$scratch" merge --quiet --strategy=cat_sort_uniq "$there" &&
      git update-ref "$notes" "$(git rev-parse "$scratch")" "$ours"
    git update-ref -d "$scratch"
    git update-ref -d "$there"
  done
}

if [ -n "${1-}" ] && git rev-parse --verify --quiet refs/notes/kotef >/dev/null; then
  share "$1" </dev/null >/dev/null 2>&1 &
fi
