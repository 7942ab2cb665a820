import { expect, test } from 'vitest'
import { readLedger } from '../../../src/core/ledger/read-ledger.ts'
import { schemaFaults } from '../../../src/core/ledger/agent-trace.ts'
import type { TraceRecord } from '../../../src/core/ledger/record.ts'
import { openParser } from '../../../src/world/code/meaning/parser.ts'
import { classifyWorking } from '../../../src/world/provenance/classify-working.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { oidOf } from '../../rig/tree.ts'

const CHECK = 'export function check(u: User) {\n  return allow(u)\n}\n'
const DENY = CHECK.replace('allow', 'deny')
const WHY = 'line 2: “allow” is “deny” now; the name is not local'

test('the class of a committed change is shown wherever its commit is', async () => {
  await using repo = await governedRepo({ 'src/check.ts': CHECK, 'src/b.py': 'a = 1\n' }, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await repo.write('src/check.ts', DENY)
  await repo.write('src/b.py', 'a  =  1\n')
  await flushedWrites(repo)
  await repo.git('commit', '-qam', 'deny')
  await repo.kotef('finalise')
  const blamed = (await runCli(repo, 'blame', 'src/check.ts')).json as { lines: readonly object[] }
  const isKnown = blamed.lines.map(it => ('mutation_class' in it ? it.mutation_class : null))
  expect(isKnown).toEqual([null, 'INTENT_EVOLUTION', null])
  const why = await runCli(repo, 'why', 'src/check.ts:2')
  expect(why.text).toContain(`class    INTENT_EVOLUTION: ${WHY}\n`)
  expect(why.json).toMatchObject({ mutation_class: 'INTENT_EVOLUTION', evidence: WHY })
  const traced = await runCli(repo, 'trace', '--commit', 'HEAD')
  expect(traced.text).toContain(`src/check.ts  INTENT_EVOLUTION: ${WHY}\n        2-2  INT-001`)
  const classes = { INTENT_EVOLUTION: 1, FORMAT: 1 }
  for (const words of [['show', 'INT-001'], ['stats']]) {
    const { text, json } = await runCli(repo, ...words)
    expect(json).toMatchObject({ classes })
    expect(text).toMatch(/^ {2}class {3}INTENT_EVOLUTION +1 {2}file$/m)
  }
  const { stdout } = await repo.kotef('context', '--intent', 'INT-001')
  expect(stdout).toMatch(/<work [^>]*subject="deny" mutation_class="INTENT_EVOLUTION FORMAT">/)
})

test.each(['diff.autoRefreshIndex=true', 'diff.autoRefreshIndex=false', 'diff.external=false'])(
  '`kotef classify` names the files that have another content, with %s',
  async setting => {
    await using repo = await governedRepo({ 'src/check.ts': CHECK, 'src/old.ts': CHECK })
    await repo.play(`git config ${setting.replace('=', ' ')}; touch -d 2001-01-01 src/old.ts
      mkdir -p src/new; echo 'let b' >src/new/b.ts`)
    await repo.write('src/check.ts', DENY)
    const { files } = (await runCli(repo, 'classify')).json as { files: { path: string }[] }
    expect(files.map(it => it.path)).toEqual(['src/check.ts', 'src/new/b.ts'])
  },
)

test('without writes a daemon records the class of each uncommitted change, once for each content', async () => {
  await using repo = await governedRepo({ 'src/check.ts': CHECK }, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await repo.write('src/check.ts', DENY)
  await repo.write('src/words.txt', 'no language\n')
  await expect.poll(() => classified(repo), { interval: 200, timeout: 30_000 }).toHaveLength(1)
  const [record] = await classified(repo)
  expect(record?.metadata['dev.kotef']).toMatchObject({
    ...{ event: 'classified', path: 'src/check.ts', before: oidOf(CHECK), after: oidOf(DENY), intent: 'INT-001' },
    ...{ mutation_class: 'INTENT_EVOLUTION', evidence: WHY },
  })
  expect(schemaFaults(record)).toEqual([])
  await repo.kotef('finalise', '--working')
  expect(await classified(repo)).toHaveLength(1)
  expect(await flushedWrites(repo)).toHaveLength(2)
  expect((await runCli(repo, 'trace', '--file', 'src/check.ts')).text).toContain(
    `classified src/check.ts  INTENT_EVOLUTION: ${WHY}`,
  )
  expect((await repo.kotef('trace', 'export', '--format', 'csv')).stdout).toMatch(
    /,src\/check\.ts,modify,2,2,.*,INT-001,.*,INTENT_EVOLUTION$/m,
  )
  expect((await repo.kotef('trace', 'verify')).code).toBe(0)
  expect((await runCli(repo, 'status')).json).toMatchObject({ untraced: [] })
  expect((await repo.kotef('context', '--intent', 'INT-001')).stdout).toContain('mutation_class="INTENT_EVOLUTION"')
})

test('a change that nobody recorded has no class, and a parser that does not answer leaves it unknown', async () => {
  await using repo = await governedRepo({ 'src/check.ts': CHECK }, { agent: 'aider' })
  const workspace = await openWorkspace(repo.root)
  await repo.write('src/check.ts', DENY)
  using gone = openParser({ program: '/dev/null/no-parser' })
  expect(await classifyWorking(workspace, { parser: gone })).toBe(0)
  await using _daemon = await startWatching(repo)
  await flushedWrites(repo)
  expect(await classifyWorking(workspace, { parser: gone })).toBe(1)
  expect(await classifyWorking(workspace, { parser: gone })).toBe(0)
  const own = (await classified(repo)).map(it => it.metadata['dev.kotef'])
  expect(own).toMatchObject([{ mutation_class: 'UNKNOWN', evidence: 'the parser failed' }])
})

async function classified(repo: Repo): Promise<TraceRecord[]> {
  const { entries } = readLedger(await repo.read('.orchestration/agent_trace.jsonl'))
  return entries.map(it => it.record).filter(it => it.metadata['dev.kotef'].event === 'classified')
}
