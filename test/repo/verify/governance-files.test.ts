import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { TOOL_SETTINGS } from '../../../src/core/base/governance-files.ts'
import { fixture } from '../../rig/fixture.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { bypass, verifyFindings } from '../../rig/verify-findings.ts'

const CONFIG = '.orchestration/config.yaml'
const FOR_1 = 'Intent-ID: INT-001'

const template = fixture(async () => {
  const template = await hookedRepo()
  await runCommands(template, 'git switch -qc w; mkdir -p src/x/.claude src/.Vscode')
  return template
})

const NESTED = 'echo {} >src/x/.claude/settings.json; echo read >src/x/AGENTS.md'
const listed = (level: string) =>
  ['src/x/.claude/settings.json', 'src/x/AGENTS.md'].map(it => `${level} governance-loosened ${it} in nested`)

test('a person may commit what tools read in a folder for its intent, and it is for review', async () => {
  await using repo = await copyGoverned(template())
  expect(await runCommands(repo, `${NESTED}; git add src; git commit -qm nested`)).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(await repo.git('log', '-1', '--format=%B')).toContain(FOR_1)
  expect(await verifyFindings(repo, 'main..w')).toEqual(listed('review'))
})

test.each([
  ['blocks under a strict config', 'verify: { governance: strict }', listed('block')],
  ['is work where the config makes an exception', 'governance: ["!src/x/**"]', []],
])('%s', async (_, config, found) => {
  await using repo = await copyGoverned(template())
  const policy = `echo '${config}' >>${CONFIG}; ${bypass('config', 'Governance: why')}; git branch -f main w`
  expect(await runCommands(repo, `${policy}; ${NESTED}; ${bypass('nested', FOR_1)}`)).toMatchObject({ code: 0 })
  expect(await verifyFindings(repo, 'main..w')).toEqual(found)
})

// INT-001 owns `src`, and no path of these but for the first is one that the fast path may pass.
test.each([
  ['src/b.ts', 0],
  ['src/Forbidden/x', 1],
  ['src/FORBIDDEN', 1],
  ['src/forb\u0131dden/x', 1],
  ['src/for\u200dbidden/x', 1],
])('hook and verify say the same of %s, where src/forbidden is forbidden', async (path, code) => {
  await using repo = await copyGoverned(template())
  const policy = `printf '## Forbidden Paths\\n- src/forbidden/\\n' >.sdd/KOTEF.md
    ${bypass('forbid', 'Governance: why')}; git branch -f main w; kotef status >../out`
  await runCommands(repo, policy)
  await repo.write(path, 'x\n')
  const committed = await runCommands(repo, 'git add src; git commit -qm work')
  expect(committed.code, committed.stderr).toBe(code)
  await runCommands(repo, bypass('work', FOR_1))
  expect(await verifyFindings(repo, 'main..w')).toEqual(code === 0 ? [] : [`block path-forbidden ${path} in work`])
})

test('two names that differ in their case alone are two paths, and each is judged', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `mkdir -p Src; echo 1 >src/A; echo 2 >src/a; echo 3 >Src/a; ${bypass('case', FOR_1)}`)
  expect(await verifyFindings(repo, 'main..w')).toEqual(['block in-scope Src/a in case'])
})

test('the page has a row for each name', async () => {
  const page = await readFile(new URL('../../../docs/verify.md', import.meta.url), 'utf8')
  for (const [glob, readers] of TOOL_SETTINGS) expect(page).toContain(`| \`${glob}\` | ${readers} |`)
})
