import { FIRST_NOTES_MS_MAX } from '../../core/base/thresholds.ts'
import { toKotefError } from '../../core/base/failure.ts'
import { printable } from '../../core/base/printable.ts'
import { readGit, withoutRepositoryEnv } from '../io/git/run-git.ts'
import { loadConfig } from '../intents/policy/load-policy.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { firstNotesMark, lacksFirstNotes } from '../ledger/notes.ts'
import { chooseRemote, fetchNotes, mergeNotes } from './sync-notes.ts'

type FirstNotesTerms = { readonly notify: (line: string) => void; readonly msMax?: number }

/**
 * Fetches the notes of the remote into a clone that has none, once in the life of the clone: without them, the authors
 * of all lines are unknown. Git asks nobody for a password, and gets `msMax` milliseconds. True when notes came. What
 * went wrong is reported, and the clone is not asked again: `kotef sync` fetches at any time.
 */
export async function fetchFirstNotes(
  workspace: Workspace,
  { notify, msMax = FIRST_NOTES_MS_MAX }: FirstNotesTerms,
): Promise<boolean> {
  if (!(await lacksFirstNotes(workspace))) return false
  await workspace.files.put(firstNotesMark(workspace), '')
  const remote = await chooseRemote(workspace, '').catch(() => null)
  if (remote === null || (await loadConfig(workspace)).notes.fetch !== 'once') return false
  const signal = AbortSignal.timeout(msMax)
  try {
    const isNew = await mergeNotes(workspace, await fetchNotes(unattended(workspace, signal), remote))
    if (isNew) notify(`This clone had no notes yet: fetched those of ${printable(remote)}, which name the authors.`)
    return isNew
  } catch (thrown) {
    const why = signal.aborted ? `no answer within ${msMax / 1000} s` : toKotefError(thrown).message
    notify(`This clone has no notes, which name the authors. ${printable(remote)}: ${why}. Fetch them: \`kotef sync\``)
    return false
  }
}

// A question for a password would be the first thing that somebody sees of `kotef blame`, or would wait unseen.
function unattended({ root, git }: Workspace, signal: AbortSignal) {
  const env = { ...withoutRepositoryEnv(process.env), ...ASKS_NOBODY }
  return { git: { ...git, bytes: (args: readonly string[]) => readGit(args, { cwd: root, env, signal }) } }
}

const ASKS_NOBODY = {
  GIT_TERMINAL_PROMPT: '0',
  GCM_INTERACTIVE: 'never',
  GIT_ASKPASS: 'true',
  SSH_ASKPASS: 'true',
  SSH_ASKPASS_REQUIRE: 'force',
}
