# Shared by the hooks that git may run in the middle of something greater than a commit. `git_dir` is git's folder.

# True when the index is just what git makes of both sides by itself: such a merge adds nothing that was not there.
ordinary() {
  [ -n "$1" ] && tree=$(git merge-tree --write-tree --no-messages --allow-unrelated-histories HEAD "$1" 2>/dev/null) &&
    git diff-index --cached --quiet --no-renames --ignore-submodules=none "$tree" -- 2>/dev/null
}

# True when git itself makes a commit anew, or may do so: a shell can't tell where references are kept in tables. At a
# stop of a rebase a commit can be the user's own.
replayed() {
  [ -n "${GIT_REFLOG_ACTION-}" ] || [ -e "$git_dir/CHERRY_PICK_HEAD" ] || [ -e "$git_dir/REVERT_HEAD" ] ||
    [ -d "$git_dir/reftable" ]
}
