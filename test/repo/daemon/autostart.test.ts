import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { idleEnd } from '../../../src/shells/daemon/idle-end.ts'
import { disk } from '../../../src/world/io/files/files.ts'
import { readDaemonAddress } from '../../../src/world/io/daemon-client/ask-daemon.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { manualClock } from '../../rig/manual-clock.ts'
import type { Repo } from '../../rig/repo.ts'

const template = fixture(hookedRepo)

// The rig's environment says no to every test.
const ON = { KOTEF_AUTOSTART: '', NO: 'env KOTEF_AUTOSTART=0' }

async function pidOf(repo: Repo): Promise<number | undefined> {
  return (await readDaemonAddress(await openWorkspace(repo.root)))?.pid
}

const isWatched = (repo: Repo) => vi.waitFor(async () => expect(await pidOf(repo)).toBeGreaterThan(0), 30_000)

const own = (repo: Repo, name: string) => join(repo.root, '.git/kotef', name)

describe.concurrent('the watcher starts itself', () => {
  test('with `kotef intent start`, which says so once (solo B3)', async () => {
    await using repo = await copyGoverned(template())
    const first = await repo.run('kotef', ['intent', 'start', 'INT-002'], { env: ON })
    // The session does not wait for long until it is ready.
    await isWatched(repo)
    const pid = await pidOf(repo)
    expect(first.stdout).toContain(`kotef's watcher started (pid ${pid}); it ends after an hour without work`)
    expect((await repo.run('kotef', ['intent', 'start', 'INT-001'], { env: ON })).stdout).not.toContain('watcher')
    expect([await pidOf(repo), (await repo.kotef('flush')).code]).toEqual([pid, 0])
  })

  test.each([
    ['a session of an agent', `echo '{"hook_event_name":"SessionStart","session_id":"s-1"}' | kotef agent-hook claude`],
    ['a selection', 'kotef select INT-002 --session s-1'],
  ])('with %s', async (_, command) => {
    await using repo = await copyGoverned(template())
    expect(await repo.play(command, ON)).toMatchObject({ code: 0 })
    await isWatched(repo)
  })

  test.each([
    ['commit', 'git commit -q --allow-empty -m w'],
    ['checkout', 'git switch -qc other'],
    ['merge', 'git branch other; $NO git commit -qm w --allow-empty; $NO git switch -q other; git merge -q main'],
    ['rewrite', 'rm .git/hooks/post-commit; git commit -q --amend -m v --allow-empty'],
  ])('with a %s, whose pipe it does not keep open', async (_, commands) => {
    await using repo = await copyGoverned(template())
    const { stdout } = await repo.play(`{ ${commands}; } 2>&1 | cat; echo over`, ON)
    expect(stdout).toBe('kotef: no watcher was running; starting it in the background.\nover\n')
    await isWatched(repo)
    expect((await repo.play('rm .git/kotef/autostart; git commit -q --allow-empty -m w', ON)).stderr).toBe('')
    expect(existsSync(own(repo, 'autostart'))).toBe(false)
  })
})

test('while it starts, the status says so, unless a person has stopped it', async () => {
  await using repo = await copyGoverned(template())
  const starting = async (script: string) => {
    await repo.play(script)
    return (JSON.parse((await repo.kotef('status', '--json')).stdout) as { daemon: object }).daemon
  }
  expect([
    await starting(': >.git/kotef/autostart'),
    await starting("touch -d '1 minute ago' .git/kotef/autostart"),
    await starting(': >.git/kotef/autostart; : >.git/kotef/watch-stopped'),
  ]).toEqual([true, false, false].map(it => ({ running: false, starting: it })))
})

test('a commit starts it again when it has died, and once only (bugs F15)', async () => {
  await using repo = await copyGoverned(template())
  await repo.run('kotef', ['intent', 'start', 'INT-002'], { env: ON })
  const dieAndCommit = async () => {
    const pid = await pidOf(repo)
    await repo.play(`kill -9 ${pid}`)
    const { stdout } = await repo.play('git commit -q --allow-empty -m w; cat .git/kotef/autostart', ON)
    return { pid, stdout }
  }
  await isWatched(repo)
  const { pid, stdout } = await dieAndCommit()
  expect(stdout).toBe('1')
  const isAnother = async () => expect([undefined, pid]).not.toContain(await pidOf(repo))
  await vi.waitFor(isAnother, 30_000)
  await dieAndCommit()
  const { daemon } = JSON.parse((await repo.kotef('status', '--json')).stdout) as { daemon: object }
  expect(daemon).toEqual({ running: false, starting: false })
})

describe.concurrent('no commit starts it', () => {
  test.each([
    ['where a person has stopped it', 'kotef watch --detach; kotef watch --stop', ON],
    ['in a pipeline', '', { ...ON, CI: 'true' }],
    ['where the environment says no', '', { KOTEF_AUTOSTART: '0' }],
    ['without kotef', '', { ...ON, KOTEF: '0' }],
    ['on a branch without a registry', 'git rm -rq --cached .orchestration; rm -r .orchestration', ON],
  ])('%s', async (_, before, env) => {
    await using repo = await copyGoverned(template())
    await repo.play(before)
    expect((await repo.play('git -c core.hooksPath=.git/hooks commit -qn --allow-empty -m w', env)).stderr).toBe('')
    expect(existsSync(own(repo, 'autostart'))).toBe(false)
  })

  test.each([
    ['that was tried a moment before', ': >.git/kotef/autostart'],
    ['where kotef can write nothing', "mkdir .git/kotef/autostart; touch -d '1 hour ago' .git/kotef/autostart"],
  ])('%s', async (_, before) => {
    await using repo = await copyGoverned(template())
    await repo.play(`mkdir bin; printf '#!/bin/sh\\n: >"$0.ran"\\n' >.git/kotef/agent; ${before}`)
    expect((await repo.play('git commit -q --allow-empty -m w', ON)).stderr).toBe('')
    expect(existsSync(own(repo, 'agent.ran'))).toBe(false)
  })

  test('that config forbids', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('.orchestration/config.yaml', 'watch: { autostart: false }\n')
    const { stdout } = await repo.run('kotef', ['watch', '--auto', '--json'], { env: ON })
    expect([JSON.parse(stdout), await pidOf(repo)]).toEqual([{ running: false }, undefined])
  })
})

test('the next session starts what a person had stopped, and `kotef-watch` takes its place', async () => {
  await using repo = await copyGoverned(template())
  await repo.play('kotef watch --detach; kotef watch --stop')
  await repo.run('kotef', ['intent', 'start', 'INT-002'], { env: ON })
  const pid = await pidOf(repo)
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  expect([pid, await pidOf(repo)]).toEqual([expect.any(Number), daemon.pid])
  expect(await repo.kotef('uninit')).toMatchObject({
    stdout: expect.stringContaining(`Stopped the daemon (pid ${daemon.pid})`),
  })
})

test('a daemon that started itself ends when nobody uses it', async () => {
  await using repo = await hookedRepo({ start: null })
  await using daemon = repo.start('kotef', ['watch', '--json', '--quiet', '--idle', '500'])
  expect(await daemon.ended).toEqual({ code: 0, signal: null })
  expect(await repo.read('.orchestration/agent_trace.jsonl')).toContain('"daemon-stopped"')
})

test('it goes on while a session is live, until that was silent for hours', async () => {
  await using repo = await copyGoverned(template())
  let looks = 0
  const files = { ...disk, list: (path: string) => (looks++, disk.list(path)) }
  const clock = manualClock(Date.now())
  const workspace = await openWorkspace(repo.root, { files, clock })
  const end = vi.fn()
  using _idle = idleEnd(workspace, { idleMs: 20, config: { claims_ttl_minutes: 240 }, isInUse: () => false, end })
  clock.advance(20)
  await expect.poll(() => looks).toBeGreaterThan(0)
  expect(end).not.toHaveBeenCalled()
  clock.advance(241 * 60_000)
  await expect.poll(() => end.mock.calls.length).toBeGreaterThan(0)
})
