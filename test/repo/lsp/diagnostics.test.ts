import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { startLsp } from '../../rig/lsp-client.ts'

const template = fixture(hookedRepo)
const some = (all: readonly unknown[]) => all.length > 0
const none = (all: readonly unknown[]) => all.length === 0

test('a file outside the scope has one diagnostic at its first line, in the words of the refused commit', async () => {
  const repo = template()
  await using editor = await startLsp(repo)
  await editor.open('lib/x.ts', 'x 🙂\nmore\n')
  const all = await editor.diagnostics('lib/x.ts', some)
  await repo.write('lib/x.ts', 'changed\n')
  await repo.git('add', 'lib/x.ts')
  const { stderr } = await repo.run('git', ['commit', '-m', 'work', '-m', 'Intent-ID: INT-001'])
  expect(all).toMatchObject([
    {
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } },
      severity: 1,
      code: 'in-scope',
      source: 'kotef',
    },
  ])
  for (const line of (all[0]?.message as string).split('\n')) expect(stderr).toContain(line)
})
