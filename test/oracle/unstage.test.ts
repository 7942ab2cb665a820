import { expect, test } from 'vitest'
import { unstageHint } from '../../src/core/rules/hints.ts'
import { temporaryRepo } from '../rig/repo.ts'

const NAMES = [
  'a b',
  "it's",
  '$(touch oops)',
  '`x`',
  '*',
  '*.ts',
  'a[b]',
  '?',
  'b\\c',
  ':x',
  ':(top)',
  '-n',
  '"',
  'ü',
  '#',
  '~',
  '!',
]

test('the command that a refusal shows takes out exactly that path when it is pasted', async () => {
  await using repo = await temporaryRepo({ first: '' })
  for (const it of [...NAMES, 'ab', 'x.ts']) await repo.write(it, 'x\n')
  const staged = async () => (await repo.git('diff', '--cached', '--name-only', '-z')).split('\0').slice(0, -1)
  for (const name of NAMES) {
    await repo.git('add', '--all')
    const before = await staged()
    const [, command = ''] = /^Unstage it: `(.*)`$/.exec(unstageHint(name)) ?? []
    expect(await repo.run('sh', ['-c', command])).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await staged()).toEqual(before.filter(it => it !== name))
  }
})

test('a path that no pasted word can name is taken out with all the rest', () => {
  for (const name of ['a\nb', '\x1b[31m', 'a\ufffdb', 'a\u202eb'])
    expect(unstageHint(name)).toBe('Unstage it together with all other files: `git restore --staged .`')
})
