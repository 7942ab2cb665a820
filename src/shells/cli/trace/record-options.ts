import type { Command } from 'commander'
import type { LedgerReading } from '../../../core/ledger/read-ledger.ts'
import type { RecordFilter } from '../../../core/ledger/record-filter.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { repositoryPath, resolveFile } from '../repository-path.ts'
import { sinceOption } from '../since-option.ts'
import { textOption, type VerbCall } from '../verb.ts'

/** Adds the flags that select records of the ledger. */
export function addRecordOptions(command: Command): Command {
  return command
    .option('--intent <id>', 'only of this intent')
    .option('--file <path>', 'only of this file')
    .option('--session <id>', 'only of this session')
    .option('--since <time>', 'only from this time on: a date, or as for git log, such as yesterday')
}

/** The filter that these flags describe. A file is named from the current folder, as for the other verbs. */
export async function recordFilterIn({ root, git }: Workspace, call: VerbCall): Promise<RecordFilter> {
  const file = textOption(call, 'file')
  return {
    intent: textOption(call, 'intent') ?? undefined,
    session: textOption(call, 'session') ?? undefined,
    file: file === null ? undefined : repositoryPath(root, await resolveFile(call.cwd, file)),
    since: (await sinceOption(git, call)) ?? undefined,
  }
}

/** Reports why the answer may be incomplete: writes not recorded yet, and damaged lines of the ledger. */
export function warnIncomplete(
  { problems, behind }: Pick<LedgerReading, 'problems'> & { behind: string | null },
  { notify }: VerbCall,
): void {
  if (behind !== null) notify(`The newest writes may be missing. ${behind}`)
  for (const { file, line, expected, found } of problems)
    notify(`${file}:${line}: expected ${expected}, found ${found}`)
}

/** Reports how much of a long ledger has been indexed, at most ten times. */
export function progressInTenths({ notify }: VerbCall): (share: number) => void {
  let tenths = 0
  return share => {
    if (Math.floor(share * 10) <= tenths) return
    tenths = Math.floor(share * 10)
    notify(`kotef is indexing the ledger: ${tenths * 10} %`)
  }
}
