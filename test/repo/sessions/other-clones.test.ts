import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { claimsElsewhere } from '../../../src/world/intents/sessions/other-clones.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { manualClock } from '../../rig/manual-clock.ts'
import type { Repo } from '../../rig/repo.ts'

// A person holds INT-001 here; the remote is ../origin.git, and ../clone is another clone of it.
const template = fixture(hookedRepo)

const SHARE = `git init -q --bare -b main ../origin.git
  git remote add origin ../origin.git; git push -q --no-verify origin main
  kotef sync >/dev/null; git clone -q ../origin.git ../clone; cd ../clone`
const ON_REMOTE = 'git --git-dir=../origin.git for-each-ref --format="%(refname)" refs/kotef'

const inClone = (repo: Repo, ...words: string[]) => repo.run('kotef', words, { cwd: join(repo.base, 'clone') })

describe.concurrent('claims of other clones', () => {
  test('are shown after a sync, and stop nobody (team A6)', async () => {
    await using repo = await copyGoverned(template())
    expect(await repo.play(`${SHARE}; kotef sync`)).toMatchObject({
      stdout: 'origin: notes are up to date\nOther clones hold 1 claim: `kotef intent list`\n',
      stderr: '',
    })
    const held = /INT-001 is held in another clone: a person on \S+, since .*/
    expect((await inClone(repo, 'intent', 'list')).stdout).toMatch(held)
    expect((await inClone(repo, 'status')).stdout).toMatch(held)
    expect(await inClone(repo, 'intent', 'start', 'INT-001')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ {2}It is also held in another clone: a person on /m),
    })
    expect(await inClone(repo, 'select', 'INT-001', '--session', 's-1')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^INT-001 is also held in another clone: a person on /),
    })
    const later = manualClock(Date.now() + 241 * 60_000)
    const workspace = await openWorkspace(join(repo.base, 'clone'), { clock: later })
    expect(await claimsElsewhere(workspace, { claims_ttl_minutes: 240 })).toEqual([])
    const { intents } = JSON.parse((await repo.kotef('intent', 'list', '--json')).stdout)
    expect(intents[0].elsewhere).toEqual([]) // Its own claim is none of another clone.
  })

  test('say nothing of paths and processes', async () => {
    await using repo = await copyGoverned(template())
    await repo.play(SHARE)
    const [ref = ''] = (await repo.git('ls-remote', 'origin', 'refs/kotef/clones/*')).split('\t')
    const shared = JSON.parse(await repo.git('cat-file', 'blob', ref))
    expect(Object.keys(shared)).toEqual(['session', 'agent', 'host', 'claimedAt', 'heartbeatAt'])
  })

  test('are gone with the next sync after their session has ended', async () => {
    await using repo = await copyGoverned(template())
    await repo.play(`${SHARE}; kotef sync`)
    await repo.play('kotef session end --all; kotef sync')
    expect((await repo.play(ON_REMOTE)).stdout).toBe('')
    await inClone(repo, 'sync')
    expect((await inClone(repo, 'intent', 'list')).stdout).not.toContain('another clone')
  })

  test('that have expired are not shown, and whoever finds them removes them', async () => {
    await using repo = await copyGoverned(template())
    const old = '2026-01-01T00:00:00.000Z'
    const claim = JSON.stringify({ session: 's', agent: 'x', host: 'h', claimedAt: old, heartbeatAt: old })
    const commands = `kotef session end --all; ${SHARE}; git --git-dir=../origin.git update-ref \\
      refs/kotef/clones/other/claims/INT-002 $(printf '%s' "$CLAIM" |
      git --git-dir=../origin.git hash-object -w --stdin)
      ${ON_REMOTE}; kotef sync; ${ON_REMOTE}; git for-each-ref refs/kotef/elsewhere`
    const { stdout } = await repo.play(commands, { CLAIM: claim })
    expect(stdout).toMatch(/refs\/kotef\/clones\/other\/claims\/INT-002\norigin: notes are up to date\n$/)
  })

  test('that a server takes none of leave the notes synced', async () => {
    await using repo = await copyGoverned(template())
    await repo.play(SHARE)
    await repo.write('../origin.git/hooks/update', '#!/bin/sh\ncase $1 in refs/kotef/*) exit 1 ;; esac\n', 0o755)
    await repo.kotef('intent', 'start', 'INT-002')
    const { code, stdout } = await repo.kotef('sync')
    expect([code, stdout]).toEqual([0, expect.stringContaining('\nClaims were not shared: ')])
  })
})
