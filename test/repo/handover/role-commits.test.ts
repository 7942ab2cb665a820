import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HandoverAgent } from '../../../src/core/handover/agents.ts'
import { claudeSession } from '../../rig/agent-hooks.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { flushedRecords, startWatching } from '../../rig/governed-repo.ts'
import { commitUnjudged, writeSession } from '../../rig/handover/handover-repo.ts'
import { renamed, SESSION, sessionIn } from '../../rig/handover/session-files.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { selectOrThrow } from '../../rig/selection.ts'

const OTHER = '2026-01-30_other'
const OTHER_NOTES = `.agents-work/${OTHER}/notes.md`
const TASKS = `.agents-work/${SESSION}/tasks.yaml`
const withTask = (status: string) => sessionIn('IMPLEMENT_LOOP', { tasks: it => (it[0]!['status'] = status) })

const template = fixture(async () => {
  const repo = await hookedRepo({ start: null })
  await repo.write('.orchestration/config.yaml', 'version: 1\nruns: { profile: "off" }\n')
  writeSession(repo, withTask('implemented'))
  writeSession(repo, renamed(withTask('implemented'), OTHER))
  await commitUnjudged(repo, 'sessions')
  return repo
})

/** Runs `write` as a command of an agent in a role, in a session that is named by it. */
async function writeAs(repo: Repo, role: HandoverAgent, write: () => unknown): Promise<void> {
  const session = `s-${role}`
  await selectOrThrow(repo, { session, handover: { role, session: SESSION } })
  const claude = claudeSession(repo, session)
  await claude.willRun('make')
  await write()
  await claude.hasRun('make').catch(() => {})
  await flushedRecords(repo)
  await repo.kotef('session', 'end', '--all')
}

/** The outcome of a commit of all that has changed, and the findings of verify about the same index. */
async function commitAll(repo: Repo) {
  await repo.git('add', '--all')
  const { json } = await runCli(repo, 'verify', '--staged')
  const { findings } = json as { findings: { rule: string; path: string; level: string }[] }
  const verified = findings.map(it => `${it.level} ${it.rule} ${it.path}`)
  const { code, stderr } = await repo.run('git', ['commit', '-qm', 'x', '-m', 'Intent-ID: INT-001'])
  return { code, stderr, verified }
}

const put = (repo: Repo, path: string, text: string) => () => repo.write(path, text)

test.each<[title: string, role: HandoverAgent, write: (repo: Repo) => () => unknown, path: string, why: string]>([
  [
    'source of an Orchestrator',
    'Orchestrator',
    repo => put(repo, 'src/a.ts', 'lead\n'),
    'src/a.ts',
    `a Orchestrator writes only below .agents-work/${SESSION}/`,
  ],
  [
    'the session of others',
    'Coder',
    repo => put(repo, OTHER_NOTES, 'mine\n'),
    OTHER_NOTES,
    `a Coder may only read the session ${OTHER}`,
  ],
  [
    'a task that a Coder completed',
    'Coder',
    repo => () => writeSession(repo, withTask('completed')),
    TASKS,
    'a Coder does not set T-001 to completed',
  ],
])('a commit and verify refuse %s', async (_, role, write, path, why) => {
  await using repo = await copyGoverned(template())
  await using _daemon = await startWatching(repo)
  await writeAs(repo, role, write(repo))
  const { code, stderr, verified } = await commitAll(repo)
  expect({ code, verified }).toEqual({ code: 1, verified: [`block handover-role ${path}`] })
  expect(stderr).toContain(`${path} was written by the ${role} of ${SESSION} (session s-${role})`)
  expect(stderr).toContain(why)
  // The way out that it names works.
  const [, command = ''] = /Unstage it: `(.*)`/.exec(stderr) ?? []
  await repo.write('src/b.ts', 'a person\n')
  await repo.run('sh', ['-c', `git add src/b.ts && ${command}`])
  expect(await repo.run('git', ['commit', '-qm', 'x', '-m', 'Intent-ID: INT-001'])).toMatchObject({ code: 0 })
})

test('what a Coder or a person writes in their place passes', async () => {
  await using repo = await copyGoverned(template())
  await using _daemon = await startWatching(repo)
  await writeAs(repo, 'Orchestrator', put(repo, 'src/a.ts', 'lead\n'))
  await writeAs(repo, 'QA', put(repo, 'src/b.ts', 'tested\n'))
  await writeAs(repo, 'Coder', put(repo, 'src/a.ts', 'code\n'))
  expect((await commitAll(repo)).verified).toEqual(['block handover-role src/b.ts'])
  await repo.write('src/b.ts', 'a person\n')
  await flushedRecords(repo)
  expect(await commitAll(repo)).toEqual({ code: 0, stderr: '', verified: [] })
})

test('lines of an Orchestrator stay its own below those of a Coder', async () => {
  await using repo = await copyGoverned(template())
  await using _daemon = await startWatching(repo)
  await writeAs(repo, 'Orchestrator', put(repo, 'src/a.ts', 'a\nlead\n'))
  await writeAs(repo, 'Coder', put(repo, 'src/a.ts', 'a\nlead\ncode\n'))
  expect(await commitAll(repo)).toMatchObject({ code: 1, verified: ['block handover-role src/a.ts'] })
  await writeAs(repo, 'Coder', put(repo, 'src/a.ts', 'a\ncode\n'))
  expect(await commitAll(repo)).toEqual({ code: 0, stderr: '', verified: [] })
})

test('the fast path is closed until such lines are gone, and opens again', async () => {
  await using repo = await copyGoverned(template())
  await using _daemon = await startWatching(repo)
  await selectOrThrow(repo, { session: 's-1', handover: { role: 'Orchestrator', session: SESSION } })
  await repo.kotef('doctor', '--fix')
  const active = join(repo.root, '.git/kotef/compiled/active')
  const before = existsSync(active)
  const claude = claudeSession(repo, 's-1')
  await claude.willRun('make')
  await repo.write('src/a.ts', 'lead\n')
  await claude.hasRun('make').catch(() => {})
  await flushedRecords(repo)
  expect([before, existsSync(active)]).toEqual([true, false])
  expect((await commitAll(repo)).code).toBe(1)
  expect((await repo.kotef('doctor')).stdout).toContain('src/a.ts has lines of a Orchestrator that are not committed')
  await repo.git('checkout', 'HEAD', '--', 'src/a.ts')
  await flushedRecords(repo)
  await repo.write('src/b.ts', 'a person\n')
  await flushedRecords(repo)
  expect(await commitAll(repo)).toEqual({ code: 0, stderr: '', verified: [] })
  await repo.kotef('doctor', '--fix')
  expect(existsSync(active)).toBe(true)
})

test('the rule is enforced as the config says', async () => {
  await using repo = await copyGoverned(template())
  await repo.write(
    '.orchestration/config.yaml',
    'version: 1\nruns: { profile: "off" }\nrules: { handover-role: warn }\n',
  )
  await commitUnjudged(repo, 'config')
  await using _daemon = await startWatching(repo)
  await writeAs(repo, 'Orchestrator', put(repo, 'src/a.ts', 'lead\n'))
  const { code, stderr, verified } = await commitAll(repo)
  expect({ code, verified }).toEqual({ code: 0, verified: ['warn handover-role src/a.ts'] })
  expect(stderr).toContain('src/a.ts was written by the Orchestrator')
})
