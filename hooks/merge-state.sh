# Shared by the hooks that git may run during a merge or a rebase. `git_dir` is the git directory.
# True when the index equals git's own merge of both sides, which have a registry and a common ancestor.
ordinary() {
  [ -n "$1" ] && both=$(printf '%s:.orchestration/active_intents.yaml\n' HEAD "$1" |
    git cat-file --batch-check=%\(objecttype\)) && [ "${both%blob}" != "$both" ] && [ "${both#blob}" != "$both" ] &&
    tree=$(git merge-tree --write-tree --no-messages HEAD "$1") &&
    git diff-index --cached --quiet --no-renames --ignore-submodules=none "$tree" --
} 2>/dev/null
# True when git itself makes the commit again, or may do so: in a repository with reftable a shell can't see which. At
# a stop of a rebase the commit can be the user's own.
replayed() {
  [ -n "${GIT_REFLOG_ACTION-}" ] || [ -e "$git_dir/CHERRY_PICK_HEAD" ] || [ -e "$git_dir/REVERT_HEAD" ] ||
    [ -d "$git_dir/reftable" ]
}
