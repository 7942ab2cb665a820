import { describe, expect, test } from 'vitest'
import { appendRecords } from '../../../src/world/ledger/append-records.ts'
import { gatherRange, gatherRanges } from '../../../src/shells/ui/facts/gather-range.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { playOrThrow } from '../../rig/judged-repo.ts'
import { manualClock } from '../../rig/manual-clock.ts'
import { noteCommits } from '../../rig/noted-commits.ts'
import { recordAgentWrite } from '../../rig/recorded-write.ts'
import { countsIn, lengthOfList, pageAt } from '../../rig/ui-pages.ts'
import { bypass } from '../../rig/verify-findings.ts'

const FOR_1 = 'Intent-ID: INT-001'

// `work` has lines of an agent in a commit with a note, lines of nobody known, a file out of scope, and a merge.
const template = fixture(async () => {
  const repo = await hookedRepo()
  await playOrThrow(repo, 'git config core.hooksPath /dev/null; git switch -qc work')
  const before = await repo.read('src/a.ts')
  await recordAgentWrite(repo, 'src/a.ts', { before, added: 'one\ntwo\n' })
  await repo.write('src/a.ts', `${before}one\ntwo\n`)
  await playOrThrow(repo, `echo x >>src/b.ts; ${bypass('by an agent', FOR_1)}`)
  await noteCommits(repo, [(await repo.git('rev-parse', 'HEAD')).trim()])
  await playOrThrow(repo, `seq 3 >>src/b.ts; echo x >>lib/x.ts; ${bypass('<script>alert(1)</script>', FOR_1)}`)
  await playOrThrow(repo, `echo '# x' >>.orchestration/active_intents.yaml; ${bypass('policy', 'Governance: why')}`)
  await playOrThrow(
    repo,
    `git switch -qc side HEAD~2; seq 2 >src/side.ts; ${bypass('side', FOR_1)}
    git switch -q work; git merge -q --no-ff -m 'Merge side' side`,
  )
  return repo
})

describe('the page of a range', () => {
  test.each(['main..work', 'main...work', 'work^!', 'work~1^!', 'work~2^!'])('%s: as kotef report', async range => {
    const { json } = await runCli(template(), 'report', range, '--format', 'json')
    const facts = await gatherRange(await openWorkspace(template().root), range, null)
    expect(facts?.review.value?.review).toEqual(json)
  })

  test('has the findings in the ledger, also when it was changed since', async () => {
    await using repo = await copyGoverned(template())
    const clock = manualClock()
    const workspace = await openWorkspace(repo.root, { clock })
    for (const line of [1, 0]) {
      const path = '.orchestration/agent_trace.jsonl'
      const lines = (await repo.read(path)).split('\n')
      await repo.write(path, lines.map((it, n) => (n === line ? it.replace('"seq"', '"Seq"') : it)).join('\n') + '{}\n')
      const { json } = await runCli(repo, 'report', 'main..work', '--format', 'json')
      const facts = await gatherRange(workspace, 'main..work', null)
      expect(facts?.review.value?.review).toEqual(json)
      expect(facts?.review.value?.review.findings.map(it => it.rule)).toContain('ledger-damaged')
      clock.advance(61_000)
    }
  })

  test.each([
    ['main..work', 4],
    ['work~2^!', 2],
    ['work~3^!', 2],
  ])('%s: each number leads to a list of that length', async (range, atLeast) => {
    const workspace = await openWorkspace(template().root)
    const counts = countsIn((await pageAt(workspace, `ranges/${encodeURIComponent(range)}`)) ?? '')
    expect(counts.length).toBeGreaterThanOrEqual(atLeast)
    for (const { n, href } of counts) expect([href, await lengthOfList(workspace, href)]).toEqual([href, n])
  })

  test('a merge alone is one commit, and the first commit of a history has a page as well', async () => {
    const workspace = await openWorkspace(template().root)
    const merge = await gatherRange(workspace, 'work^!', null)
    expect(merge?.review.value?.review.commits.map(it => it.subject)).toEqual(['Merge side'])
    expect(merge?.commit).toMatchObject({ subject: 'Merge side' })
    const root = (await template().git('rev-list', '--max-parents=0', 'work')).trim()
    const first = await gatherRange(workspace, `${root}^!`, null)
    expect(first?.commit?.oid).toBe(root)
    expect(first?.review.failure).toBeNull()
  })

  test.each(['nothing..work', '--output=x', 'a\nb', '', '^!', '<script>..work', `${'f'.repeat(40)}^!`])(
    'nothing is at %j',
    async range => {
      const workspace = await openWorkspace(template().root)
      expect(await gatherRange(workspace, range, null)).toBeNull()
    },
  )

  test('is judged once for its commits and notes, and again when the ledger has grown for a minute', async () => {
    await using repo = await copyGoverned(template())
    const clock = manualClock()
    const workspace = await openWorkspace(repo.root, { clock })
    const judgedAt = async () => (await gatherRange(workspace, 'main..work', null))?.review.value?.judgedAt
    const first = await judgedAt()
    await appendRecords(workspace, [{ event: { event: 'intent-added', intent: 'INT-009' } }])
    clock.advance(1_000)
    expect(await judgedAt()).toBe(first)
    clock.advance(60_000)
    expect(await judgedAt()).toBe((first ?? 0) + 61_000)
    await noteCommits(repo, [(await repo.git('rev-parse', 'work~1')).trim()])
    clock.advance(1_000)
    expect(await judgedAt()).toBe((first ?? 0) + 62_000)
  })
})

describe('the list of commits', () => {
  test('has the commits of HEAD, newest first, with the pages of each', async () => {
    const workspace = await openWorkspace(template().root)
    const { commits, total } = await gatherRanges(workspace, new URLSearchParams(), null)
    const logged = (await template().git('log', '--format=%H')).trim().split('\n')
    expect([commits.map(it => it.oid), total]).toEqual([logged, logged.length])
    const last = await gatherRanges(workspace, new URLSearchParams({ from: String(total - 1) }), null)
    expect(last.commits.map(it => it.oid)).toEqual(logged.slice(-1))
  })

  test('leads to what is not merged yet, and takes a range from its form', async () => {
    const workspace = await openWorkspace(template().root)
    const html = (await pageAt(workspace, 'ranges')) ?? ''
    const [, href = ''] = /Not merged yet: <a href="([^"]*)"/.exec(html) ?? []
    const main = (await template().git('rev-parse', 'main')).trim()
    expect(decodeURIComponent(href)).toBe(`ranges/${main.slice(0, 10)}..HEAD`)
    expect(await pageAt(workspace, 'ranges?range=main..work')).toBe(await pageAt(workspace, 'ranges/main..work'))
  })
})
