# Shared by the hooks beside it, in POSIX sh. `kotef` is the folder of this file, `hook` is what git runs.
# The fast path may only say "fine"; whatever is unusual goes to Node, which judges in full and speaks.
# A hook that can stop git always exits: when it returns to the hook file, something of it is missing.
LC_ALL=C
git_dir=${GIT_DIR:-.git}
own=$git_dir/kotef/compiled
case $hook in pre-push) act=push ;; pre-merge-commit) act=merge ;; *) act=commit ;; esac
# What is switched off is no proof of anything, so that comes first.
[ "${KOTEF-}" != 0 ] || exit 0
[ -z "${KOTEF_PROBE-}" ] || exit 86
# A commit is judged as it is, and not as what somebody would have it replaced with.
export GIT_NO_REPLACE_OBJECTS=1

# What nearly every judgement of a commit asks of git, and git's exit code after each answer.
asked() {
  git ls-tree -z --full-tree HEAD -- .orchestration/active_intents.yaml .orchestration/config.yaml .sdd/KOTEF.md \
    .intentignore && status=0 || status=$?
  printf '\0%s\0' "$status"
  git diff-index --cached -z --no-renames --ignore-submodules=none --ita-invisible-in-index HEAD && status=0 || status=$?
  printf '\0%s\0' "$status"
}

# A hook needs no network and no one else's preloads, and either can triple the time that Node takes to start.
slow() {
  node=
  [ ! -f "$kotef/node" ] || read -r node <"$kotef/node" || :
  [ -x "$node" ] || node=node
  if ! command -v "$node" >/dev/null; then
    echo "kotef: $act stopped, there is no node to judge it. Put node on the PATH, or set KOTEF=0 for this once." >&2
    exit 1
  fi
  export NODE_OPTIONS= NODE_EXTRA_CA_CERTS=
  case $hook in
    # While Node starts, git looks.
    pre-commit | commit-msg) words=$(asked 2>/dev/null | KOTEF_ASKED=1 "$node" "$kotef/hook.cjs" "$hook" "$@" 2>&1) ;;
    *) words=$(KOTEF_ASKED= "$node" "$kotef/hook.cjs" "$hook" "$@" 2>&1) ;;
  esac && code=0 || code=$?
  # An emptied script ends with 0 and a broken one with 1, so both answers of ours have numbers of their own.
  case $code in
    87) code=0 ;;
    88) code=1 ;;
    *) [ "${KOTEF_LOG-}" != debug ] || printf '%s\n' "$words" >&2
      words="kotef: $act stopped, its hook script is damaged.
  Run \`npx kotef init\`, or set KOTEF=0 for this once."
      code=1 ;;
  esac
  [ -z "$words" ] || printf '%s\n' "$words" >&2
  exit "$code"
}

# True when the compiled scope was made of just what stands here: the very same files, none of them touched since.
# A reset may have given HEAD another policy than the files have.
fresh() {
  registry=.orchestration/active_intents.yaml
  [ -f "$registry" ] && [ -r "$registry" ] && [ -r "$own/active" ] && [ -f "$own/active" ] &&
    [ ! -h "$own/active" ] || return 1
  [ ! -e "$git_dir/ORIG_HEAD" ] || [ "$own/active" -nt "$git_dir/ORIG_HEAD" ] || return 1
  n=0
  for source in "$registry" .orchestration/config.yaml .sdd/KOTEF.md .intentignore; do
    n=$((n + 1))
    if [ -e "$source" ]; then
      [ "$source" -ef "$own/source-$n" ] && [ "$own/active" -nt "$source" ] || return 1
    else
      [ ! -e "$own/source-$n" ] || return 1
    fi
  done
}

# True when nobody else can have written the compiled scope, going by what `ls` says of it.
private() {
  [ -O "$own" ] && [ -O "$own/active" ] && case $1 in
    drwx------[!+]*"
-rw-------"[!+]*) ;;
    *) return 1 ;;
  esac
}

# No shell can tell a mode by itself.
modes() {
  ls -nd "$own" "$own/active" 2>/dev/null
}

# Reads the `id` of the one live intent and the `mark` of its attributes, when they were compiled for this worktree.
named() {
  read -r _ version && [ "$version" = 'kotef-active 3' ] && IFS= read -r top && [ "${top#??}" -ef . ] &&
    read -r _ id && read -r _ mark
} <"$own/active"

# True when all that is staged lies inside the compiled scope, which git takes as a file of attributes.
inside() {
  GIT_LITERAL_PATHSPECS=0 GIT_GLOB_PATHSPECS=0 GIT_NOGLOB_PATHSPECS=0 GIT_ICASE_PATHSPECS=0 \
    git -c core.attributesFile="$own/active" -c core.ignoreCase=false diff-index --cached --quiet --no-renames \
    --ignore-submodules=none --ita-invisible-in-index HEAD -- . ":(exclude,top,attr:in-$mark end-$mark)" 2>/dev/null
}

# True when all that is staged is fine. While git looks at that, `ls` looks at the compiled scope.
covered() {
  named && found=$(modes & inside) && private "$found"
}

# Reads the last paragraph of a message. `at` is none, subject, text, block (all trailers) or odd; `cited` its Intent-ID.
paragraph() {
  at=none gap= cited= line=
  while IFS= read -r line; do
    case $line in '') gap=1; continue ;; *' >8 '* | *[[:cntrl:]]*) at=odd; return ;; *[!' ']*) ;; *) at=odd; return ;; esac
    case $at$gap in
      none*) at=subject gap=; case $line in ['#;@!$%&|^']*) at=odd; return ;; esac; continue ;;
      subject) continue ;;
      *1) at=new; cited= ;;
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

# True when no editor opens for the message, and git puts nothing together but what is staged.
plain() {
  [ "${GIT_EDITOR-}" = : ] && [ ! -e "$git_dir/MERGE_HEAD" ] && [ ! -e "$git_dir/SQUASH_MSG" ]
}

# Adds the trailer of `id` to a message where that needs no second thought.
stamped() {
  paragraph "$1"
  case $at$cited in
    none | 'block '*) ;;
    subject | text) printf '\nIntent-ID: %s\n' "$id" >>"$1" ;;
    block) printf 'Intent-ID: %s\n' "$id" >>"$1" ;;
    *) return 1 ;;
  esac
}

# Git refuses a template that is left as it was, which commit-msg can see only when it knows the template.
remember() {
  case ${2-} in template) cat "$1" >"$own/template"; exit 0 ;; esac
  [ ! -e "$own/template" ] || rm -f "$own/template"
}
