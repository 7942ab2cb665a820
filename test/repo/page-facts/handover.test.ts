import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gatherHandover, gatherHandovers } from '../../../src/shells/ui/facts/gather-handover.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { commitUnjudged, writeSession } from '../../rig/handover/handover-repo.ts'
import { pending, renamed, SESSION, sessionIn } from '../../rig/handover/session-files.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { countsIn, lengthOfList, pageAt } from '../../rig/ui-pages.ts'

const OTHER = '2026-01-30_other'

const template = fixture(async () => {
  const repo = await hookedRepo()
  const status = (it: Record<string, unknown> & { user_decisions: unknown[] }) => {
    it['retry_counts'] = { 'T-001': { FIX_TESTS: 2 } }
    it.user_decisions.push(pending(7))
  }
  writeSession(repo, sessionIn('IMPLEMENT_LOOP', { status, tasks: it => (it[0].status = 'implemented') }))
  writeSession(repo, renamed(sessionIn('DONE'), OTHER))
  await commitUnjudged(repo, 'sessions')
  return repo
})

describe('the pages of the handover', () => {
  test.each([SESSION, OTHER])('%s: the state is that of kotef handover status', async session => {
    const { json } = await runCli(template(), 'handover', 'status', '--session', session)
    const facts = await gatherHandover(await openWorkspace(template().root), session)
    expect(JSON.parse(JSON.stringify(facts?.status))).toEqual(json)
  })

  test('the list has each session, the newest first, and each number leads to its list', async () => {
    const workspace = await openWorkspace(template().root)
    const { sessions } = await gatherHandovers(workspace)
    expect(sessions.map(it => [it.session, it.state, it.tasks, it.completed, it.pending])).toEqual([
      [SESSION, 'IMPLEMENT_LOOP', 1, 0, 1],
      [OTHER, 'DONE', 1, 1, 0],
    ])
    const counts = countsIn((await pageAt(workspace, 'handover')) ?? '')
    expect(counts).toHaveLength(10)
    for (const { n, href } of counts) expect([href, await lengthOfList(workspace, href)]).toEqual([href, n])
  })

  test('a session has the ways on with what they need, its questions, and its history', async () => {
    const facts = await gatherHandover(await openWorkspace(template().root), SESSION)
    expect(facts?.ways).toContainEqual({ to: 'INTEGRATE', needs: 'every task completed' })
    expect(facts?.ways).toContainEqual({ to: 'FIX_TESTS', needs: null })
    expect(facts?.ways).toContainEqual({ to: 'FIX_REVIEW', needs: 'a retry that is counted for FIX_REVIEW' })
    expect(facts?.status.tasks[0]?.gates).toEqual(['Coder', 'Reviewer', 'QA'].map(it => `${it}: nothing submitted`))
    expect(facts?.decisions.find(it => it.status === 'pending')).toMatchObject({ id: 'UD-7' })
    expect(facts?.history.map(it => it.what)).toEqual(expect.arrayContaining(['asked', 'answered', 'committed']))
    const times = (facts?.history ?? []).map(it => Date.parse(it.at))
    expect(times).toEqual([...times].sort((one, other) => other - one))
  })

  test('a session that waits for the user goes on after the answer, where it was', async () => {
    await using repo = await copyGoverned(template())
    const status = (it: Record<string, unknown> & { user_decisions: unknown[] }) => {
      it['current_state'] = 'ASK_USER'
      it.user_decisions.push(pending(7, { state_context: 'IMPLEMENT_LOOP' }))
    }
    writeSession(repo, sessionIn('IMPLEMENT_LOOP', { status }))
    const facts = await gatherHandover(await openWorkspace(repo.root), SESSION)
    expect(facts?.ways).toEqual([{ to: 'IMPLEMENT_LOOP', needs: 'the answer to UD-7' }])
  })

  test('a session whose files are damaged, and a folder with any name, have a page', async () => {
    await using repo = await copyGoverned(template())
    const name = '<script>\u001b[2J'
    mkdirSync(join(repo.root, '.agents-work', name))
    await repo.write(`.agents-work/${SESSION}/status.json`, '{"current_state": <script>alert(1)</script>')
    const workspace = await openWorkspace(repo.root)
    for (const it of [SESSION, name]) {
      const html = (await pageAt(workspace, `handover/${encodeURIComponent(it)}`)) ?? ''
      expect(html).toContain('The state is unknown')
      expect(html).not.toContain('<script>')
      expect(html).not.toContain('\u001b')
    }
    expect(await pageAt(workspace, 'handover')).not.toContain('<script>')
  })

  test.each(['none', '..', '.', '../../src', ''])('there is no session %j', async name => {
    expect(await gatherHandover(await openWorkspace(template().root), name)).toBeNull()
  })
})
