import { expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'

const TICKET = '# Ticket: 7 Faster\n\nDO NOT touch `lib/**`\n\n## Definition of Done\n\n- [ ] `npm test` passes\n'

test('a contract says where each line is from, is kept, and is built again when a source changes', async () => {
  await using repo = await hookedRepo()
  await repo.write('docs/7.md', TICKET)
  const { stdout } = await repo.kotef('contract', 'INT-001', '--ticket', 'docs/7.md')
  expect(stdout).toContain('INT-001: Faster\nticket 7\n')
  expect(stdout).toContain('  - DO NOT touch `lib/**`  [advice]  (docs/7.md:3)\n')
  expect(stdout).toContain(
    '  - `npm test` passes  [a person attests it: the intent has no such check]  (docs/7.md:7)\n',
  )
  const json = async () => JSON.parse((await repo.kotef('contract', '--ticket', 'docs/7.md', '--json')).stdout)
  expect(await json()).toMatchObject({ isReused: true, contract: { ticketId: '7' } })
  await repo.write('docs/7.md', TICKET.replace('lib/**', 'vendor/**'))
  const changed = await json()
  expect(changed).toMatchObject({ isReused: false, contract: { constraints: [{ text: 'DO NOT touch `vendor/**`' }] } })
  expect(JSON.parse(await repo.read('.sdd/cache/intent_contract.json'))).toMatchObject({ sources: changed.sources })
  expect(await repo.git('status', '--short', '.sdd')).toBe('')
})

test('a damaged cache is built again; a ticket that is not there is named', async () => {
  await using repo = await hookedRepo()
  const first = await repo.kotef('contract', 'INT-001')
  for (const damage of ['', '{', '[]', 'null', '{"sources":1}']) {
    await repo.write('.sdd/cache/intent_contract.json', damage)
    expect(await repo.kotef('contract', 'INT-001')).toEqual(first)
  }
  const { code, stderr } = await repo.kotef('contract', 'INT-001', '--ticket', 'none.md')
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('There is no file') })
})

test('a saved contract that somebody changed is built again, and that is said', async () => {
  await using repo = await hookedRepo()
  const first = await repo.kotef('contract', 'INT-001')
  const path = '.sdd/cache/intent_contract.json'
  const saved = await repo.read(path)
  await repo.write(path, saved.replace('"goal": "work"', '"goal": "FORGED"'))
  expect(await repo.kotef('contract', 'INT-001')).toEqual({
    ...first,
    stderr: 'kotef: the saved contract was changed by another program, and is built again.\n',
  })
  expect(await repo.read(path)).toBe(saved)
  expect(await repo.kotef('contract', 'INT-001')).toEqual(first)
})

const REGISTRY = `version: 1
active_intents:
  - id: INT-001
    name: work
    owned_scope: ["src/**"]
    acceptance_criteria: [{ cmd: "true" }]
    related_specs: [{ type: ticket, url: docs/7.md }]
`
const WITH_CHECKS = `${TICKET}- [ ] \`true\`\n- [ ] It looks right\n`

test('the contract is built at the selection, with the ticket of the registry', async () => {
  await using repo = await hookedRepo({ registry: REGISTRY, start: null })
  await repo.write('docs/7.md', WITH_CHECKS)
  const { text } = await runCli(repo, 'select', 'INT-001', '--session', 's', '--agent', 'claude')
  expect(text).toContain('<constraint by="docs/7.md">DO NOT touch `lib/**`</constraint>')
  expect(text).toContain('<criterion closed_by="person">`npm test` passes</criterion>')
  const saved = JSON.parse(await repo.read('.sdd/cache/intent_contract.json'))
  expect(saved.contract).toMatchObject({ intent: 'INT-001', ticketId: '7', goal: 'Faster' })
  expect((await runCli(repo, 'contract', 'INT-001', '--json')).json).toMatchObject({
    isReused: true,
    wasChanged: false,
  })
})

test('what a ticket wants done is attested, and never run, but for what the intent has as a check', async () => {
  await using repo = await hookedRepo({ registry: REGISTRY, start: null })
  await repo.write('docs/7.md', `${WITH_CHECKS}- [ ] \`touch was-run\`\n`)
  const { json } = await runCli(repo, 'check', 'INT-001', '--json')
  const manual = ['`npm test` passes', 'It looks right', '`touch was-run`']
  expect(json).toMatchObject({ passed: true, manual, attested: [], checks: [{ command: 'true', status: 'passed' }] })
  await runCli(repo, 'intent', 'start', 'INT-001')
  const done = await runCli(repo, 'intent', 'complete', 'INT-001')
  expect([done.exit, done.text]).toEqual([1, expect.stringContaining('It looks right: not attested')])
  expect(await repo.git('status', '--porcelain', '--', 'was-run')).toBe('')
})
