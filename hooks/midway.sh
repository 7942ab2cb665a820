# Shared by the hooks that git may run during a merge or a rebase. `git_dir` is the git directory.

# True when the index equals git's own merge of both sides, which are governed: such a merge adds no change. Git merges
# no unrelated histories here.
ordinary() {
  registry=.orchestration/active_intents.yaml
  [ -n "$1" ] && kinds=$(printf '%s\n' "HEAD:$registry" "$1:$registry" |
    git cat-file --batch-check='%(objecttype)' 2>/dev/null) && [ "$kinds" = 'blob
blob' ] &&
    tree=$(git merge-tree --write-tree --no-messages HEAD "$1" 2>/dev/null) &&
    git diff-index --cached --quiet --no-renames --ignore-submodules=none "$tree" -- 2>/dev/null
}

# True when git itself makes the commit again, or may do so: in a repository with reftable a shell can't see which. At
# a stop of a rebase the commit can be the user's own.
replayed() {
  [ -n "${GIT_REFLOG_ACTION-}" ] || [ -e "$git_dir/CHERRY_PICK_HEAD" ] || [ -e "$git_dir/REVERT_HEAD" ] ||
    [ -d "$git_dir/reftable" ]
}
