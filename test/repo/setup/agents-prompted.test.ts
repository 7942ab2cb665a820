import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { freshRepo } from '../../rig/installation.ts'
import { copyRepo } from '../../rig/repo.ts'
import { startAtTerminal } from '../../rig/terminal.ts'

const fresh = fixture(() => freshRepo({ '.cursor/rules': '', 'GEMINI.md': 'mine\n' }))

const ENTER = '\r'
const NEXT_WITHOUT = '\x1b[B \r'

test.each([
  ['all that there are traces of', ENTER, ['.gemini/settings.json', '.cursor/hooks.json']],
  ['one of them', NEXT_WITHOUT, ['.gemini/settings.json']],
])('init at a terminal offers agents by their traces, and configures %s', async (_, keys, files) => {
  await using repo = copyRepo(fresh())
  await using terminal = startAtTerminal(repo, ['init'])
  await terminal.line(/Govern .* with kotef/)
  terminal.type(ENTER)
  await terminal.line(/Found these agents/)
  await terminal.line(/cursor/)
  terminal.type(keys)
  expect(await terminal.ended).toMatchObject({ code: 0 })
  const written = (await repo.git('status', '--porcelain', '-uall')).match(/\.(gemini\/settings|cursor\/hooks)\.json/g)
  expect(written?.sort()).toEqual([...files].sort())
})
