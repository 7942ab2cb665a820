/** How a command line is judged once an intent is selected; before that, each of these is refused. */
export type Judged = 'opaque' | 'denied' | 'off' | 'allowed'

/** Command lines that write, or run a program, in a way that is easily taken for another one. */
export const deceivingCommands: readonly (readonly [Judged, command: string])[] = [
  // A shell goes on after an `exit` that fails.
  ['denied', 'exit </nonexistent; touch lib/evil'],
  ['denied', 'exit <&9; touch lib/evil'],
  ['denied', '{ exit; } </nope; rm lib/tax.ts'],
  ['denied', 'exit $((1/0))\ntouch lib/evil'],
  ['denied', 'exit 1 2; touch lib/evil'],
  ['denied', 'cd src; exit <no\ncd ..; sed -i 1d lib/tax.ts'],
  ['opaque', 'echo $((1/0)); exit\ntouch lib/evil'],
  ['opaque', 'exit 1; touch lib/evil'],
  ['opaque', 'echo $((1/0)); cd src/auth || exit 1\ntouch evil'],
  ['opaque', 'echo ${x?}; cd src/auth || exit 1\ntouch evil'],
  ['opaque', 'readonly x; x=1; cd src/auth || exit 1\ntouch evil'],
  ['allowed', 'cd src/auth || exit 1\ntouch evil'],

  // A descriptor is opened again for writing.
  ['opaque', 'echo evil <lib/tax.ts >/dev/stdin'],
  ['opaque', 'exec 5<lib/tax.ts; echo evil >/dev/fd/5'],
  ['opaque', 'tee /dev/fd/4 4<lib/tax.ts'],
  ['opaque', 'cp README.md /dev/fd/6 6<lib/tax.ts'],
  ['opaque', 'truncate -s 0 /dev/stdin <lib/tax.ts'],
  ['opaque', 'sort -o /dev/stdin <lib/tax.ts'],
  ['denied', 'cat README.md 1<lib/tax.ts >/dev/stdout'],
  ['opaque', 'echo evil 5<lib/tax.ts >&5 >/dev/stdout'],
  ['opaque', 'echo evil <lib/tax.ts >&0 >/dev/stdout'],

  // One word in quotes that becomes several.
  ['opaque', 'a=(lib -delete); find "./${a[@]}"'],
  ['opaque', 'bash -c \'find "./$@"\' _ lib -delete'],
  ['opaque', 'a=(\'\' --output=lib/evil); git log "HEAD${a[@]}"'],
  ['opaque', 'a=(x -o lib/evil); sort "x${a[@]}"'],
  ['opaque', 'set -- x lib/evil; uniq "a$@"'],
  ['opaque', 'set -- x -i lib/tax.ts; sed 1d "a${@:1}"'],
  ['opaque', 'a=(x -o lib/evil); curl "http://x${a[@]}"'],
  ['opaque', 'a=(x --output=lib/evil); git diff "HEAD${!a@}"'],
  ['opaque', 'a="x -delete"; find "./$=a"'],

  // A delimiter in brackets ends nothing.
  ['opaque', "echo 'evil#' | sed -n 's#[#]#p;s#w lib/evil#X#'"],
  ['opaque', "echo x | sed -n 's/[/]/p;s/w lib/deep/g'"],

  // Variables in small letters that programs read.
  ['opaque', "npm_config_node_options='--import=data:text/javascript,x' npx kotef status"],
  ['opaque', 'env npm_config_script_shell=./x npx kotef status'],
  ['opaque', 'npm_config_userconfig=./x npx kotef status'],
  ['opaque', 'export npm_config_userconfig=./x; npx kotef status'],
  ['opaque', 'npm_config_userconfig=./x; npx kotef status'],
  ['opaque', 'https_proxy=http://evil curl http://x'],
  ['opaque', 'http_proxy=http://evil git fetch'],
  ['opaque', 'some_name=x ls'],

  // One word that becomes a name and its value.
  ['opaque', 'unset x; git symbolic-ref da*'],
  ['opaque', 'git symbolic-ref $x'],
  ['opaque', 'git symbolic-ref {a,b}'],
  ['opaque', 'git symbolic-ref -d HEAD'],
  ['opaque', 'git symbolic-ref --del HEAD'],

  // Arithmetic on a text, which runs what it finds in brackets.
  ['opaque', 'echo $(( $(cat f) ))'],
  ['opaque', 'echo $(( `cat f` ))'],
  ['opaque', 'echo $(($(wc -l f)))'],
  ['opaque', 'echo $(($(wc -l < f; cat f)))'],
  ['opaque', 'echo $(($(cat f | tee | cat)))'],
  ['opaque', 'echo $(($(date +%s; cat f)))'],
  ['opaque', 'echo $(($(wc -l < "a[0]" 2>&1)))'],
  ['opaque', "echo $(($(date '+a[$(touch f)]')))"],
  ['opaque', 'echo $(($(grep -c x f "$f")))'],
  ['opaque', 'y=([$(cat f)]=1)'],
  ['opaque', 'x=$(cat f); y=([$x]=1)'],
  ['opaque', 'x=$(cat f); y=([x]+=1)'],
  ['opaque', "printf '%d' 'a[$(touch f)]'"],
  ['opaque', "test -v 'a[$(touch f)]'"],
  ['opaque', "[[ 'a[$(touch f)]' -eq 0 ]]"],
  ['opaque', 'x=\'a[$(touch f)]\'; [ "$x" -eq 0 ]'],
  ['opaque', 'x=$(cat f); [[ $x -eq 1 ]]'],
  ['opaque', 'x=$(cat f); echo $((x + 1))'],

  // Pagers and wrappers
  ['opaque', 'ls | less -F --Log-file=lib/evil'],
  ['opaque', "ls | less '-Pa$Olib/evil' -F"],
  ['opaque', 'ls | less -F -j5Olib/evil'],
  ['opaque', 'nohup ls'],
  ['opaque', "git bisect view git -c 'alias.x=!touch lib/evil; :' x"],
  ['opaque', 'cargo metadata --offline'],
  ['opaque', 'cargo tree --offline'],
  ['allowed', 'git branch --un'],
  ['allowed', 'git branch -vuother'],
  ['opaque', 'git branch --ed'],
  ['opaque', 'kotef verify --run-checks'],
  ['opaque', 'date 010100002030'],
  ['opaque', 'hostname --file=x'],

  // Other shells than bash
  ['opaque', '[[ x > lib/tax.ts ]]'],
  ['opaque', "sh -c '[[ x > lib/tax.ts ]]'"],
  ['opaque', "sh -c '[[ x || ./evil ]]'"],
  ['opaque', "sh -c '((1))'"],
  ['opaque', 'dash -c "cat <<< x"'],
  ['opaque', '((1>2))'],
  ['opaque', 'cat <<$"E"\n$E\ntouch lib/evil\nE'],
  ['opaque', "echo $'a\\'; touch lib/evil; echo '"],
  ['opaque', "functions=(ls 'touch lib/evil'); ls"],
  ['opaque', 'commands=(ls /bin/rm); ls lib/tax.ts'],
  ['opaque', "printf '%d' 'a[$(touch lib/evil)]'"],
  ['opaque', "[ 'a[$(touch lib/evil)]' -eq 1 ]"],

  // A script that another program runs starts in the folder of the line.
  ['denied', "cd src && bash -c 'touch ../lib/evil'"],
  ['denied', "cd src && eval 'echo x > ../lib/evil'"],
  ['denied', "(cd src && sh -c 'rm ../lib/tax.ts')"],
  ['denied', "cd src && bash -c 'cd .. && touch x'"],
  ['allowed', "cd src && bash -c 'touch auth/a.ts'"],
  ['allowed', "cd src/auth && sh -c 'echo x > a.ts'"],

  // Copies of what is written over
  ['off', "cd src/auth && sed -i'../../.git/hooks/*' p pre-commit"],
  ['denied', "cd src/auth && sed -i'../../.git/*' p config"],
  ['denied', "cd src/auth && sed -i'../../lib/stolen_*' s/a/b/ a.ts"],
  ['opaque', "cd src/auth && sed -i'old_*' s/a/b/ a.ts"],
  ['denied', 'sed -i/../../../lib/x s/a/b/ src/auth/a.ts'],
  ['allowed', 'sed -i.bak s/a/b/ src/auth/a.ts'],
  ['opaque', 'cp -b src/b src/auth/a.ts'],
  ['opaque', 'mv -S .o src/auth/b src/auth/a.ts'],

  // A link that the line puts there
  ['opaque', 'cp -P src/auth/linkout src/auth/d; echo x > src/auth/d/f'],
  ['opaque', 'mv src/auth/linkout src/auth/d && echo x > src/auth/d/f'],
  ['opaque', 'ln src/auth/linkout src/auth/d && echo x > src/auth/d/f'],
  ['opaque', 'git mv src/auth/linkout src/auth/d && echo x > src/auth/d/f'],
  ['denied', 'set -o physical; cd src/link/..; touch f'],
  ['opaque', 'set -P; ls'],
  ['opaque', "cd src/auth/l && env -u PWD bash -c 'cd . && touch f'"],
  ['opaque', "env -i bash -c 'cd src/auth/l && touch f'"],

  // Another patch than the one that is read
  ['opaque', patchLine("apply_patch <<'A' <<'B'", ['A', 'src/auth/a'], ['B', 'lib/a'])],
  ['opaque', patchLine("cat x | apply_patch 3<<'A'", ['A', 'src/auth/a'])],
  ['opaque', patchLine('apply_patch "$x" <<\'A\'', ['A', 'src/auth/a'])],
  ['denied', patchLine(`apply_patch '${patchText('lib/a')}' <<'A'`, ['A', 'src/auth/a'])],

  // Options that are cut short, and files that are named by a template
  ['opaque', "curl -s -o 'src/auth/#1' 'file://x/{../../lib/evil}'"],
  ['opaque', "git push --ex='touch lib/evil;git-receive-pack' . HEAD:x"],
  ['opaque', 'git push --e x'],
  ['opaque', 'git maintenance register --config-file=lib/evil'],
  ['opaque', 'git maintenance start'],
  ['allowed', 'git maintenance run --task=gc'],
  ['allowed', 'git gc --auto'],

  // Git elsewhere, or with a program of its own
  ['denied', 'git clone x lib/y'],
  ['denied', 'git init lib'],
  ['opaque', 'git init src/auth/x'],
  ['opaque', 'git worktree add ../w'],
  ['opaque', 'git -c core.editor=./x commit'],
  ['opaque', "git rebase --exec 'touch lib/x' HEAD~2"],
  ['opaque', 'git symbolic-ref HEAD refs/heads/x'],
  ['opaque', 'git -C /repo rm -qf lib/tax.ts'],
  ['denied', 'mknod lib/x p'],
  ['denied', 'env -C lib touch x'],
  ['opaque', 'env --chdir=src/auth touch x'],
  ['opaque', 'find . -exec touch lib/x \\;'],
]

function patchText(path: string): string {
  return `*** Begin Patch\n*** Update File: ${path}\n*** End Patch`
}

function patchLine(command: string, ...bodies: readonly (readonly [delimiter: string, path: string])[]): string {
  return [command, ...bodies.map(([delimiter, path]) => `${patchText(path)}\n${delimiter}`)].join('\n')
}

/** Settings and flags by which git runs a program in a later command, or does not see what has changed. */
export const hidingCommands: readonly string[] = [
  ...['--assume-unchanged', '--no-assume-unchanged', '--skip-worktree', '--no-skip-worktree', '--assume', '--sk'].map(
    it => `git update-index ${it} lib/tax.ts`,
  ),
  'git update-index --fsmonitor-valid lib/tax.ts',
  ...['excludesFile', 'fsmonitor', 'worktree', 'hooksPath', 'pager', 'editor', 'sshCommand', 'trustctime', 'checkStat']
    .map(it => `core.${it}`)
    .flatMap(it => [`git config ${it} x`, `git config --unset ${it}`, `git config set --global ${it} x`]),
  'git config diff.external ./x',
  'git config diff.a.textconv ./x',
  "git config alias.x '!touch'",
  'git config filter.a.clean ./x',
  'git config filter.a=b.clean ./x',
  'git config --rename-section a alias',
  'git config protocol.ext.allow always',
  'git config remote.origin.uploadpack ./x',
  'git config gpg.ssh.defaultKeyCommand ./x',
  'git -C /repo config core.pager x',
]

/** The same settings, and others, when they are only read, or harm nobody. */
export const settingsRead: readonly string[] = [
  'git config core.excludesFile',
  'git config --get core.fsmonitor',
  'git config --get-regexp alias.',
  'git config core.pager',
  'git config get diff.external',
  'git ls-files -v',
  'git bisect log',
  'cargo tree --locked',
  'cargo metadata --frozen --no-deps',
  'git branch -avv',
  'git branch --sort -committerdate --format="%(refname)"',
  'git branch --merged main',
  'git branch --color=never -r',
  'git tag -n3 -l "v*"',
  'git tag --sort=-creatordate',
  'date -u +%F',
  'date -d "1 day ago" +%s',
  'hostname -f',
  'ls | less -FRX',
  'ls | less --quit-if-one-screen',
  'ls 3>&1 1>&2 2>&3',
  'echo x >&2',
  'echo x > /dev/stderr',
  'cat < README.md > /dev/stdout',
  'cat "user@$host"',
  'sh -c "ls | wc -l"',
  'set -euo pipefail; ls',
  "set -- a b; ls '-l'",
  '[[ -f a && $x == b ]] && ls',
  'cd a || exit 1; ls',
]
