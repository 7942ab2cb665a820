import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { temporaryRepo } from '../rig/repo.ts'

/** What differs from one run to the next has one spelling. */
function levelled(text: string): string {
  return (
    text
      .replace(/\/\S*\/shop/g, '<repo>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/\b\d\d:\d\d:\d\d\b/g, '<time>')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
      .replace(/pid \d+/g, 'pid <pid>')
      .replace(/"revision":"[0-9a-f]{40}"/g, '<revision>')
      .replace(/"(prev|hash)":"[0-9a-f]{64}"/g, '<hash>')
      // The watcher records the commit within a second, before the ledger is checked or after.
      .replace(/Ledger OK: \d+ records/, 'Ledger OK: <n> records')
  )
}

test("the demo is not led astray by the user's own settings of git", async () => {
  await using repo = await temporaryRepo()
  await repo.run('sh', ['-c', 'printf "[core]\\n\\thooksPath = /nowhere/hooks\\n" >"$HOME/.gitconfig"'])
  const { code, stdout } = await repo.run('env', ['-u', 'GIT_CONFIG_GLOBAL', 'kotef', 'demo'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('That was the main job.')])
})

test('the demo exits 0 in under 20 s, and its output is what the README shows', async () => {
  await using repo = await temporaryRepo()
  const started = performance.now()
  const { code, stdout, stderr } = await repo.kotef('demo')
  expect([code, stderr]).toEqual([0, ''])
  expect(performance.now() - started).toBeLessThan(20_000)
  const readme = await readFile(join(repositoryRoot, 'README.md'), 'utf8')
  const [, shown = ''] = /```console\n(# A new repository[^]*?)\n```/.exec(readme) ?? []
  expect(levelled(shown).trim()).toBe(levelled(stdout).trim())
})
