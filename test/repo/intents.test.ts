import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { ledgerEvents } from '../rig/ledger-events.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

const REGISTRY = '.orchestration/active_intents.yaml'

const INTENTS = `# the registry
active_intents:
  - { id: INT-001, name: auth, status: PENDING, owned_scope: ["src/auth/**"] } # mine
  - { id: INT-002, name: pay, status: IN_PROGRESS, owned_scope: ["src/**"] }
  - { id: INT-003, name: docs, status: BLOCKED, owned_scope: ["docs/**"], depends_on: [] }
  - { id: INT-004, name: old, status: COMPLETED }
  - { id: INT-005, name: next, status: PENDING, depends_on: [INT-004, INT-002, INT-003] }
  - { id: INT-006, name: gone, status: ABANDONED }
`

const governed = (registry = INTENTS) => temporaryRepo({ 'src/auth/a.ts': '', 'src/b.ts': '', [REGISTRY]: registry })

describe('intent add', () => {
  test('adds a PENDING intent with the next number, and keeps what was there', async () => {
    await using repo = await governed()
    const { text, json } = await runCli(
      repo,
      'intent',
      'add',
      '--name',
      'new',
      '--scope',
      'a/**',
      '--scope',
      '!a/b',
      '--check',
      'npm test',
    )
    expect(json).toMatchObject({ intent: { id: 'INT-007', status: 'PENDING', owned_scope: ['a/**', '!a/b'] } })
    expect(text).toContain('kotef intent start INT-007')
    expect(text).toContain(`git commit -m "add INT-007" -m "Governance: add INT-007" ${REGISTRY}`)
    expect(await repo.read(REGISTRY)).toContain('# mine')
    expect(await events(repo)).toEqual(['intent-added'])
  })

  test('gives no number that another branch, a remote or the ledger knows (solo A4)', async () => {
    await using repo = await governed()
    await repo.git('switch', '-qc', 'side')
    await runCli(repo, 'intent', 'add', '--name', 'here')
    await repo.git('commit', '-qam', 'INT-007')
    await repo.git('switch', '-q', 'main')
    await repo.run('sh', ['-c', 'rm -f .orchestration/agent_trace.jsonl'])
    expect((await runCli(repo, 'intent', 'add', '--name', 'there')).json).toMatchObject({ intent: { id: 'INT-008' } })
    await repo.git('checkout', '-q', REGISTRY)
    await repo.git('update-ref', 'refs/remotes/origin/side', 'side')
    await repo.git('branch', '-qD', 'side')
    expect((await runCli(repo, 'intent', 'add', '--name', 'again')).json).toMatchObject({ intent: { id: 'INT-009' } })
  })

  test.each([
    ['--id', 'INT-001'],
    ['--id', 'lower-1'],
    ['--scope', '../out'],
    ['--scope', 'src/'],
    ['--appetite', 'Huge'],
    ['--depends-on', 'INT-999'],
    ['--name', ''],
  ])('%s %j is refused, and changes nothing', async (flag, value) => {
    await using repo = await governed()
    const { failure, text } = await runCli(repo, 'intent', 'add', '--name', 'x', flag, value)
    expect(failure?.code).toBe('usage')
    expect(text).toContain('found')
    expect(await repo.read(REGISTRY)).toBe(INTENTS)
    expect(await events(repo)).toEqual([])
  })

  test('ten at once all get in, each with a number of its own', async () => {
    await using repo = await governed()
    const said = await Promise.all(
      Array.from({ length: 10 }, (_, n) => runCli(repo, 'intent', 'add', '--name', `n${n}`)),
    )
    expect(said.map(it => it.failure)).toEqual(said.map(() => null))
    const { json } = await runCli(repo, 'intent', 'list')
    expect((json as { intents: { id: string }[] }).intents.map(it => it.id).slice(6)).toHaveLength(10)
    expect(new Set((json as { intents: { id: string }[] }).intents.map(it => it.id)).size).toBe(16)
  })
})

describe('intent list, show and edit', () => {
  test('list shows every intent and marks what is in work here', async () => {
    await using repo = await governed()
    await runCli(repo, 'intent', 'start', 'INT-001')
    const { text } = await runCli(repo, 'intent', 'list')
    expect(text.split('\n').slice(0, 2)).toEqual(['* INT-001  IN_PROGRESS  auth', '  INT-002  PENDING      pay'])
  })

  test('show tells all of an intent, and an unknown one is refused with the known ones', async () => {
    await using repo = await governed()
    const { text, json } = await runCli(repo, 'intent', 'show', 'INT-001')
    expect(text).toContain('INT-001  PENDING  auth\n  scope        src/auth/**')
    expect(json).toMatchObject({ intent: { id: 'INT-001', appetite: 'Batch' }, sessions: [] })
    const { failure } = await runCli(repo, 'intent', 'show', 'INT-1')
    expect(failure).toMatchObject({ code: 'unknown-intent', exit: 2, hint: 'Did you mean INT-001?' })
    expect(failure?.message).toContain('INT-006  ABANDONED  gone')
  })

  test('edit replaces fields, adds and takes out single globs, and says when that holds', async () => {
    await using repo = await governed()
    const { text, json } = await runCli(repo, 'intent', 'edit', 'INT-001', '--add-scope', 'lib/**', '--name', 'n')
    expect(json).toMatchObject({ intent: { name: 'n', owned_scope: ['src/auth/**', 'lib/**'] } })
    expect(text).toContain('The committed scope applies until this change is committed.')
    await runCli(repo, 'intent', 'edit', 'INT-001', '--remove-scope', 'lib/**')
    expect((await runCli(repo, 'intent', 'show', 'INT-001')).json).toMatchObject({
      intent: { owned_scope: ['src/auth/**'] },
    })
    expect(await repo.read(REGISTRY)).toContain('# mine')
    expect(await events(repo)).toEqual(['intent-edited', 'intent-edited'])
    expect((await runCli(repo, 'intent', 'edit', 'INT-001')).failure?.code).toBe('usage')
  })
})

describe('intent start', () => {
  test("opens a person's session, moves the intent, and reports who else owns its paths", async () => {
    await using repo = await governed()
    const { json, text } = await runCli(repo, 'intent', 'start', 'INT-001')
    expect(json).toMatchObject({
      intent: { id: 'INT-001', status: 'IN_PROGRESS' },
      session: { kind: 'person', agent: null, declared: false, intent: 'INT-001', endedAt: null },
      overlaps: [{ intent: 'INT-002', paths: 1, example: 'src/auth/a.ts' }],
    })
    expect((json as { session: { baseCommit: string } }).session.baseCommit).toBe(
      (await repo.git('rev-parse', 'HEAD')).trim(),
    )
    expect(text).toContain('INT-002 also owns 1 path of this scope, such as src/auth/a.ts')
    expect(await events(repo)).toEqual(['transition', 'session-started'])
  })

  test('declares an agent without hooks', async () => {
    await using repo = await governed()
    const { json } = await runCli(repo, 'intent', 'start', 'INT-002', '--agent', 'aider', '--model', 'm')
    expect(json).toMatchObject({ session: { kind: 'agent', agent: 'aider', model: 'm', declared: true } })
  })

  test('is the same session when asked twice, and ends an earlier one on another intent', async () => {
    await using repo = await governed()
    const first = await runCli(repo, 'intent', 'start', 'INT-001')
    expect((await runCli(repo, 'intent', 'start', 'INT-001')).json).toEqual({ ...(first.json as object), ended: [] })
    const { text } = await runCli(repo, 'intent', 'start', 'INT-003')
    expect(text).toContain('The session on INT-001 ended; the status of INT-001 did not change.')
    expect((await runCli(repo, 'intent', 'show', 'INT-001')).json).toMatchObject({
      intent: { status: 'PENDING' },
      sessions: [],
    })
    expect(await readdir(join(repo.root, '.git/kotef/sessions'))).toHaveLength(2)
    expect(await events(repo)).toEqual([
      'transition',
      'session-started',
      'transition',
      'session-ended',
      'session-started',
    ])
  })

  test('ten at once all succeed, one after the other: one session is left, and one transition', async () => {
    await using repo = await governed()
    const agents = Array.from({ length: 10 }, (_, n) => `agent-${n}`)
    const said = await Promise.all(agents.map(it => runCli(repo, 'intent', 'start', 'INT-001', '--agent', it)))
    expect(said.map(it => it.failure)).toEqual(agents.map(() => null))
    const { json } = await runCli(repo, 'intent', 'show', 'INT-001')
    expect((json as { sessions: unknown[] }).sessions).toHaveLength(1)
    expect((await events(repo)).filter(it => it === 'transition')).toHaveLength(1)
  })

  test.each([
    { id: 'INT-004', code: 'illegal-transition', says: /final.*--depends-on INT-004/ },
    { id: 'INT-006', code: 'illegal-transition', says: /final/ },
    { id: 'INT-005', code: 'dependency-unmet', says: /INT-002 \(PENDING\), INT-003 \(BLOCKED\)/ },
    { id: 'INT-404', code: 'unknown-intent', says: /Known intents/ },
  ])('$id is refused: $code', async ({ id, code, says }) => {
    await using repo = await governed()
    const { failure } = await runCli(repo, 'intent', 'start', id)
    expect(failure?.code).toBe(code)
    expect(`${failure?.message} ${failure?.hint}`).toMatch(says)
    expect(await repo.read(REGISTRY)).toBe(INTENTS)
    expect(await events(repo)).toEqual([])
  })

  test('a damaged session file is passed over', async () => {
    await using repo = await governed()
    await repo.write('.git/kotef/sessions/broken.json', '{')
    await runCli(repo, 'intent', 'start', 'INT-001')
    expect((await runCli(repo, 'intent', 'show', 'INT-001')).json).toMatchObject({ sessions: [{ intent: 'INT-001' }] })
  })
})

describe('intent block and abandon', () => {
  test.each([
    { verb: 'block', to: 'BLOCKED' },
    { verb: 'abandon', to: 'ABANDONED' },
  ])('$verb moves the intent, ends its session and keeps the reason', async ({ verb, to }) => {
    await using repo = await governed()
    await runCli(repo, 'intent', 'start', 'INT-001')
    expect((await runCli(repo, 'intent', verb, 'INT-001', '--reason', 'because')).text).toMatch(
      `INT-001 is ${to}: auth\n`,
    )
    expect((await runCli(repo, 'intent', 'show', 'INT-001')).json).toMatchObject({
      intent: { status: to },
      sessions: [],
    })
    expect(await ledgerEvents(repo)).toContainEqual(
      expect.objectContaining({ event: 'transition', from: 'IN_PROGRESS', to, reason: 'because' }),
    )
  })

  test('a step that the lifecycle does not have is refused', async () => {
    await using repo = await governed()
    for (const [verb = '', id = ''] of [
      ['block', 'INT-001'],
      ['abandon', 'INT-004'],
      ['complete', 'INT-003'],
    ]) {
      expect((await runCli(repo, 'intent', verb, id)).failure).toMatchObject({ code: 'illegal-transition', exit: 2 })
    }
    expect(await repo.read(REGISTRY)).toBe(INTENTS)
  })
})

async function events(repo: Repo): Promise<unknown[]> {
  return (await ledgerEvents(repo)).map(it => it['event'])
}
