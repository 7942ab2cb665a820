import { isAbsolute, join, relative } from 'node:path'
import {
  buildIntentContract,
  type ContractInput,
  type IntentContract,
} from '../../core/intents/contract/intent-contract.ts'
import { KotefError } from '../../core/base/failure.ts'
import { writeIfAllowed } from '../io/files/read-only.ts'
import { findIntent } from '../../core/intents/intent.ts'
import { PROJECT_POLICY_PATH, REGISTRY_PATH } from '../../core/base/governance-files.ts'
import { ticketOf } from '../intents/registry/intent-ticket.ts'
import { cloneSalt } from '../io/worktree/private-files.ts'
import { loadRegistry } from '../intents/policy/load-policy.ts'
import { sha256Hex } from '../../core/base/sha256.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** A contract, the hash of all that it was built from, and whether an earlier run had built it. */
export type SavedContract = {
  readonly contract: IntentContract
  readonly sources: string
  readonly isReused: boolean
  /** True when the saved one is not what kotef had saved: it was built again. */
  readonly wasChanged: boolean
}

type ContractFile = Pick<SavedContract, 'contract' | 'sources'> & { readonly hash: string }

/**
 * The contract of an intent, as saved in `.sdd/cache/intent_contract.json`; built again when the intent, the ticket or
 * KOTEF.md has changed, or the file itself, and not saved where nothing may be written. `ticket` is the path of a
 * Markdown file, relative to `cwd`; null for that of the registry.
 */
export async function loadContract(
  workspace: Workspace,
  { intent, ticket, cwd }: { readonly intent: string; readonly ticket: string | null; readonly cwd: string },
): Promise<SavedContract> {
  const input = await contractInput(workspace, { intent, ticket, cwd })
  const sources = sha256Hex(JSON.stringify([FORMAT, input]))
  const path = join(workspace.root, CACHE_FOLDER, 'intent_contract.json')
  const saved = parsedContract(await workspace.files.read(path).catch(() => null))
  const salt = await cloneSalt(workspace)
  const hashOf = (it: IntentContract): string => sha256Hex(JSON.stringify([salt, sources, it]))
  const isSame = saved?.sources === sources
  if (isSame && saved.hash === hashOf(saved.contract))
    return { contract: saved.contract, sources, isReused: true, wasChanged: false }
  const contract = buildIntentContract(input)
  await writeIfAllowed(async () => {
    // Git ignores the folder, so that a contract is in no commit by accident.
    await workspace.files.put(join(workspace.root, CACHE_FOLDER, '.gitignore'), '*\n')
    await workspace.files.replace(path, `${JSON.stringify({ sources, hash: hashOf(contract), contract }, null, 2)}\n`)
  })
  return { contract, sources, isReused: false, wasChanged: isSame }
}

/** The contract of an intent, with the registry's ticket, made again: that file is neither read nor written. */
export async function loadUnsavedContract(workspace: Workspace, intent: string): Promise<IntentContract> {
  return buildIntentContract(await contractInput(workspace, { intent, ticket: null, cwd: workspace.root }))
}

/** The folder of what can be made again, relative to the worktree. */
const CACHE_FOLDER = '.sdd/cache'
// A contract that another version built is built again.
const FORMAT = 2

async function contractInput(
  workspace: Workspace,
  { intent, ticket, cwd }: { readonly intent: string; readonly ticket: string | null; readonly cwd: string },
): Promise<ContractInput> {
  const { root, files } = workspace
  const { intents } = await loadRegistry(workspace)
  const found = findIntent(intents, intent)
  const { created_at: _created, updated_at: _updated, ...declared } = found
  const policy = await files.read(layoutOf(workspace).policy)
  return {
    intent: { ...declared, created_at: null, updated_at: null },
    registry: REGISTRY_PATH,
    ticket:
      ticket === null
        ? await ticketOf(workspace, found)
        : await readTicket(workspace, isAbsolute(ticket) ? ticket : join(cwd, ticket)),
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

function parsedContract(bytes: Buffer | null): ContractFile | null {
  try {
    return bytes && (JSON.parse(bytes.toString('utf8')) as ContractFile)
  } catch {
    return null
  }
}
