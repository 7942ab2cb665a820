import type { Judged } from './deceiving-commands.ts'

/** Command lines that mean something else than they seem to: in zsh, in another folder, or by an option. */
export const deceivingForms: readonly (readonly [Judged, command: string])[] = [
  // zsh computes the value, and runs what is in its brackets.
  ['opaque', 'x=$p$q; exit "$x"'],
  ['opaque', 'x=$p$q; return $x'],
  ['opaque', 'for i in a; do break "$x"; done'],
  ['opaque', 'shift ${x}'],
  ['opaque', 'help=$p$q; exit --help'],
  ['opaque', 'x=$p$q; typeset -F x'],
  ['opaque', 'COLUMNS=$p$q ls'],
  ['opaque', 'LINES=$x'],
  ['opaque', 'read COLUMNS < a'],
  ['opaque', 'i=$p$q; y=(1 2); echo $y[i]'],
  ['opaque', 'i=$p$q; cat <<E\n$y[i]\nE'],
  ['opaque', 'x=$p$q; printf %d "$x"'],
  ['opaque', 'printf "%*s" "$x" a'],
  ['opaque', 'printf "%s %d" a "$x"'],
  ['opaque', 'printf "%s %d" $x 1'],
  ['opaque', 'printf "a$x" "$y"'],

  // Another file in dash
  ['opaque', "cd src/auth && tee $'/dev/null' < a"],
  ['opaque', "cd src/auth && echo x > $''/dev/null"],
  ['opaque', 'cd src/auth && cp a {fd}<a'],

  // Another operator, or another file, in zsh
  ['opaque', 'cd src/auth && echo evil >! ../../lib/tax.ts'],
  ['opaque', 'cd src/auth && echo evil >>! ../../lib/tax.ts'],
  ['opaque', 'cd src/auth && tee =ls'],
  ['opaque', 'cd src/auth && echo x > =ls'],
  ['opaque', 'cd src/auth && rm =ls'],

  // The folder is another one than before.
  ['opaque', "cd src/auth && trap 'touch evil' EXIT && cd ../../lib"],
  ['opaque', 'cd src/auth && bash -c "trap \'touch evil\' EXIT; cd ../../lib"'],
  ['opaque', 'cd src/auth && command command cd ../../lib && touch evil'],
  ['opaque', 'cd src/auth && builtin builtin cd ../../lib && touch evil'],
  [
    'opaque',
    'cd src/auth || exit 1; for i in 1; do cd ../../lib || exit 1; break; cd ../src/auth || exit 1; done; touch a',
  ],
  [
    'opaque',
    'cd src/auth || exit 1; while a; do cd ../../lib || exit 1; continue; cd ../src/auth || exit 1; done; touch a',
  ],
  ['denied', 'cd src/auth && time -p cd ../../lib && touch evil'],
  ['opaque', 'cd src/auth && cp --parents ../../lib/tax.ts x'],

  // Options after an operand, options that cancel others, and options in a file
  ['opaque', 'git config user.name --get user.name'],
  ['opaque', 'git config user.name --list'],
  ['opaque', 'xxd README.md -ps'],
  ['opaque', 'echo lib -delete | xargs -I{} -L1 find'],
  ['opaque', 'echo -olib/evil | xargs -I{} --max-args=2 sort README.md'],
  ['opaque', 'nm @a'],
  ['opaque', 'getent -s x/evil passwd root'],
  ['opaque', 'cd "$d" && python3 -m json.tool a.json'],
  ['opaque', 'cd "$d" && git status'],
  ['opaque', 'find . -name HEAD -execdir git status ";"'],
  ['opaque', 'popd; git log'],
  ['opaque', 'cd "$(git rev-parse --show-toplevel)" && python3 -m json.tool a.json'],
  ['opaque', 'git --git-dir=src/x status'],
  ['opaque', 'git --git-dir src/x log'],
  ['opaque', 'GIT_DIR=src/x git status'],
  ['opaque', 'npm fund x'],
  ['opaque', 'sort -S1k -T lib a'],
  ['opaque', "tar tf 'x@-oProxyCommand=touch evil:y'"],
  ['allowed', 'git merge-tree --write-tree a b'],
  ['allowed', 'git merge-tree a b'],

  // The value is another one, or empty, and then the next word is an option.
  ['opaque', 'x=$(git merge-base a b); find "$x"-delete'],
  ['opaque', 'find $(git merge-base a b)"-delete"'],
  ['opaque', 'n=$(wc -l < a); xargs -I$n cat touch lib/evil'],
  ['opaque', 'n=$(wc -l < a); awk "BEGIN{x=$n /2 \\"/; system(\\"touch lib/evil\\") #\\"}"'],
  ['opaque', 'n=$(wc -l < a); printf "$n-v" PATH .; ls'],
  ['opaque', 'printf "$(wc -l < a)-v" PATH .; ls'],
  ['opaque', 'f=a/-delete; find "$f:t"'],
  ['opaque', 'f=lib; command read f <<< -delete; find "$f"'],
  ['opaque', 'f=lib; read \'f\' <<< -delete; find "$f"'],
  ['opaque', 'for i in 1 2; do find "$f"; f=-delete; done'],
  ['opaque', 'if a; then f=lib; fi; find "$f"'],
  ['opaque', 'f=-delete; find "$f"'],
  ['opaque', 'f=a-delete; IFS=a; find $f'],
  ['opaque', 'readonly f=-delete'],
  ['opaque', 'f=lib/evil; uniq README.md "$f"'],
]
