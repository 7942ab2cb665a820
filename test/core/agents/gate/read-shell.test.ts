import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readShell } from '../../../../src/core/agents/gate/shell/read-shell.ts'
import { verdictOf } from './gate-fixture.ts'

const simple = fc.constantFrom(
  ...['ls -la', 'cat a "b c"', 'grep -rn x .', 'git status', "sed -n '1,5p' a", 'echo "$x"', 'pwd', 'find . -name x'],
)

// `@` stands for the one place where a redirect may go in.
const reader = fc.letrec<{ part: string }>(tie => ({
  part: fc.oneof(
    { depthSize: 'small' },
    simple,
    fc
      .tuple(tie('part'), fc.constantFrom(' | ', ' && ', ' || ', '; ', '\n', ' |& '), tie('part'))
      .map(it => it.join('')),
    tie('part').map(it => `( ${it})`),
    tie('part').map(it => `{ ${it}; }`),
    tie('part').map(it => `if ${it}; then ${it}; else pwd; fi`),
    tie('part').map(it => `for f in a b; do ${it}; done`),
    tie('part').map(it => `while ${it}; do ${it}; done`),
    tie('part').map(it => `case x in x) ${it};; esac`),
    tie('part').map(it => `echo $( ${it})`),
    tie('part').map(it => `cat <( ${it})`),
    tie('part').map(it => `{ ! { ${it}; }; }`),
  ),
})).part

test('what is made of parts that read reads, however they are put together', () => {
  fc.assert(
    fc.property(reader, command => {
      expect(readShell(command).kind).toBe('read')
    }),
    { numRuns: 300 },
  )
})

const redirect = fc
  .tuple(
    fc.constantFrom('>', '>>', '>|', '&>', '2>', '>&', '&>>', '<>'),
    fc.constantFrom('README.md', '../x', '"src/x.ts"', '/etc/x', '$x'),
  )
  .map(([operator, path]) => ` ${operator}${path}`)

test('with a redirect out of scope put in anywhere it is not allowed', () => {
  const spoiled = fc.tuple(reader, redirect, fc.nat()).map(([command, into, n]) => {
    const ends = [...command.matchAll(/ls -la|cat a "b c"|grep -rn x \.|git status|1,5p' a|"\$x"|pwd|-name x/g)]
    const end = ends[n % ends.length]
    const at = (end?.index ?? 0) + (end?.[0].length ?? 0)
    return command.slice(0, at) + into + command.slice(at)
  })
  fc.assert(
    fc.property(spoiled, command => {
      expect(readShell(command).kind).not.toBe('read')
      expect(verdictOf(command, null).kind).toBe('deny')
      const { kind, reasons } = verdictOf(command)
      expect(kind === 'deny' || reasons[0]?.code === 'opaque-command').toBe(true)
    }),
    { numRuns: 300 },
  )
})

test.each<[command: string, targets: readonly string[]]>([
  ['cd a && touch b', ['a/b']],
  ['cd a; touch b', ['a/b', 'b']],
  ['cd a || exit 1; touch b', ['a/b']],
  ['cd a || exit 1 2; touch b', ['a/b', 'b']],
  ['cd a && cd ../c && touch b', ['c/b']],
  ['cd a && touch ../b', ['a/../b']],
  ['(cd a); touch b', ['b']],
  ['cd /x/y && touch b', ['/x/y/b']],
  ['if cd a; then touch b; fi', ['b', 'a/b']],
  ['echo x >"a"b\'c\'', ['abc']],
  ['cp a b c', ['c']],
  ['mv a b', ['a', 'b']],
  ['ls >/dev/null 2>&1 >&-', []],
])('%s writes %j', (command, targets) => {
  const shell = readShell(command)
  expect(shell.targets.map(it => it.path)).toEqual(targets)
  expect(shell.kind).toBe(targets.length > 0 ? 'write' : 'read')
})

test.each<[command: string | null, isWaiting: boolean]>([
  ['bash', true],
  ['python3 -i', true],
  ['node', true],
  ['bash script.sh', false],
  ['python3 < script.py', false],
  [null, false],
])('%s waits for words: %s', (command, isWaiting) => {
  expect(readShell(command)).toMatchObject({ kind: 'opaque', interactive: isWaiting })
})

test.each<[command: string, folders: readonly string[]]>([
  ['ls', []],
  ['cd /repo && make', ['/repo']],
  ['cd a && cd b; make', ['a', 'a/b']],
  ["bash -c 'cd /repo && make'", ['/repo']],
  ['git -C /repo rm -qf a', ['/repo']],
  ['git --git-dir=/repo/.git --work-tree /repo rm a', ['/repo']],
  ['git --git-dir .git status', ['']],
  ['cd a && git -C ../b rm a', ['a', 'a/../b']],
  ['env -C /repo make', ['/repo']],
  ['cd -P /repo && make', ['/repo']],
  ['pushd /repo && make', ['/repo']],
  ['make -C /repo', ['/repo']],
  ['make --directory=/repo', ['/repo']],
  ['npm --prefix /repo run x', ['/repo']],
  ['yarn --cwd ../repo test', ['../repo']],
  ['grep -C 3 x a', []],
  ['cd ~/repo && make', ['~/repo']],
  ['cd "$HOME/repo" && make', ['~/repo']],
  ['cd $HOME/repo && make', ['~/repo']],
  ['cd ${HOME} && make', ['~']],
  ['cd "$x" && make', []],
  ['d=/repo; cd "$d" && make', ['/repo']],
  ['d="$HOME/repo"; cd "$d" && make', ['~/repo']],
  ['PATH=/a:/b make', []],
  ['builtin cd -- /repo; make', ['/repo']],
  ['GIT_DIR=/repo/.git GIT_WORK_TREE="/repo" git rm a', ['/repo']],
])('%s works in %j', (command, folders) => {
  expect(readShell(command).folders).toEqual(folders)
})

test('a line too long to be read is opaque, and what it mentions is heard', () => {
  const long = `echo ${'x'.repeat(70_000)}; git commit --no-verify`
  expect(readShell(long)).toMatchObject({ kind: 'opaque', switches: ['git without its hooks'] })
})

test('nesting without end is no way past', () => {
  const deep = `${'$('.repeat(400)}touch README.md${')'.repeat(400)}`
  expect(readShell(`echo ${deep}`).kind).not.toBe('read')
})
