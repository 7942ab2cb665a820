import { KotefError } from '../../../core/base/failure.ts'
import { printable } from '../../../core/base/printable.ts'
import type { RecordFilter } from '../../../core/ledger/record-filter.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { queryLedger } from '../../../world/ledger/query-ledger.ts'
import { repositoryPath, resolveFile } from '../repository-path.ts'
import { sinceOption } from '../since-option.ts'
import { textOption, type VerbCall } from '../verb.ts'

/** The filter that the flags of `record-options.ts` describe. A file is named from the current folder. */
export async function recordFilterIn(workspace: Workspace, call: VerbCall): Promise<RecordFilter> {
  const { root, git } = workspace
  const file = textOption(call, 'file')
  const session = textOption(call, 'session')
  return {
    intent: textOption(call, 'intent') ?? undefined,
    session: session === null ? undefined : await wholeSession(workspace, session),
    file: file === null ? undefined : repositoryPath(root, await resolveFile(call.cwd, file)),
    since: (await sinceOption(git, call)) ?? undefined,
  }
}

// Lists have the beginning of an id only. The catalogue of the ledger finds whole ids.
async function wholeSession(workspace: Workspace, typed: string): Promise<string> {
  const { records } = await queryLedger(workspace, { wanted: { event: 'session-started' }, limit: null })
  const owns = records.map(it => it.metadata['dev.kotef'])
  const ids = new Set(owns.flatMap(it => (it.event === 'session-started' ? [it.session] : [])))
  const meant = [...ids].filter(it => it.startsWith(typed))
  const [only = typed] = meant
  if (meant.length <= 1 || ids.has(typed)) return ids.has(typed) ? typed : only
  const message = `${meant.length} sessions of the ledger begin with ${printable(typed)}; name one:`
  throw new KotefError('unknown-session', [message, ...meant.map(it => `  ${printable(it)}`)].join('\n'), {
    hint: 'Repeat the command with a longer beginning of its id.',
  })
}
