# Shared by the hooks in this folder, in POSIX sh. `kotef` is the folder of this file, `hook` the hook that git runs.
# The fast path may only answer "fine". In every other case Node judges in full, and prints the findings.
# A hook that can stop git always exits. If it returns to the hook file instead, a part of the script is missing.
LC_ALL=C
git_dir=${GIT_DIR:-.git}
own=$git_dir/kotef/compiled
case $hook in pre-push) act=push ;; pre-merge-commit) act=merge ;; *) act=commit ;; esac
# First of all: where no hook is to run, `kotef doctor`, which sets KOTEF_PROBE, must get no proof that one does.
[ "${KOTEF-}" != 0 ] || exit 0
[ -z "${KOTEF_PROBE-}" ] || exit 86
# Replacement objects (`git replace`) must not change the commit that is judged.
export GIT_NO_REPLACE_OBJECTS=1

# The questions to git of nearly every judgement of a commit, with git's exit code after each answer.
asked() {
  git ls-tree -z --full-tree HEAD -- .orchestration/active_intents.yaml .orchestration/config.yaml .sdd/KOTEF.md \
    .intentignore .orchestration/intents && status=0 || status=$?
  printf '\0%s\0' "$status"
  git diff-index --cached -z --no-renames --ignore-submodules=none --ita-invisible-in-index HEAD && status=0 || status=$?
  printf '\0%s\0' "$status"
}

# Preloads and certificates of other tools can triple the start-up time of Node, and a hook needs none of them.
slow() {
  node=
  [ ! -f "$kotef/node" ] || read -r node <"$kotef/node" || :
  [ -x "$node" ] || node=node
  if ! command -v "$node" >/dev/null; then
    echo "kotef: $act stopped, there is no node to judge it. Put node on the PATH." >&2
    exit 1
  fi
  export NODE_OPTIONS= NODE_EXTRA_CA_CERTS=
  case $hook in
    # Git answers while Node starts. At a terminal, which is 3 then, the words have its colours and width.
    pre-commit | commit-msg)
      words=$(asked 2>/dev/null | KOTEF_ASKED=1 "$node" "$kotef/hook.cjs" "$hook" "$@" 3>&2 2>&1) ;;
    *) words=$(KOTEF_ASKED= "$node" "$kotef/hook.cjs" "$hook" "$@" 3>&2 2>&1) ;;
  esac && code=0 || code=$?
  # An empty script ends with 0 and a broken one with 1, so `hook.cjs` answers with two other numbers.
  case $code in
    87) code=0 ;;
    88) code=1 ;;
    *) [ "${KOTEF_LOG-}" != debug ] || printf '%s\n' "$words" >&2
      words="kotef: $act stopped, its hook script is damaged.
  Run \`npx kotef-watch init\`"
      code=1 ;;
  esac
  [ -z "$words" ] || printf '%s\n' "$words" >&2
  exit "$code"
}

# True when the policy files are the files that the scope was compiled from, and were not touched since. A reset can
# give HEAD another policy than the files have, so ORIG_HEAD must be older as well.
fresh() {
  registry=.orchestration/active_intents.yaml
  [ -f "$registry" ] && [ -r "$registry" ] && [ -r "$own/active" ] && [ -f "$own/active" ] &&
    [ ! -h "$own/active" ] || return 1
  [ ! -e "$git_dir/ORIG_HEAD" ] || [ "$own/active" -nt "$git_dir/ORIG_HEAD" ] || return 1
  n=0
  for source in "$registry" .orchestration/config.yaml .sdd/KOTEF.md .intentignore .orchestration/intents/*.yaml; do
    n=$((n + 1))
    if [ -e "$source" ]; then
      [ "$source" -ef "$own/source-$n" ] && [ "$own/active" -nt "$source" ] || return 1
    else
      [ ! -e "$own/source-$n" ] || return 1
    fi
  done
  [ ! -e "$own/source-$((n + 1))" ]
}

# True when only this user can have written the compiled scope, according to the modes that `ls` prints.
private() {
  [ -O "$own" ] && [ -O "$own/active" ] && case $1 in
    drwx------[!+]*"
-rw-------"[!+]*) ;;
    *) return 1 ;;
  esac
}

# A shell has no builtin that prints a mode.
modes() {
  ls -nd "$own" "$own/active" 2>/dev/null
}

# Reads the `id` of the intent and the `mark` of its attributes, if they were compiled for this worktree: for its only
# live session, or for the branch that is checked out.
named() {
  {
    read -r _ version && [ "$version" = 'kotef-active 5' ] && IFS= read -r top && [ "${top#??}" -ef . ] &&
      read -r _ id && read -r _ mark && read -r _ branch
  } <"$own/active" && case $branch in '*') ;; *) IFS= read -r head <"$git_dir/HEAD" && [ "$head" = "$branch" ] ;; esac
}

# True when the clone's own attributes, which win over the compiled scope, do not have its mark.
unforged() {
  info=$git_dir
  [ ! -f "$git_dir/commondir" ] || { IFS= read -r info <"$git_dir/commondir" &&
    case $info in /*) ;; *) info=$git_dir/$info ;; esac } || return 1
  info=$info/info/attributes line=
  [ -e "$info" ] || return 0
  [ -f "$info" ] && [ -r "$info" ] || return 1
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in *"$mark"*) return 1 ;; esac
  done <"$info"
}

# True when all staged paths are in the compiled scope, which git reads as a file of attributes. In a bare repository
# it reads no `.gitattributes`, which could set the mark as well; some versions read those of a tree instead.
inside() {
  unset GIT_WORK_TREE GIT_ATTR_SOURCE
  GIT_LITERAL_PATHSPECS=0 GIT_GLOB_PATHSPECS=0 GIT_NOGLOB_PATHSPECS=0 GIT_ICASE_PATHSPECS=0 \
    git --git-dir="$git_dir" --bare -c core.bare=true -c attr.tree=4b825dc642cb6eb9a060e54bf8d69288fbee4904 \
    -c core.attributesFile="$own/active" -c core.ignoreCase=false diff-index --cached --quiet --no-renames \
    --ignore-submodules=none --ita-invisible-in-index HEAD -- . ":(exclude,top,attr:in-$mark end-$mark)" 2>/dev/null
}

# True when pre-commit has found the staged changes fine, and no other hook changed the index since. Reads the `id`.
seen() {
  [ "$own/passed" -nt "${GIT_INDEX_FILE:-$git_dir/index}" ] && [ "$own/passed" -nt "$own/active" ] && read -r id <"$own/passed"
}

# True when all staged changes are fine. `ls` checks the compiled scope while git checks the paths.
covered() {
  named && unforged && found=$(modes & inside) && private "$found"
}

# True when lessons wait for a commit that is made during a session: only Node can put them into it.
laden() {
  [ -f "$kotef/lessons-waiting.md" ] || return 1
  for session in "$git_dir"/kotef/sessions/*.json; do [ ! -f "$session" ] || return 0; done
  return 1
}

# Reads the last paragraph of a message. `at` is none, subject, text, block (all trailers) or odd; `cited` its Intent-ID.
paragraph() {
  at=none gap= cited= line=
  while IFS= read -r line; do
    case $line in '') gap=1; continue ;; *' >8 '* | *[[:cntrl:]]*) at=odd; return ;; *[!' ']*) ;; *) at=odd; return ;; esac
    case $at$gap in
      none*) at=subject gap=; case $line in ['#;@!$%&|^']* | fixup!* | squash!* | amend!*) at=odd; return ;; esac; continue ;;
      subject) continue ;;
      *1) [ -z "$cited" ] || { at=odd; return; }; at=new ;;
    esac
    gap=
    case $line in
      [Ii][Nn][Tt][Ee][Nn][Tt]-[Ii][Dd]:*) cited=$cited${line#*:}; kind=block ;;
      [Gg][Oo][Vv][Ee][Rr][Nn][Aa][Nn][Cc][Ee]* | Conflicts: | ['#;@!$%&|:^ (']*) kind=odd ;;
      *' :'* | "${line%%:*}"://*) kind=odd ;;
      *:*) case ${line%%:*} in '' | *[!A-Za-z0-9-]*) kind=text ;; *) kind=block ;; esac ;;
      *) kind=text ;;
    esac
    case $at in new) at=$kind ;; "$kind") ;; *) at=odd ;; esac
  done <"$1"
  case $at$gap in block1) at=odd ;; esac
  [ -z "$line" ] || at=odd
}

# True when no editor opens for the message, and the commit is neither a merge nor a squash.
plain() {
  [ "${GIT_EDITOR-}" = : ] && [ ! -e "$git_dir/MERGE_HEAD" ] && [ ! -e "$git_dir/SQUASH_MSG" ]
}

# The author of the commit. Git gives it to its hooks; with --amend it is HEAD's.
author="${GIT_AUTHOR_NAME-} ${GIT_AUTHOR_EMAIL-} ${GIT_AUTHOR_DATE-}"

# False when the commit may amend the last one that was made here, and that one is not for `id`.
unlike_last() {
  [ -f "$own/last" ] || return 0
  { IFS= read -r whose && IFS= read -r which; } <"$own/last" || return 0
  [ "$whose" != "$author" ] || [ "$which" = "$id" ]
}

# Adds the trailer of `id` to a message of a simple form; false for any other message.
stamped() {
  paragraph "$1"
  case $at$cited in
    none | 'block '*) ;;
    subject | text) printf '\nIntent-ID: %s\n' "$id" >>"$1" ;;
    block) printf 'Intent-ID: %s\n' "$id" >>"$1" ;;
    *) return 1 ;;
  esac
}

# Git refuses a message that equals its template. commit-msg can see that only if it knows the template.
remember() {
  [ ! -e "$own/template" ] || rm -f "$own/template"
  case ${2-} in template) cat "$1" >"$own/template"; exit 0 ;; esac
}
