import { join } from 'node:path'
import * as z from 'zod'
import { resolveCommit } from '../../../core/git/revisions.ts'
import { Epoch } from '../git-evidence/epoch.ts'
import { layoutOf } from '../../io/worktree/layout.ts'
import { readHead } from '../../io/worktree/head.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { inTurns, jsonInTurns } from './turns.ts'
import { ledgerSize } from '../../ledger/open-ledger.ts'
import { type EarlyIndex, freshState, type PathState, reflogSize, type WorktreeState } from './worktree-state.ts'
import { LARGE_FILE_BYTES_MAX } from '../../io/files/regular-file.ts'

// What the daemon knows of a worktree, as a file: the next one starts from it.

/** The last checkpoint of this repository; null at the first start ever. */
export async function loadCheckpoint(
  workspace: Workspace,
  early: EarlyIndex | null = null,
): Promise<{ state: WorktreeState; savedAt: string; head: string | null } | null> {
  const bytes = await workspace.files.read(checkpointPath(workspace), LARGE_FILE_BYTES_MAX)
  const checkpoint = bytes && checkpointShape.safeParse(parsedJson(bytes)).data
  if (!checkpoint || !(await hasCommit(workspace, checkpoint.head ?? null))) return null
  const known = new Map(Object.entries(checkpoint.known).map(([path, it]) => [path, { ...it, at: 0 }]))
  const { savedAt, ledgerBytes, head = null, stashes = null, settings = null, lookedAt = 0 } = checkpoint
  const staged = new Map(Object.entries(checkpoint.staged ?? {}))
  const epoch = new Epoch(
    checkpoint.period ?? { since: Date.parse(savedAt), log: await reflogSize(workspace), reported: [], missed: [] },
  )
  return {
    state: {
      ...(await freshState(workspace, early)),
      head,
      paths: known,
      staged,
      stashes,
      ledgerBytes,
      epoch,
      settings,
      lookedAt,
    },
    savedAt,
    head,
  }
}

// Where .git is removed while a daemon saves its checkpoint, it stands in the repository that is made there next.
async function hasCommit(workspace: Workspace, oid: string | null): Promise<boolean> {
  if (oid === null || oid === (await readHead(workspace))) return true
  return (await workspace.git.tryAsk(resolveCommit(oid))) !== null
}

/** The text of a checkpoint in pieces, with the size of the ledger it covers. Nothing may be recorded meanwhile. */
export async function checkpointText(workspace: Workspace, state: WorktreeState): Promise<string[]> {
  state.ledgerBytes = await ledgerSize(workspace)
  const savedAt = new Date(workspace.clock.now()).toISOString()
  const { ledgerBytes, head, epoch } = state
  const { staged, stashes, settings, lookedAt } = state
  const known = new Map<string, unknown>()
  for await (const part of inTurns(state.paths)) for (const [path, it] of part) known.set(path, savedPathState(it))
  const last = { staged, stashes, settings, lookedAt }
  const checkpoint = { version: 1, savedAt, ledgerBytes, head, period: epoch.saved(), ...last, known }
  const pieces = ['']
  for await (const piece of jsonInTurns(checkpoint)) {
    const last = pieces.pop() ?? ''
    pieces.push(...(last.length < PIECE_CHARS ? [last + piece] : [last, piece]))
  }
  return pieces
}

// Each piece is a write to the disk.
const PIECE_CHARS = 65_536

/** Saves a checkpoint. */
export async function saveCheckpoint(workspace: Workspace, checkpoint: readonly string[]): Promise<void> {
  await workspace.files.replace(checkpointPath(workspace), checkpoint, 0o600)
}

function savedPathState({ content, signature, traced, indexed }: PathState) {
  return { content, signature, traced, indexed }
}

const changeShape = z.object({
  key: z.string(),
  path: z.string().nullable(),
  message: z.string(),
  undo: z.string(),
  isMoot: z.boolean(),
})

const settingsShape = z.object({
  signature: z.string(),
  personal: z.object({ excludes: z.string(), attributes: z.string() }),
  trusted: z.record(z.string(), z.string()),
  standing: z.array(changeShape),
  unreported: z.array(changeShape.extend({ intent: z.string() })),
  looksDue: z.int().optional(),
})

const observedShape = z.object({ at: z.number(), log: z.number() })

const checkpointShape = z.object({
  version: z.literal(1),
  savedAt: z.string(),
  ledgerBytes: z.int(),
  head: z.string().nullable().optional(),
  staged: z.record(z.string(), z.string().nullable()).optional(),
  stashes: z.array(z.string()).nullable().optional(),
  // Those that an older kotef saved in another form do not count.
  settings: settingsShape.nullable().optional().catch(null),
  lookedAt: z.number().optional(),
  period: z
    .object({
      since: z.number(),
      log: z.number(),
      reported: z.array(z.string()),
      missed: z.array(z.string()),
      all: observedShape.optional(),
      looks: z.record(z.string(), observedShape).optional(),
    })
    .optional(),
  known: z.record(
    z.string(),
    z.object({
      content: z.object({ oid: z.string(), mode: z.string() }).nullable(),
      signature: z.string().nullable(),
      traced: z.boolean(),
      indexed: z.boolean().optional(),
    }),
  ),
})

// A file of some hundred megabytes that is not JSON is not made a text first.
function parsedJson(bytes: Buffer): unknown {
  try {
    return bytes[0] === 0x7b ? JSON.parse(bytes.toString('utf8')) : null
  } catch {
    return null
  }
}

/** Where the checkpoint of a worktree is. */
export function checkpointPath(workspace: Workspace): string {
  return join(layoutOf(workspace).own, 'cursor.json')
}
