#!/bin/sh
# Every commit since the adoption names an intent of its registry, or says with Governance: why it needs none.
# Merges are exempt. Exit 0 fine, 1 findings, 3 cannot evaluate.
set -eu
registry=.orchestration/active_intents.yaml

cannot() {
  echo "history: $1" >&2
  exit 3
}

# True when the registry, as this commit or its parent has it, knows the intent.
knows() {
  git show "$1:$registry" "$1^:$registry" 2>/dev/null | grep -Eq "(^|[-{,[:space:]])id: *[\"']?$2([\"',}[:space:]]|\$)"
}

judge() {
  [ -z "$(git log -1 --format='%(trailers:key=Governance,valueonly)' "$1")" ] || return 0
  ids=$(git log -1 --format='%(trailers:key=Intent-ID,valueonly)' "$1")
  [ -n "$ids" ] || { echo "$(git log -1 --format='%h %s' "$1"): no Intent-ID and no Governance"; return 0; }
  for id in $ids; do
    knows "$1" "$id" || echo "$(git log -1 --format='%h %s' "$1"): $id is not in the registry"
  done
}

[ "$(git rev-parse --is-shallow-repository)" = false ] || cannot 'this clone is shallow: run git fetch --unshallow'
adoption=$(git rev-list --reverse HEAD -- "$registry" | sed -n 1p)
[ -n "$adoption" ] || cannot "no commit has brought $registry yet"
findings=$(for commit in $adoption $(git rev-list --reverse --no-merges --ancestry-path "$adoption..HEAD"); do judge "$commit"; done)
[ -z "$findings" ] || { echo "$findings"; exit 1; }
