import { classify, type OriginVerdict } from '../../../core/authorship/change-origin/classify.ts'
import type { GivenFacts, OriginFacts } from '../../../core/authorship/change-origin/facts.ts'
import type { FileState } from '../../io/files/file-state.ts'
import { type ChangedPath, fileGatherers, lossGatherers } from '../git-evidence/gather-facts.ts'
import type { GitEvidence } from '../git-evidence/evidence.ts'

/** Decides who changed a path: gathers the fact that the first undecided row reads, until a row fits. */
export async function classifyPath(
  evidence: GitEvidence,
  changed: ChangedPath,
  { file, given }: { readonly file: FileState | null; readonly given: GivenFacts },
): Promise<OriginVerdict> {
  const gather = file ? fileGatherers(evidence, changed, file) : lossGatherers(evidence, changed)
  let facts: Partial<OriginFacts> = given
  for (;;) {
    const answer = classify(facts)
    if (!('need' in answer)) {
      evidence.judged(changed.path, answer)
      return answer
    }
    const ask = gather[answer.need]
    if (!ask) throw new Error(`A row reads ${answer.need}, which does not fit the file.`)
    facts = { ...facts, [answer.need]: await ask() }
  }
}
