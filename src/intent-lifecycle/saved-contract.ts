import { isAbsolute, join, relative } from 'node:path'
import { buildIntentContract, type ContractInput, type IntentContract } from '../contract/intent-contract.ts'
import { KotefError } from '../findings/failure.ts'
import { writeIfAllowed } from '../io/files/read-only.ts'
import { findIntent } from '../intents/intent.ts'
import { PROJECT_POLICY_PATH, REGISTRY_PATH } from '../paths/governance-files.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { sha256Hex } from '../text/sha256.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** A contract, the hash of all that it was built from, and whether an earlier run had built it. */
export type SavedContract = { readonly contract: IntentContract; readonly sources: string; readonly isReused: boolean }

/**
 * The contract of an intent, as saved in `.sdd/cache/intent_contract.json`; built again when the intent, the ticket or
 * KOTEF.md has changed, and not saved where nothing may be written. `ticket` is the path of a Markdown file, relative
 * to `cwd`.
 */
export async function loadContract(
  workspace: Workspace,
  { intent, ticket, cwd }: { readonly intent: string; readonly ticket: string | null; readonly cwd: string },
): Promise<SavedContract> {
  const input = await contractInput(workspace, { intent, ticket, cwd })
  const sources = sha256Hex(JSON.stringify([FORMAT, input]))
  const path = join(workspace.root, CACHE_FOLDER, 'intent_contract.json')
  const saved = parsedContract(await workspace.files.read(path).catch(() => null))
  if (saved?.sources === sources) return { contract: saved.contract, sources, isReused: true }
  const contract = buildIntentContract(input)
  await writeIfAllowed(async () => {
    // Git ignores the folder, so that a contract is in no commit by accident.
    await workspace.files.put(join(workspace.root, CACHE_FOLDER, '.gitignore'), '*\n')
    await workspace.files.replace(path, `${JSON.stringify({ sources, contract }, null, 2)}\n`)
  })
  return { contract, sources, isReused: false }
}

/** The contract of an intent without a ticket, made again: nothing is read from that file or saved in it. */
export async function loadUnsavedContract(workspace: Workspace, intent: string): Promise<IntentContract> {
  return buildIntentContract(await contractInput(workspace, { intent, ticket: null, cwd: workspace.root }))
}

/** The folder of what can be made again, relative to the worktree. */
const CACHE_FOLDER = '.sdd/cache'
// A contract that another version built is built again.
const FORMAT = 1

async function contractInput(
  workspace: Workspace,
  { intent, ticket, cwd }: { readonly intent: string; readonly ticket: string | null; readonly cwd: string },
): Promise<ContractInput> {
  const { root, files } = workspace
  const { intents } = await loadRegistry(workspace)
  const { created_at: _created, updated_at: _updated, ...declared } = findIntent(intents, intent)
  const policy = await files.read(layoutOf(workspace).policy)
  return {
    intent: { ...declared, created_at: null, updated_at: null },
    registry: REGISTRY_PATH,
    ticket: ticket === null ? null : await readTicket(workspace, isAbsolute(ticket) ? ticket : join(cwd, ticket)),
    policy: policy && { file: relative(root, layoutOf(workspace).policy) || PROJECT_POLICY_PATH, text: textOf(policy) },
  }
}

async function readTicket({ root, files }: Workspace, path: string): Promise<{ file: string; text: string }> {
  const bytes = await files.read(path).catch((cause: unknown) => {
    throw new KotefError('usage', `${path} can't be read.`, { cause })
  })
  if (!bytes)
    throw new KotefError('usage', `There is no file ${path}.`, { hint: 'Name a Markdown file: `--ticket FILE`' })
  return { file: relative(root, path), text: textOf(bytes) }
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8')
}

function parsedContract(bytes: Buffer | null): Pick<SavedContract, 'contract' | 'sources'> | null {
  try {
    return bytes && (JSON.parse(bytes.toString('utf8')) as Pick<SavedContract, 'contract' | 'sources'>)
  } catch {
    return null
  }
}
