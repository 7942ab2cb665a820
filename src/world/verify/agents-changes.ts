import type { PathChange } from '../../core/git/changes.ts'
import { writtenByAgents } from '../../core/ledger/written-intents.ts'
import type { Finding } from '../../core/base/finding.ts'
import { recordedViolations } from '../../core/ledger/agents-commits.ts'
import { CITES_ANOTHER_HINT, OTHER_INTENT_HINT } from '../../core/rules/other-intent.ts'
import { readNoteRecords } from '../ledger/notes.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/**
 * Answers whether an agent wrote lines of a change that a commit makes, or was there when it was committed without an
 * approval: by the end of the worktree's ledger and by the commit's note. Without a ledger nobody knows what a person
 * approved, and the answer is no.
 */
export function agentChangeLookup(workspace: Pick<Workspace, 'git'>, ledgerEnd: string | null) {
  return async (commit: string, change: PathChange): Promise<boolean> => {
    if (ledgerEnd === null) return false
    if (writtenByAgents(ledgerEnd, [change]).length > 0) return true
    if (recordedViolations(ledgerEnd, { rule: 'governance-by-agent', commit }).some(it => it.path === change.path))
      return true
    const notes = (await readNoteRecords(workspace, [commit])).get(commit) ?? []
    const authors = notes
      .flatMap(it => it.files)
      .filter(it => it.path === change.path)
      .flatMap(it => it.conversations)
    return authors.some(it => it.contributor.type === 'ai')
  }
}

/**
 * What the ledger has of a commit: an agent made it, and it cites another intent than that of the agent's session; or,
 * for review, an agent wrote of it what it cites another intent for.
 */
export function otherIntentFindings(commit: string, ledgerEnd: string | null): Finding[] {
  const found = ledgerEnd === null ? [] : recordedViolations(ledgerEnd, { rule: 'other-intent', commit })
  return found.map(({ rule, path, message }) =>
    path === null
      ? { rule, level: 'block', path, message, hint: CITES_ANOTHER_HINT }
      : { rule, level: 'review', path, message, hint: OTHER_INTENT_HINT },
  )
}
