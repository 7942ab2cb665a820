import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { levelled } from '../rig/levelled.ts'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { temporaryRepo } from '../rig/repo.ts'

type Block = { readonly commands: string; readonly printed: string | null }

/** What a page shows to type, in order; of a console also what is printed then. */
function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(sh|console)\n([^]*?)\n```$/gm)].flatMap(([, kind, text = '']): Block[] => {
    if (kind === 'sh') return [{ commands: text, printed: null }]
    const steps = text.split(/^\$ (?=git |npx )/m).slice(1)
    return steps.map(step => {
      const [commands = '', ...lines] = step.split('\n')
      return { commands, printed: lines.join('\n').trim() }
    })
  })
}

test('the first hour is what happens when its commands are typed', async () => {
  const blocks = blocksOf(await readFile(join(repositoryRoot, 'docs/first-hour.md'), 'utf8'))
  expect(blocks).toHaveLength(14)
  await using repo = await temporaryRepo()
  // The package is not installed in the project of the page, but packed.
  const prelude = 'unset KOTEF_AUTOSTART; npx() { shift; kotef-watch "$@"; }; [ ! -d slugs ] || cd slugs'
  for (const { commands, printed } of blocks) {
    const { stdout, stderr } = await repo.run('sh', ['-c', `${prelude}\n${commands}`], { cwd: repo.base })
    if (printed === null) expect([commands, stderr]).toEqual([commands, ''])
    else expect(levelled(`${stderr}${stdout}`).replaceAll(HERE, ANYWHERE).trim()).toBe(levelled(printed))
  }
  await repo.run('sh', ['-c', 'kotef-watch watch --stop'], { cwd: join(repo.base, 'slugs') })
})

// The tests have `kotef` on the PATH, where it is named so.
const HERE = /`kotef (?=[a-z])/g
const ANYWHERE = '`npx kotef-watch '
