import { expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { governedRepo } from '../rig/governed-repo.ts'

test.each([
  ['a file in place of a folder', 'rm -rf .git/kotef; : >.git/kotef', /EEXIST|ENOTDIR/],
  ['a link in a circle', 'rm -rf .git/kotef; ln -s kotef .git/kotef', /ELOOP|EEXIST/],
  ['a folder in place of a file', 'rm .git/kotef/head.json; mkdir -p .git/kotef/head.json/x', /EISDIR/],
])('%s is told as what the disk refused, with the way out', async (_, commands, code) => {
  await using repo = await governedRepo()
  await repo.run('sh', ['-c', commands])
  const { failure } = await runCli(repo, 'intent', 'add', '--name', 'x')
  expect(failure).toMatchObject({ exit: 3, message: expect.stringMatching(code) })
  expect(failure?.code).toMatch(/^(disk-failed|ledger-unwritable)$/)
  expect((await runCli(repo, 'explain', 'disk-failed')).text).toContain('Way out:')
})
