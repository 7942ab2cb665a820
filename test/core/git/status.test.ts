import { expect, test } from 'vitest'
import { gitStatusWithIgnored, gitStatus } from '../../../src/core/git/status.ts'

const oid = 'a'.repeat(40)
const changed = (xy: string, path: string) => `1 ${xy} N... 100644 100644 100644 ${oid} ${oid} ${path}`

test.each([
  [changed('.M', 'src/a.ts'), { path: 'src/a.ts', kind: 'dirty' }],
  [changed('.D', 'with space\nand newline'), { path: 'with space\nand newline', kind: 'dirty' }],
  [changed('M.', 'staged'), { path: 'staged', kind: 'staged' }],
  [changed('MM', 'both'), { path: 'both', kind: 'dirty' }],
  ['? new "file"', { path: 'new "file"', kind: 'untracked' }],
  [`u UU N... 100644 100644 100644 100644 ${oid} ${oid} ${oid} fought over`, { path: 'fought over', kind: 'dirty' }],
])('%j is read', (line, entry) => {
  expect(gitStatus.parse(`${line}\0`)).toEqual([entry])
})

test('a nested repository is none of ours', () => {
  expect(gitStatus.parse('? vendor/other/\0')).toEqual([])
})

test('what is ignored is told beside it, directories and files alike', () => {
  const reported = `# branch.head main\0${changed('.M', 'a')}\0! out/\0! src/debug.log\0? ! no\0`
  expect(gitStatusWithIgnored.parse(reported)).toEqual({
    status: [
      { path: 'a', kind: 'dirty' },
      { path: '! no', kind: 'untracked' },
    ],
    ignored: ['out', 'src/debug.log'],
  })
})
