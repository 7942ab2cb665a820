import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { levelled } from '../rig/levelled.ts'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { temporaryRepo } from '../rig/repo.ts'

/** What the demo prints, levelled. */
function levelledDemo(text: string): string {
  return (
    levelled(text.replace(/\/\S*\/shop/g, '<repo>'))
      // The watcher classifies the change, and records the commit, within a second: before they are asked for or after.
      .replace(/^class .*\n/m, '')
      .replace(/Ledger OK: \d+ records/, 'Ledger OK: <n> records')
  )
}

test("the demo is not led astray by the user's own settings of git", async () => {
  await using repo = await temporaryRepo()
  await repo.run('sh', ['-c', 'printf "[core]\\n\\thooksPath = /nowhere/hooks\\n" >"$HOME/.gitconfig"'])
  const { code, stdout } = await repo.run('env', ['-u', 'GIT_CONFIG_GLOBAL', 'kotef', 'demo'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('That was the main job.')])
})

test('the demo exits 0 in under 20 s, and its output is what docs/main-job.md shows', async () => {
  await using repo = await temporaryRepo()
  const started = performance.now()
  const { code, stdout, stderr } = await repo.kotef('demo')
  expect([code, stderr]).toEqual([0, ''])
  expect(performance.now() - started).toBeLessThan(20_000)
  const page = await readFile(join(repositoryRoot, 'docs/main-job.md'), 'utf8')
  const [, shown = ''] = /```console\n(# A new repository[^]*?)\n```/.exec(page) ?? []
  expect(levelledDemo(shown).trim()).toBe(levelledDemo(stdout).trim())
})

test('the film shows what docs/main-job.md does, up to the answer who wrote a line, in 12 seconds', async () => {
  const [page, film] = await Promise.all(
    ['docs/main-job.md', 'docs/demo.svg'].map(it => readFile(join(repositoryRoot, it), 'utf8')),
  )
  const [, shown = ''] = /```console\n(# A new repository[^]*?)\n\n# Each write is a line/.exec(page ?? '') ?? []
  const texts = [...(film ?? '').matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, it = '']) =>
    it.replace(/<[^>]+>/g, '').replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  )
  const short = (line: string) => levelledDemo(line).slice(0, 60)
  expect(texts.map(short)).toEqual(shown.replaceAll('/tmp/shop', '~/shop').split('\n').map(short))
  expect(shown).toMatch(/commit stopped[^]*\$ .*kotef blame[^]*\$ kotef why/)
  const [, seconds] = /animation:([\d.]+)s linear/.exec(film ?? '') ?? []
  expect(Number(seconds)).toBeLessThanOrEqual(12)
})
