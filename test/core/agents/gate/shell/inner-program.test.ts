import { expect, test } from 'vitest'
import { innerProgram } from '../../../../../src/core/agents/gate/shell/inner-program.ts'
import { argsOf, programOf } from './effects-fixture.ts'

const innerOf = (line: string) => innerProgram(programOf(line), argsOf(line))

test.each<[line: string, words: string, assigned: string, without: string, isOpaque: boolean]>([
  ['env A=1 B=2 rm a', 'rm a', 'A,B', '', false],
  ['env -u GIT_CONFIG_COUNT git commit', 'git commit', '', 'GIT_CONFIG_COUNT', false],
  ['env -S x', 'x', '', '', true],
  ['env', '', '', '', false],
  ['trap - EXIT', '', '', '', false],
  ['xargs rm', 'rm $ $', '', '', false],
  ['xargs grep x', 'grep x $ $', '', '', false],
  ['xargs -n 1 cat', 'cat $ $', '', '', false],
  ['xargs -a f cat', 'cat $ $', '', '', false],
  ['xargs -I{} cp {} a', 'cp {} a', '', '', false],
  ['xargs -I{} -L1 find {}', 'find {} $ $', '', '', false],
  ['xargs -i cat', '', '', '', true],
  ['xargs --unknown rm', '', '', '', true],
  ['npx kotef status', 'kotef status', '', '', false],
  ['npx -p kotef-watch kotef status', 'kotef status', '', '', false],
  ['npx --yes --package=kotef-watch kotef status', 'kotef status', '', '', false],
  ['sudo rm a', 'rm a', '', '', true],
  ['command -v node', '', '', '', false],
  ['command rm a', 'rm a', '', '', false],
  ['command -p rm a', '', '', '', true],
  ['timeout 5s rm a', 'rm a', '', '', false],
  ['timeout -k 1 5 rm a', 'rm a', '', '', false],
  ['timeout --unknown 5 rm a', '', '', '', true],
  ['npx --no-install tsc --version', '', '', '', false],
  ['nice -n 5 rm a', 'rm a', '', '', false],
  ['nohup rm a', 'rm a', '', '', true],
  ['env -i rm a', 'rm a', '', '', true],
  ['env -u PWD rm a', 'rm a', '', 'PWD', true],
  ['env -C d rm a', 'rm a', '', '', true],
])('%s runs the command %j, with %j and without %j; it may do more: %j', (line, words, assigned, without, isOpaque) => {
  const inner = innerOf(line)
  if (inner?.kind !== 'command') throw new Error(`${line} runs no command`)
  expect(inner.words.map(it => it.source).join(' ')).toBe(words)
  expect([inner.assigned.map(it => it.name).join(), inner.without.join(), inner.whyOpaque !== null]).toEqual([
    assigned,
    without,
    isOpaque,
  ])
})

test.each<[line: string, text: string | null, isSh: boolean]>([
  ['bash -c "rm a"', 'rm a', false],
  ['bash -ec "rm a"', 'rm a', false],
  ['dash -c "rm a"', 'rm a', true],
  ['sh -c $x', null, true],
  ['eval rm a', 'rm a', false],
  ['eval $x', null, false],
  ['trap "rm a" EXIT', 'rm a', false],
  ['watch -n1 -t rm a', 'rm a', true],
  ['watch rm $x', null, true],
])('%s runs the script %j; any shell may: %s', (line, text, isSh) => {
  expect(innerOf(line)).toMatchObject({ kind: 'script', text, isSh })
})

test.each(['bash x.sh', 'npx tsc --version', 'bash --rcfile x -c "rm a"', 'npx prettier', 'rm a'])(
  '%s runs no program that is known',
  line => {
    expect(innerOf(line)).toBeNull()
  },
)
