// The observation of paths, without a daemon around it.

import type { Git } from '../../src/world/io/git/git.ts'
import { openBlobs } from '../../src/world/io/git/blobs.ts'
import { loadHasher } from '../../src/world/io/files/hasher.ts'
import { Recorder } from '../../src/shells/daemon/recorder.ts'
import { evidenceNow, followGit } from '../../src/world/recording/git-evidence/git-evidence.ts'
import { freshState, refreshIndex } from '../../src/world/recording/observation/worktree-state.ts'
import { readHead } from '../../src/world/io/worktree/head.ts'
import { observe } from '../../src/world/recording/observation/observe.ts'
import { loadPolicy } from '../../src/world/intents/policy/load-policy.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import type { TraceRecord } from '../../src/core/ledger/record.ts'
import type { Repo } from './repo.ts'

/** Observes paths as the daemon does. `whenOthersAreSought` is called once, before git is asked for new files. */
export async function startObserver(
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
      const reported: unknown[] = []
      const recorded = (records: readonly TraceRecord[]) => reported.push(...records.map(endsOf))
      const { torn } = await observe(context, { paths, evidence, source: 'daemon', recorded })
      return { reported, torn }
    },
    /** A recorder that is told of paths; all that it recorded, and its failures. */
    startRecorder() {
      const reported: unknown[] = []
      const failed: unknown[] = []
      const recorder = new Recorder(context, {
        patience: { quietMs: 1, waitMsMax: 60_000 },
        isInPlace: async () => true,
        events: {
          judged: () => {},
          recorded: records => void reported.push(...records.map(endsOf)),
          failed: reason => void failed.push(reason),
          batchEnded: () => {},
        },
      })
      return { recorder, reported, failed }
    },
    [Symbol.asyncDispose]: () => blobs[Symbol.asyncDispose](),
  }
}

const endsOf = ({ files: [file] }: TraceRecord) => [file?.kotef.op, file?.kotef.from, file?.path]
