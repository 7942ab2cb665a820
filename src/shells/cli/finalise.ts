import { mapNewCommits } from '../../world/code/code-map/map-file.ts'
import { KotefError } from '../../core/base/failure.ts'
import { annotateCommits, readTips } from '../../world/provenance/annotate-commits.ts'
import { catchUpLedger, judgeNewCommits } from '../../world/commits/judge-new-commits.ts'
import { classifyCommits } from '../../world/code/meaning/classify-commits.ts'
import { classifyWorking } from '../../world/provenance/classify-working.ts'
import { openParser } from '../../world/code/meaning/parser.ts'
import { compressLedger } from '../../world/ledger/compress-ledger.ts'
import { updateCatalogue } from '../../world/ledger/query-ledger.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import type { RunVerb } from './verb.ts'

/** `kotef finalise`: what the daemon has done by a child process, such as the notes of new commits and the map. */
export const run: RunVerb = async ({ cwd, options }) => {
  const workspace = await openWorkspace(cwd)
  if (options['judge']) {
    const broken = await judgeNewCommits(workspace)
    const lines = broken.slice(-PRINTED_MAX).map(it => JSON.stringify(it))
    return { text: lines.join('\n'), json: { broken: broken.length } }
  }
  if (options['catalogue']) {
    await updateCatalogue(workspace)
    await compressLedger(workspace)
    return { text: '', json: { catalogued: true } }
  }
  if (options['map']) {
    await mapNewCommits(workspace)
    return { text: '', json: { mapped: true } }
  }
  if (options['working']) {
    using parser = openParser()
    return { text: '', json: { classified: await classifyWorking(workspace, { parser }) } }
  }
  if (options['watched']) {
    await annotateCommits(workspace, { isWatched: true })
    return { text: '', json: { finalised: true } }
  }
  const tips = await readTips(workspace)
  const { isWatched, behind } = await catchUpLedger(workspace)
  // Notes written without the newest records would call those lines `unknown`.
  if (behind !== null) throw new KotefError('daemon-failed', `The newest commits have no notes yet. ${behind}`)
  using parser = openParser()
  await annotateCommits(workspace, { isWatched, tips, classify: it => classifyCommits(workspace, it, { parser }) })
  return { text: '', json: { finalised: true } }
}

// The ledger has all of them. The daemon passes these to the processes that follow it.
const PRINTED_MAX = 1_000
