import { expect, test } from 'vitest'
import type { Git } from '../../../src/io/git/git.ts'
import { openBlobs } from '../../../src/io/git/blobs.ts'
import { loadHasher } from '../../../src/io/files/hasher.ts'
import { Recorder } from '../../../src/daemon/recorder.ts'
import { evidenceNow, followGit } from '../../../src/git-evidence/git-evidence.ts'
import { freshState, refreshIndex } from '../../../src/observation/worktree-state.ts'
import { readHead } from '../../../src/worktree/head.ts'
import { observe } from '../../../src/observation/observe.ts'
import { loadPolicy } from '../../../src/policy/load-policy.ts'
import { openWorkspace } from '../../../src/worktree/workspace.ts'
import type { TraceRecord } from '../../../src/ledger/record.ts'
import { governedRepo } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

test.each([
  ['mv', 'src/a.ts'],
  ['mv', 'src/b.ts'],
  ['git mv', 'src/a.ts'],
  ['git mv', 'src/b.ts'],
])('a %s of which only %s is noticed names both ends', async (how, noticed) => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\nb\n' })
  await using observer = await startObserver(repo)
  await repo.run('sh', ['-c', `${how} src/a.ts src/b.ts`])
  expect(await observer.look([noticed])).toEqual({ told: [['rename', 'src/a.ts', 'src/b.ts']], torn: [] })
})

test('an end of a move waits while git changes the index, and is no file of its own meanwhile', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\nb\n' })
  const add = () => repo.git('add', '-A')
  await using observer = await startObserver(repo, { whenOthersAreSought: add })
  await repo.run('sh', ['-c', 'mv src/a.ts src/b.ts; echo c >>src/b.ts'])
  expect(await observer.look(['src/a.ts'])).toEqual({ told: [], torn: ['src/a.ts'] })
  expect(await observer.look(['src/a.ts'])).toEqual({ told: [['rename', 'src/a.ts', 'src/b.ts']], torn: [] })
})

test.each(['src/a.ts', 'src/b.ts'])(
  'a move is one record when a scan found %s, and an event the other end',
  async scanned => {
    await using repo = await governedRepo({ 'src/a.ts': 'a\nb\n' })
    await using observer = await startObserver(repo)
    const recorded: TraceRecord[] = []
    const failed: unknown[] = []
    using recorder = new Recorder(observer.context, {
      patience: { quietMs: 1, waitMsMax: 60_000 },
      isInPlace: async () => true,
      events: {
        judged: () => {},
        recorded: records => void recorded.push(...records),
        failed: reason => void failed.push(reason),
        batchEnded: () => {},
      },
    })
    await recorder.begin(async () => {})
    await repo.run('sh', ['-c', 'mv src/a.ts src/b.ts; echo c >>src/b.ts'])
    for (const path of ['src/b.ts', 'src/a.ts'])
      if (path === scanned) recorder.addPath(path, 'reconcile')
      else recorder.pathChanged(path)
    expect(await recorder.whenRecorded(observer.context.workspace.clock.ticks() + 30_000)).toBe(true)
    expect(recorded.map(endsOf)).toEqual([['rename', 'src/a.ts', 'src/b.ts']])
    expect(failed).toEqual([])
  },
)

const endsOf = ({ files: [file] }: TraceRecord) => [file?.kotef.op, file?.kotef.from, file?.path]

/** Observes paths as the daemon does. `whenOthersAreSought` is called once, before git is asked for new files. */
async function startObserver(
  repo: Repo,
  { whenOthersAreSought }: { whenOthersAreSought?: () => Promise<unknown> } = {},
) {
  const opened = await openWorkspace(repo.root)
  let waiting = whenOthersAreSought
  const ask: Git['ask'] = async question => {
    const isSought = question.args.includes('--others')
    const now = isSought ? waiting : undefined
    if (isSought) waiting = undefined
    await now?.()
    return opened.git.ask(question)
  }
  const workspace = { ...opened, git: { ...opened.git, ask } }
  const blobs = openBlobs(repo.root)
  const state = await freshState(workspace)
  const halt = new AbortController().signal
  const policy = { policyAt: () => loadPolicy(workspace), head: () => readHead(workspace) }
  const context = { workspace, state, hasher: await loadHasher(), blobs, textBytesMax: 1000, halt, ...policy }
  return {
    context,
    /** Inspects some paths: what was recorded of them, and which of them are to be inspected again. */
    async look(paths: readonly string[]) {
      await refreshIndex(workspace, state)
      const evidence = evidenceNow(followGit({ workspace, blobs, state }))
      const told: unknown[] = []
      const recorded = (records: readonly TraceRecord[]) => told.push(...records.map(endsOf))
      const { torn } = await observe(context, { paths, evidence, source: 'daemon', recorded })
      return { told, torn }
    },
    [Symbol.asyncDispose]: () => blobs[Symbol.asyncDispose](),
  }
}
