import { join } from 'node:path'
import type { Intent } from '../../../core/intents/intent.ts'
import { REGISTRY_PATH } from '../../../core/base/governance-files.ts'
import { withoutLiveStatuses } from '../../../core/intents/edit-yaml.ts'
import { registryParts } from '../../../core/intents/registry-text.ts'
import { readRegistry } from '../../../core/intents/registry.ts'
import { withLock } from '../../io/files/lock.ts'
import type { LedgerEvent } from '../../../core/ledger/event.ts'
import { KotefError } from '../../../core/base/failure.ts'
import { announceOwnWrite } from '../../io/worktree/own-writes.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { appendRecords } from '../../ledger/append-records.ts'
import { ownPath } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** Returns the registry's new text. Runs under the registry's lock, and may throw to refuse the edit. */
export type RegistryEdit = (text: string, intents: readonly Intent[]) => string

/**
 * Edits the registry file and returns its intents. A text that is not a valid registry is refused. The ledger gets the
 * events under the same lock; when it can't be written, the registry gets its old text back.
 */
export function editRegistry(
  workspace: Workspace,
  edit: RegistryEdit,
  eventsOf: () => LedgerEvent | readonly LedgerEvent[],
): Promise<readonly Intent[]> {
  return withLock(ownPath(workspace, 'registry.lock'), async () => {
    const before = await loadRegistry(workspace)
    const edited = edit(before.text, before.intents)
    if (edited === before.text) return before.intents
    const text = withoutLiveStatuses(edited)
    const intents = validIntents(text)
    await writeRecorded(workspace, { from: before.text, to: text }, [eventsOf()].flat())
    return intents
  })
}

/** Gives the registry the text back that it had before an edit, to the byte, with an event that says so. */
export function restoreRegistry(workspace: Workspace, text: string, event: LedgerEvent): Promise<void> {
  return withLock(ownPath(workspace, 'registry.lock'), async () => {
    const { text: from } = await loadRegistry(workspace)
    if (from !== text) await writeRecorded(workspace, { from, to: text }, [event])
  })
}

async function writeRecorded(
  workspace: Workspace,
  { from, to }: Record<'from' | 'to', string>,
  events: readonly LedgerEvent[],
): Promise<void> {
  await writeRegistry(workspace, { from, to })
  const drafts = events.map(event => ({ event }))
  await appendRecords(workspace, drafts).catch(async (thrown: unknown) => {
    await writeRegistry(workspace, { from: to, to: from })
    throw thrown
  })
}

// The text was valid before the edit, so a problem in it comes from the caller's values.
function validIntents(text: string): readonly Intent[] {
  const { intents, problems } = readRegistry(text)
  if (problems.length === 0) return intents
  const list = problems.map(it => `  expected ${it.expected}, found ${it.found}`)
  throw new KotefError('usage', ['The registry would not be valid; nothing was changed.', ...list].join('\n'), {
    hint: 'Run the command again with values as expected above.',
  })
}

// Only the files that the edit changes are written, the list last, so that an intent that moves is never in no file.
async function writeRegistry(workspace: Workspace, { from, to }: Record<'from' | 'to', string>): Promise<void> {
  const before = registryParts(from)
  const after = registryParts(to)
  for (const { path, text } of after.toReversed()) {
    if (before.some(it => it.path === path && it.text === text)) continue
    await announceOwnWrite(workspace, Buffer.from(text))
    await workspace.files.replace(join(workspace.root, path), text)
  }
  const gone = before.filter(it => !after.some(({ path }) => path === it.path))
  for (const { path } of gone) await workspace.files.remove(join(workspace.root, path))
  await verifyRegistryText(workspace, to)
}

async function verifyRegistryText(workspace: Workspace, text: string): Promise<void> {
  const { text: written } = await loadRegistry(workspace)
  // The files are read in the order of their names, whatever the order of the edit.
  if (partsInOrder(written) === partsInOrder(text)) return
  throw new KotefError('registry-unreadable', `${REGISTRY_PATH} was changed by another program at the same moment.`, {
    hint: 'Check the file, and run the command again.',
  })
}

function partsInOrder(text: string): string {
  return JSON.stringify(
    registryParts(text)
      .map(it => [it.path, it.text])
      .toSorted(),
  )
}
