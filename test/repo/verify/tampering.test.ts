import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { appendRecords } from '../../../src/world/ledger/append-records.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { recordAgentWrite } from '../../rig/recorded-write.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { bypass, verifyFindings } from '../../rig/verify-findings.ts'

const LEDGER = '.orchestration/agent_trace.jsonl'
const REGISTRY = '.orchestration/active_intents.yaml'
const FOR_1 = 'Intent-ID: INT-001'

// Branch `w` is one good commit further than main, and the ledger has some lines more.
const template = fixture(async () => {
  const template = await hookedRepo()
  await runCommands(template, `git switch -qc w; echo a >>src/a.ts; ${bypass('good', FOR_1)}`)
  const drafts = [1, 2, 3].map(n => ({ event: { event: 'problem', path: `${n}`, message: 'm' } as const }))
  await appendRecords(await openWorkspace(template.root), drafts)
  return template
})

type Tampering = [what: string, tamper: (lines: string[]) => string[], found: string[]]

describe.concurrent('of the ledger: it is found by `verify` and by `trace verify`, and named', () => {
  const swapped = (lines: string[]) => [...lines.slice(0, -3), ...lines.slice(-2), ...lines.slice(-3, -2)]
  test.each<Tampering>([
    ['nothing', lines => lines, []],
    ['a line is changed', lines => lines.with(-2, (lines.at(-2) ?? '').replace('"m"', '"n"')), ['ledger-edited']],
    ['a line is removed', lines => lines.toSpliced(-2, 1), ['ledger-gap']],
    ['the last line is removed', lines => lines.slice(0, -1), ['ledger-truncated']],
    ['two lines are swapped', swapped, ['ledger-order']],
    ['a line is cut', lines => lines.with(-2, (lines.at(-2) ?? '').slice(0, 40)), ['ledger-damaged']],
  ])('%s', async (_, tamper, found) => {
    await using repo = await copyGoverned(template())
    const lines = (await repo.read(LEDGER)).trimEnd().split('\n')
    await repo.write(LEDGER, `${tamper(lines).join('\n')}\n`)
    const ledger = (await verifyFindings(repo, 'main..w')).map(it => it.split(' ')[1])
    expect([...new Set(ledger)]).toEqual(expect.arrayContaining(found))
    expect(ledger.length > 0).toBe(found.length > 0)
    const { json } = await runCli(repo, 'trace', 'verify')
    expect((json as { findings: { rule: string }[] }).findings.map(it => it.rule)).toEqual(ledger)
  })

  test('a pipeline has no ledger, and asks for none', async () => {
    await using repo = await copyGoverned(template())
    await repo.write(LEDGER, 'damaged\n')
    const [main, w] = (await repo.git('rev-parse', 'main', 'w')).trim().split('\n')
    const env = { CI_MERGE_REQUEST_DIFF_BASE_SHA: `${main}`, CI_COMMIT_SHA: `${w}` }
    expect(await repo.run('kotef', ['verify', '--ci'], { env })).toMatchObject({ code: 0 })
  })
})

describe.concurrent('of history: it is found by `verify`, and named', () => {
  const work = 'echo b >>src/b.ts'
  test.each([
    ['a forged trailer', `${work}; ${bypass('s', 'Intent-ID: INT-777')}`, 'the message cites INT-777'],
    [
      'a trailer in the body',
      `${work}; ${bypass('s', FOR_1, 'prose')}`,
      'the message has Intent-ID: INT-001 where git',
    ],
    ['a trailer that only looks so', `${work}; ${bypass('s', 'Intent-ID: INT-001\u200b')}`, '"INT-001\\u200b"'],
    [
      'an intent that is open again for what needs it',
      `sed -i '/INT-004/s/COMPLETED/PENDING/' ${REGISTRY}
        ${bypass('reopen', 'Governance: why')}; echo x >>old/c; ${bypass('s', 'Intent-ID: INT-004')}`,
      'the message cites INT-004, which is COMPLETED by the policy from before this range',
    ],
  ])('%s', async (_, commands, words) => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, commands)
    const { code, stdout } = await repo.kotef('verify', 'main..w')
    expect(code).toBe(1)
    expect(stdout).toContain(words)
  })
})

describe.concurrent('of the notes: it is found by `verify`, and named', () => {
  // As above, and an agent has written the line.
  const noted = fixture(async () => {
    const made = await copyGoverned(template())
    const before = (await made.git('show', 'main:src/a.ts')) || ''
    await recordAgentWrite(made, 'src/a.ts', { before, added: 'a\n' })
    return made
  })
  const EDIT = 'git notes --ref=kotef show w | sed "$edit" >../note; git notes --ref=kotef add -f -F ../note w 2>../out'

  test.each([
    ['nothing', 's/x/x/', []],
    ['an author is another', 's/"ai"/"human"/g', ['block note-edited - in good']],
    ['a line is moved', 's/_line":2/_line":1/g', ['block note-edited - in good']],
    ['the record is cut', 's/.$//', ['block note-edited - in good']],
  ])('%s', async (_, edit, found) => {
    await using repo = await copyGoverned(noted())
    const commands = `kotef trace --commit w >../out; edit='${edit}'; ${EDIT}`
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    expect(await verifyFindings(repo, 'main..w')).toEqual(found)
  })

  test("nothing, in kotef's note on a text with CRLF", async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `printf 'c\\r\\n' >src/c.ts; git add src; ${bypass('c', FOR_1)}`)
    await recordAgentWrite(repo, 'src/c.ts', { before: 'c\r\n', added: 'the line of an agent\r\n' })
    await runCommands(repo, `printf 'the line of an agent\\r\\n' >>src/c.ts; ${bypass('crlf', FOR_1)}; kotef finalise`)
    expect((await repo.kotef('blame', 'src/c.ts')).stdout).toMatch(/ai robot .*\n$/)
    expect(await verifyFindings(repo, 'main..w')).toEqual([])
  })

  test('and a line that no note knows the author of is found by who asks for it', async () => {
    await using repo = await copyGoverned(template())
    expect(await verifyFindings(repo, 'main..w')).toEqual([])
    expect(await verifyFindings(repo, 'main..w', '--require-trace')).toEqual(['block untraced-lines src/a.ts in good'])
  })
})

describe.concurrent('an approval', () => {
  const CONFIG = '.orchestration/config.yaml'
  const STRICT = `echo 'verify: { governance: strict }' >>${CONFIG}; ${bypass('strict', 'Governance: why')}
    git branch -f main w; echo 'claims: allow' >>${CONFIG}`

  test('counts where the ledger tells of it, and not where only a file says so', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, STRICT)
    const head = (await repo.git('rev-parse', 'HEAD')).trim()
    await runCommands(repo, bypass('config', 'Governance: why'))
    const [, change] = (await repo.git('diff-tree', '-r', 'HEAD')).match(/^:(.*)\t/m) ?? []
    const [from = '', to = '', old = '', again = ''] = change?.split(' ') ?? []
    const changes = [{ path: CONFIG, before: { mode: from, oid: old }, after: { mode: to, oid: again } }]
    const approvals = [{ head, at: new Date(0).toISOString(), changes }]
    await repo.write('.git/kotef/approved.json', JSON.stringify({ version: 1, approvals }), 0o600)
    expect(await verifyFindings(repo, 'main..w')).toEqual([`block governance-loosened ${CONFIG} in config`])
    const record = (person: 'proved' | 'unproved') =>
      openWorkspace(repo.root).then(it =>
        appendRecords(it, [{ event: { event: 'approved', parent: head, changes, person } }]),
      )
    await record('unproved')
    expect(await verifyFindings(repo, 'main..w')).toEqual([`block governance-loosened ${CONFIG} in config`])
    await record('proved')
    expect(await verifyFindings(repo, 'main..w')).toEqual([`review governance-loosened ${CONFIG} in config`])
  })
})
