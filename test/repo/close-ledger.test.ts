import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { runShell } from '../rig/doctor-repo.ts'
import { flushedWrites, governedRepo, startWatching } from '../rig/governed-repo.ts'
import { ledgerEvents } from '../rig/ledger-events.ts'
import type { Repo } from '../rig/repo.ts'
import { startAtTerminal } from '../rig/terminal.ts'

const LEDGER = '.orchestration/agent_trace.jsonl'
const OWN = '.git/kotef'
const REASON = 'git clean deleted it'
const GAP = `sed 2d ${LEDGER} >../x; cat ../x >${LEDGER}`
const LOSE = `rm ${LEDGER} ${OWN}/agent_trace.jsonl`
const SPLIT = `sed -i s/INT-001/INT-007/ ${LEDGER}`

/** Answers the question of `kotef trace close`. */
async function close(repo: Repo, keys = 'y'): Promise<{ code: number | null; text: string }> {
  await using terminal = startAtTerminal(repo, ['trace', 'close', '--reason', REASON])
  await terminal.line(/begin a new one\?/)
  terminal.type(keys)
  const { code } = await terminal.ended
  return { code, text: terminal.lines.join('\n') }
}

type Closed = { files: { name: string; sha256: string }[]; records: number; head: { seq: number }; findings: string[] }

async function closedOf(repo: Repo): Promise<Closed> {
  const [first] = await ledgerEvents(repo)
  expect(first).toMatchObject({ event: 'ledger-closed', reason: REASON, seq: 0, prev: null })
  return first?.['closed'] as Closed
}

async function isWhole(repo: Repo): Promise<boolean> {
  const [verified, doctor, status] = [
    await runCli(repo, 'trace', 'verify'),
    await runCli(repo, 'doctor'),
    await runCli(repo, 'status'),
  ]
  for (const { text } of [verified, doctor, status]) expect(text).toMatch(/A ledger of \d+ records? was closed/)
  const { problems } = status.json as { problems: string[] }
  return verified.exit === 0 && /^ok +ledger/m.test(doctor.text) && problems.every(it => !it.includes('ledger'))
}

test.each([
  ['with a gap', GAP, ['ledger-gap'], 1],
  ['with a damaged line', `echo garbage >>${LEDGER}`, ['ledger-damaged'], 1],
  ['that is gone', LOSE, ['ledger-truncated'], 0],
  ['that is two files', SPLIT, ['ledger-split'], 2],
])(
  'a ledger %s is closed, with its files beside it, and all is well again (team S10)',
  async (_, damage, codes, count) => {
    await using repo = await governedRepo()
    const events = await ledgerEvents(repo)
    await runShell(repo, damage)
    const damaged = await repo.read(LEDGER).catch(() => null)
    const { code, text } = await close(repo)
    expect([code, text]).toEqual([0, expect.stringContaining('A new ledger was begun.')])
    const { files, records, head, findings } = await closedOf(repo)
    expect([findings, head.seq, files.length]).toEqual([codes, events.length - 1, count])
    expect(records).toBe(count === 0 ? 0 : codes[0] === 'ledger-gap' ? events.length - 1 : events.length)
    const contents = await Promise.all(files.map(it => repo.read(`${OWN}/${it.name}`)))
    expect(files.map(it => it.sha256)).toEqual(contents.map(it => createHash('sha256').update(it).digest('hex')))
    if (damaged !== null) expect(contents).toContain(damaged)
    expect(await isWhole(repo)).toBe(true)
    expect((await repo.git('status', '--porcelain')).trim()).toBe('')
    await runCli(repo, 'intent', 'block', 'INT-001')
    expect([await isWhole(repo), (await ledgerEvents(repo)).length]).toEqual([true, 3])
  },
)

test('beside a daemon, a closed ledger is gone on with in the new one', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'x\n')
  await flushedWrites(repo)
  await runShell(repo, GAP)
  expect((await close(repo)).code).toBe(0)
  await repo.write('src/b.ts', 'x\n')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/b.ts'])
  expect(await isWhole(repo)).toBe(true)
  const inodes = await Promise.all([LEDGER, `${OWN}/agent_trace.jsonl`].map(it => stat(join(repo.root, it))))
  expect(inodes[0]?.ino).toBe(inodes[1]?.ino)
})

test('a no leaves everything as it is', async () => {
  await using repo = await governedRepo()
  await runShell(repo, GAP)
  const before = await repo.read(LEDGER)
  expect((await close(repo, 'n')).code).toBe(1)
  expect(await repo.read(LEDGER)).toBe(before)
  expect((await readdir(join(repo.root, OWN))).filter(it => it.startsWith('agent_trace'))).toEqual([
    'agent_trace.jsonl',
  ])
})

test.each([
  ['an agent', GAP, ['--reason', 'why'], { CLAUDECODE: '1' }, /CLAUDECODE is set\), and can't close a ledger/],
  ['a program', GAP, ['--reason', 'why'], {}, /a person at a terminal\.\n.*kotef trace close --reason why`/],
  ['a person without a reason', GAP, [], {}, /Closing a ledger needs a reason/],
  ['anybody', 'true', ['--reason', 'why'], {}, /The ledger is whole, so there is nothing to close/],
])('%s can not close it where that is wrong', async (_, damage, words, env, refusal) => {
  await using repo = await governedRepo()
  await runShell(repo, damage)
  const before = await repo.read(LEDGER)
  const { code, stderr } = await repo.run('kotef', ['trace', 'close', ...words], { env })
  expect([code === 0, stderr]).toEqual([false, expect.stringMatching(refusal)])
  expect(await repo.read(LEDGER)).toBe(before)
})
