import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ledgerNotes } from '../../src/world/setup/doctor/check-ledger.ts'
import { disk } from '../../src/world/io/files/files.ts'
import { appendRecords } from '../../src/world/ledger/append-records.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { runCli } from '../rig/command-line.ts'
import { runShell } from '../rig/doctor-repo.ts'
import { fixture } from '../rig/fixture.ts'
import { flushedWrites, governedRepo, startWatching } from '../rig/governed-repo.ts'
import { copyGoverned } from '../rig/hooked-repo.ts'
import { ledgerEvents } from '../rig/ledger-events.ts'
import { copyRepo, type Repo } from '../rig/repo.ts'

const LEDGER = '.orchestration/agent_trace.jsonl'
const KEPT = '.git/kotef/agent_trace.jsonl'
const LOSE = `rm ${LEDGER} ${KEPT}`

async function rulesOf(repo: Repo): Promise<string[]> {
  const { json } = await runCli(repo, 'trace', 'verify')
  return (json as { findings: { rule: string }[] }).findings.map(it => it.rule)
}

async function problemsOf(repo: Repo): Promise<readonly string[]> {
  const { json } = await runCli(repo, 'status')
  return (json as { problems: string[] }).problems.filter(it => it.includes('ledger'))
}

async function doctorOf(repo: Repo): Promise<readonly string[]> {
  const { json } = await runCli(repo, 'doctor')
  const { checks } = json as { checks: { name: string; complaints: { what: string; fix: string }[] }[] }
  return checks.filter(it => it.name === 'ledger').flatMap(it => it.complaints.map(({ what, fix }) => `${what} ${fix}`))
}

async function areLinked(repo: Repo): Promise<boolean> {
  const [one, other] = await Promise.all([LEDGER, KEPT].map(it => stat(join(repo.root, it))))
  return one?.ino === other?.ino
}

test.each([
  ['status', ['status']],
  ['doctor', ['doctor']],
  ['trace', ['trace']],
  ['trace verify', ['trace', 'verify']],
  ['blame', ['blame', 'src/a.ts']],
  ['the next record', ['intent', 'block', 'INT-001']],
])('git clean -xdf loses no record, and %s gives the file back (solo B6, team S10)', async (_, words) => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  const before = await repo.read(LEDGER)
  expect(await areLinked(repo)).toBe(true)
  await runShell(repo, 'git clean -qxdf')
  await expect(repo.read(LEDGER)).rejects.toThrow('ENOENT')
  await runCli(repo, ...words)
  expect(await repo.read(LEDGER)).toContain(before)
  expect([await areLinked(repo), await rulesOf(repo), await problemsOf(repo)]).toEqual([true, [], []])
})

test('beside a daemon, git clean -xdf loses no record, and the next ones are in the same file (solo B6)', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'x\n')
  await flushedWrites(repo)
  await repo.git('add', 'src/a.ts')
  await runShell(repo, 'git clean -qxdf')
  await repo.write('src/b.ts', 'x\n')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/a.ts', 'src/b.ts'])
  expect([await areLinked(repo), await rulesOf(repo)]).toEqual([true, []])
})

test.each([
  ['a copy in its place', `cp ${LEDGER} ../copy; mv ../copy ${LEDGER}`],
  ['an older one in its place', `head -n 1 ${LEDGER} >../copy; mv ../copy ${LEDGER}`],
  ['a stash of everything', 'git stash -qa'],
  ['nothing kept', `rm ${KEPT}`],
])('beside a daemon, %s loses and doubles nothing', async (_, accident) => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'x\n')
  await flushedWrites(repo)
  await repo.git('add', 'src/a.ts')
  await repo.git('commit', '-qm', 'a')
  await runShell(repo, accident)
  await repo.write('src/b.ts', 'x\n')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/a.ts', 'src/b.ts'])
  expect([await areLinked(repo), await rulesOf(repo)]).toEqual([true, []])
})

test('a copy of the repository has a ledger of its own', async () => {
  await using repo = await governedRepo()
  await using copy = copyRepo(repo)
  await runCli(copy, 'intent', 'block', 'INT-001')
  expect([await areLinked(copy), await rulesOf(copy), await rulesOf(repo)]).toEqual([true, [], []])
  expect((await ledgerEvents(copy)).length).toBeGreaterThan((await ledgerEvents(repo)).length)
})

test('a file that an editor saved is reported, kept as it is, and removed by the hint (ledger-split)', async () => {
  await using repo = await governedRepo()
  await runShell(repo, `sed -i s/INT-001/INT-007/ ${LEDGER}`)
  const edited = await repo.read(LEDGER)
  await runCli(repo, 'intent', 'block', 'INT-001')
  expect(await repo.read(LEDGER)).toBe(edited)
  expect(await rulesOf(repo)).toEqual(['ledger-split'])
  const [problem] = await problemsOf(repo)
  expect(problem).toMatch(/^Another program replaced the ledger in the worktree/)
  expect(await doctorOf(repo)).toEqual([problem])
  await runShell(repo, /`(rm [^`]+)`/.exec(problem ?? '')?.[1] ?? 'false')
  expect([await rulesOf(repo), await problemsOf(repo), await areLinked(repo)]).toEqual([[], [], true])
})

test('kotef verify reads the kept ledger, and changes nothing', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  await rm(join(repo.root, LEDGER))
  const { json } = await runCli(repo, 'verify', 'HEAD^..HEAD')
  const { findings } = json as { findings: { rule: string }[] }
  expect(findings.filter(it => it.rule.startsWith('ledger'))).toEqual([])
  await expect(repo.read(LEDGER)).rejects.toThrow('ENOENT')
})

test('where the disk has no hard links, the doctor says in one line that git clean deletes the ledger', async () => {
  await using repo = await governedRepo()
  const workspace = await openWorkspace(repo.root, { files: { ...disk, link: async () => false } })
  await rm(join(repo.root, KEPT))
  await appendRecords(workspace, [{ event: { event: 'problem', path: null, message: 'm' } }])
  expect((await ledgerNotes(workspace)).map(it => it.message)).toEqual([
    expect.stringMatching(/^the disk can't make a hard link .*`git clean -x` deletes the ledger$/),
  ])
  expect(await rulesOf(repo)).toEqual([])
})

/** A repository in which a daemon has recorded a write. */
const written = fixture(async () => {
  const repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'x\n')
  await flushedWrites(repo)
  return repo
})

test.each([
  ['gone', LOSE, 'ledger-truncated', /is gone: it had \d records\..*kotef trace close/],
  ['gone with the head of its chain', `${LOSE} .git/kotef/head.json`, 'ledger-truncated', /is gone: it had \d+ bytes/],
  ['emptied', `: >${LEDGER}`, 'ledger-truncated', /the end is missing: records 0 to \d/],
  ['without its end', `sed '$d' ${LEDGER} >../x; cat ../x >${LEDGER}`, 'ledger-truncated', /records (\d) to \1/],
  ['without its beginning', `sed 1d ${LEDGER} >../x; cat ../x >${LEDGER}`, 'ledger-gap', /records 0 to 0 are missing/],
])('status, doctor and trace verify say that a ledger is %s (solo B5, team S10)', async (_, damage, rule, words) => {
  await using repo = await copyGoverned(written())
  await runShell(repo, damage)
  expect(await rulesOf(repo)).toEqual([rule])
  expect(await problemsOf(repo)).toEqual([expect.stringMatching(words)])
  expect(await doctorOf(repo)).toEqual([expect.stringMatching(words)])
})

test('after a loss the next record does not hide it', async () => {
  await using repo = await governedRepo()
  await runShell(repo, LOSE)
  await runCli(repo, 'intent', 'block', 'INT-001')
  expect(await rulesOf(repo)).toEqual(['ledger-gap'])
  expect(await problemsOf(repo)).toEqual([expect.stringMatching(/records 0 to \d are missing/)])
})
