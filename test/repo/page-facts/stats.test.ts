import { beforeAll, describe, expect, test } from 'vitest'
import { appendRecords } from '../../../src/world/ledger/append-records.ts'
import { noteRefusals } from '../../../src/world/lessons/refusals.ts'
import { gatherLines } from '../../../src/shells/ui/facts/gather-lines.ts'
import { gatherStats } from '../../../src/shells/ui/facts/gather-stats.ts'
import { openWorkspace, type Workspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { playOrThrow } from '../../rig/judged-repo.ts'
import { noteCommits } from '../../rig/noted-commits.ts'
import { recordAgentWrite } from '../../rig/recorded-write.ts'
import type { Repo } from '../../rig/repo.ts'
import { countsIn, lengthOfList, pageAt } from '../../rig/ui-pages.ts'
import { bypass } from '../../rig/verify-findings.ts'

const FOR_1 = 'Intent-ID: INT-001'

async function agentWrites(repo: Repo, path: string, added: string): Promise<void> {
  const before = await repo.read(path)
  await recordAgentWrite(repo, path, { before, added })
  await repo.write(path, before + added)
  await playOrThrow(repo, bypass('by an agent', FOR_1))
}

const on = (day: string) => `export GIT_COMMITTER_DATE=${day}T12:00:00Z`
const violation = (rule: string, intent: string) =>
  ({ event: { event: 'violation', rule, path: 'lib/x', intent, message: 'bad' } }) as const

// Lines of an agent and of nobody known, for two intents and for none, on several days; some are gone, some have moved.
const template = fixture(async () => {
  const repo = await hookedRepo()
  await playOrThrow(repo, 'git config core.hooksPath /dev/null')
  await agentWrites(repo, 'src/a.ts', 'one\ntwo\nthree\n')
  await playOrThrow(
    repo,
    `${on('2030-01-01')}; seq 5 >src/many.ts; mkdir 'src/<b>'; seq 2 >'src/<b>/x'
    ${bypass('many', FOR_1)}`,
  )
  await noteCommits(repo, (await repo.git('rev-parse', 'HEAD', 'HEAD~1')).trim().split('\n'))
  await playOrThrow(
    repo,
    `${on('2030-01-02')}; sed -i '/two/d' src/a.ts; echo end >>src/many.ts; ${bypass('less', FOR_1)}`,
  )
  await playOrThrow(
    repo,
    `${on('2030-01-02')}; git mv src/many.ts src/moved.ts; echo 7 >>src/moved.ts
    ${bypass('move', 'Intent-ID: INT-002')}`,
  )
  await playOrThrow(repo, `${on('2030-01-09')}; seq 250 >src/long.ts; ${bypass('long')}`)
  await playOrThrow(
    repo,
    `${on('2030-01-09')}; echo '# more' >>.orchestration/active_intents.yaml; ${bypass('policy', 'Governance: why')}`,
  )
  const workspace = await openWorkspace(repo.root)
  const requested = {
    event: 'requested',
    session: 's',
    intent: 'INT-001',
    kind: 'scope',
    wants: ['a'],
    reason: 'r',
  } as const
  const drafts = [
    violation('in-scope', 'INT-001'),
    violation('in-scope', 'INT-002'),
    violation('path-forbidden', 'INT-001'),
  ]
  await appendRecords(workspace, [...drafts, { event: requested }])
  await noteRefusals(workspace, 's/1', { agent: 'claude', refused: [{ code: 'scope-violation', path: 'lib/x' }] })
  return repo
})

const nothing = new URLSearchParams()
let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace(template().root)
})

describe('the page of statistics', () => {
  test.each([[[]], [['--since', '2030-01-02']]])('has the figures of kotef stats %j', async words => {
    await using repo = await copyGoverned(template())
    const copy = await openWorkspace(repo.root)
    const query = new URLSearchParams(words.length === 0 ? {} : { since: '2030-01-02' })
    const { lines } = await gatherStats(copy, query, null)
    // It writes the notes that are missing, so it comes second.
    const { json, text } = await runCli(repo, 'stats', ...words)
    const stats = json as Record<string, number> & Record<string, Record<string, number>>
    if (!lines.value) throw new Error('no lines')
    const { total, intents, models, people, commits, older, governance, classes } = lines.value
    const named = (all: readonly { name: string | null; lines: number }[], none: string) =>
      Object.fromEntries(all.map(it => [it.name ?? none, it.lines]))
    expect({ lines: total.lines, commits: commits + older, recorded: commits, governance }).toEqual({
      ...{ lines: stats['lines'], commits: stats['commits'], recorded: stats['recorded'] },
      governance: stats['governance'],
    })
    const [, counted] = /added by (\d+) commits?/.exec(text) ?? []
    const [, before] = /(\d+) from before kotef was set up/.exec(text) ?? []
    const [, ofGovernance] = /(\d+) of governance/.exec(text) ?? []
    expect([counted, before, ofGovernance].map(it => Number(it ?? 0))).toEqual([commits, older, governance])
    expect(named(intents, 'none')).toEqual(stats['intents'])
    expect(named(models, 'unknown')).toEqual(stats['models'])
    expect(named(people, '')).toEqual(stats['people'])
    const { ai, human, mixed, unknown } = total
    const kinds = Object.entries({ ai, human, mixed, unknown }).filter(([, n]) => n > 0)
    expect(Object.fromEntries(kinds)).toEqual(stats['types'])
    expect(Object.fromEntries(classes.map(it => [it.name, it.changes]))).toEqual(stats['classes'])
  })

  test('counts as alive the lines that HEAD has, as kotef show does', async () => {
    await using repo = await copyGoverned(template())
    const { lines } = await gatherStats(await openWorkspace(repo.root), nothing, null)
    const { json } = await runCli(repo, 'show', 'INT-001')
    const { files } = json as { files: { added: number; alive: number; path: string }[] }
    const sum = (kind: 'added' | 'alive') => files.reduce((all, it) => all + it[kind], 0)
    const own = lines.value?.intents.find(it => it.name === 'INT-001')
    expect([own?.lines, own?.alive]).toEqual([sum('added'), sum('alive')])
    expect(files).toContainEqual({ path: 'src/moved.ts', added: 0, alive: 6 })
  })

  test.each(['stats', 'stats?since=2030-01-02', 'stats?intent=INT-001', 'stats?intent=INT-001&since=2030-01-02'])(
    '%s: each number leads to a list of that length',
    async address => {
      const counts = countsIn((await pageAt(workspace, address)) ?? '')
      expect(counts.length).toBeGreaterThan(10)
      for (const { n, href } of counts) expect([href, await lengthOfList(workspace, href)]).toEqual([href, n])
    },
  )

  test('says what the ledger has of violations and requests, and what was refused before it happened', async () => {
    const { violations, refused } = await gatherStats(workspace, new URLSearchParams({ intent: 'INT-001' }), null)
    expect(violations.value).toMatchObject({
      ...{ violations: 2, requested: 1, granted: 0, rejected: 0, refused: 0 },
      rules: [
        { rule: 'in-scope', count: 1 },
        { rule: 'path-forbidden', count: 1 },
      ],
    })
    expect(refused).toEqual([{ session: 's/1', agent: 'claude', code: 'scope-violation', path: 'lib/x' }])
  })

  test('a line of a list has its text, and one that HEAD has its place there', async () => {
    const query = new URLSearchParams({ intent: 'INT-001', author: 'ai', alive: 'yes' })
    const { lines } = await gatherLines(workspace, query, null)
    expect(lines.map(it => [it.text, it.now?.path, it.now?.line])).toEqual([
      ['one', 'src/a.ts', expect.any(Number)],
      ['three', 'src/a.ts', expect.any(Number)],
    ])
    const moved = await gatherLines(
      workspace,
      new URLSearchParams({ intent: 'INT-001', alive: 'yes', author: 'unknown' }),
      null,
    )
    expect(moved.lines.map(it => it.now?.path)).toContain('src/moved.ts')
  })

  test('follows new commits, notes and records, and reads what has not changed once', async () => {
    await using repo = await copyGoverned(template())
    const copy = await openWorkspace(repo.root)
    const before = await gatherStats(copy, nothing, null)
    await playOrThrow(
      repo,
      `git config core.hooksPath /dev/null; sed -i '/3/d' src/moved.ts; echo new >>src/a.ts; ${bypass('more', FOR_1)}`,
    )
    await noteCommits(repo, (await repo.git('log', '--format=%H')).trim().split('\n').slice(0, 3))
    await appendRecords(copy, [violation('in-scope', 'INT-001')])
    const after = await gatherStats(copy, nothing, null)
    const fresh = await openWorkspace(repo.root)
    expect(after).toEqual(await gatherStats(fresh, nothing, null))
    const withoutNote = async (it: Workspace) =>
      (await gatherLines(it, new URLSearchParams({ note: 'no' }), null)).total
    expect(await withoutNote(copy)).toBe(await withoutNote(fresh))
    expect(after.lines.value?.total.lines).toBe((before.lines.value?.total.lines ?? 0) + 1)
    expect(after.violations.value?.violations).toBe(4)
  })

  test('a page that nobody waits for says what is being counted', async () => {
    const fresh = await openWorkspace(template().root)
    const { lines, violations } = await gatherStats(fresh, nothing, Promise.resolve())
    expect([lines.value, lines.isCurrent, violations.isCurrent]).toEqual([null, false, false])
    await gatherStats(fresh, nothing, null)
  })

  test('a time that is not understood is said', async () => {
    const { filter } = await gatherStats(workspace, new URLSearchParams({ since: '<script>' }), null)
    expect(filter).toMatchObject({ since: null, problem: expect.stringContaining('since') })
  })

  test('without a commit there is nothing to count', async () => {
    await using repo = await copyGoverned(template())
    await repo.git('switch', '--quiet', '--orphan', 'empty')
    const { lines } = await gatherStats(await openWorkspace(repo.root), nothing, null)
    expect([lines.value, lines.isCurrent]).toEqual([null, true])
  })
})
