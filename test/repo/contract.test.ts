import { expect, test } from 'vitest'
import { hookedRepo } from '../rig/hooked-repo.ts'

const TICKET = '# Ticket: 7 Faster\n\nDO NOT touch `lib/**`\n\n## Definition of Done\n\n- [ ] `npm test` passes\n'

test('a contract says where each line is from, is kept, and is built again when a source changes', async () => {
  await using repo = await hookedRepo()
  await repo.write('docs/7.md', TICKET)
  const { stdout } = await repo.kotef('contract', 'INT-001', '--ticket', 'docs/7.md')
  expect(stdout).toContain('INT-001: Faster\nticket 7\n')
  expect(stdout).toContain('  - DO NOT touch `lib/**`  [checked: writes to lib/**]  (docs/7.md:3)\n')
  expect(stdout).toContain('  - npm test  (docs/7.md:7)\n')
  const json = async () => JSON.parse((await repo.kotef('contract', '--ticket', 'docs/7.md', '--json')).stdout)
  expect(await json()).toMatchObject({ isReused: true, contract: { ticketId: '7' } })
  await repo.write('docs/7.md', TICKET.replace('lib/**', 'vendor/**'))
  const changed = await json()
  expect(changed).toMatchObject({ isReused: false, contract: { constraints: [{ rule: { globs: ['vendor/**'] } }] } })
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
