import { fileNameFor } from '../io/files/file-name.ts'
import { objectOrNull, parseObject } from '../../core/base/payload.ts'
import { privatePath } from '../io/worktree/private-files.ts'
import type { GitDirAccess } from '../io/worktree/workspace.ts'

// Agents' hooks load this file after each call.

/** A call of an agent, with what it was given and printed: for the person at this machine, in nothing that leaves. */
export type PrivateCall = {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly tool: string
  /** The command line, or what the tool was given as JSON. */
  readonly input: string
  /** The end of what it printed. */
  readonly output: string
  readonly isFailure: boolean
}

/** Keeps a call of a session in a private file; of an earlier part of the session no more than once as much is kept. */
export async function keepPrivateCall(access: GitDirAccess, session: string, call: PrivateCall): Promise<void> {
  const { files } = access
  const path = callsPath(access, session)
  await files.privateFolder(privatePath(access, 'calls'))
  const size = (await files.stat(path))?.size ?? 0
  if (size > FILE_BYTES_MAX) await files.move(path, earlierPath(path))
  const { at, tool, input, output, isFailure } = call
  const kept = { at, tool, input: input.slice(0, TEXT_CHARS_MAX), output: output.slice(-TEXT_CHARS_MAX), isFailure }
  await files.append(path, Buffer.from(`${JSON.stringify(kept)}\n`))
}

const TEXT_CHARS_MAX = 2_000
const FILE_BYTES_MAX = 131_072

/** The last calls of a session that are kept, the first one first. */
export async function privateCalls(access: GitDirAccess, session: string): Promise<readonly PrivateCall[]> {
  const path = callsPath(access, session)
  const read = async (it: string) => (await access.files.read(it).catch(() => null))?.toString('utf8') ?? ''
  const lines = `${await read(earlierPath(path))}${await read(path)}`.split('\n')
  return lines.flatMap(it => callIn(it)).slice(-CALLS_MAX)
}

const CALLS_MAX = 20

function callIn(line: string): PrivateCall[] {
  const call = line === '' ? null : objectOrNull(parseObject(line))
  const texts = [call?.['tool'], call?.['input'], call?.['output']]
  return texts.every(it => typeof it === 'string') && typeof call?.['at'] === 'number'
    ? [call as unknown as PrivateCall]
    : []
}

/** Removes the private files of sessions whose last call is a week ago. `now` is in milliseconds since 1970. */
export async function removeOldCalls(access: GitDirAccess, now: number): Promise<void> {
  const { files } = access
  for (const name of await files.list(privatePath(access, 'calls'))) {
    const path = privatePath(access, 'calls', name)
    const at = await files.modifiedAt(path)
    if (at !== null && now - at > KEPT_DAYS * DAY) await files.remove(path).catch(() => {})
  }
}

const KEPT_DAYS = 7
const DAY = 86_400_000

function callsPath(access: GitDirAccess, session: string): string {
  return privatePath(access, 'calls', `${fileNameFor(session)}.jsonl`)
}

function earlierPath(path: string): string {
  return path.replace(/\.jsonl$/, '.earlier.jsonl')
}
