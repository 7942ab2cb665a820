import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { KotefError, toKotefError } from '../../../core/base/failure.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { AGENT_SETUPS, type AgentSetup, PROMPT_FILES } from './agent-setups.ts'
import {
  type AgentFileChange,
  agentFilesOf,
  type AgentFilesPlan,
  readAgentFile,
  writeFileChanges,
} from './plan-agent-files.ts'
import { type AgentFile, mentionsKotef, promptAgentFile } from './agent-file.ts'
import { blobOid } from '../../../core/git/blob-oid.ts'
import { ownPath } from '../../io/worktree/layout.ts'
import { parseObject } from '../../../core/base/payload.ts'

/** Writes the planned changes for these agents, and returns the changed files. */
export async function configureAgents(
  workspace: Workspace,
  agents: readonly AgentSetup[],
  { changes }: AgentFilesPlan,
): Promise<string[]> {
  await keepOriginals(workspace, changes, await agentFilesOf(workspace, agents))
  await writeFileChanges(workspace, changes)
  return changes.map(it => it.path)
}

/** The files that kotef was removed from, and those that only a person can edit. */
export type UnconfigureResult = { readonly removed: readonly string[]; readonly left: readonly string[] }

/** Removes kotef from the configuration of all agents in this worktree. Other entries stay. */
export async function unconfigureAgents(workspace: Workspace): Promise<UnconfigureResult> {
  const originals = await readOriginals(workspace)
  const changes: AgentFileChange[] = []
  const left: string[] = []
  for (const part of allAgentFiles()) {
    const before = await readAgentFile(workspace, part.path).catch(() => null)
    if (before === null || !mentionsKotef(before)) continue
    try {
      const after = originalText(originals, part.path, before) ?? part.remove(before)
      if (after !== before) changes.push({ path: part.path, before, after, mode: part.mode })
    } catch (thrown) {
      if (!(thrown instanceof KotefError)) throw toKotefError(thrown)
      left.push(part.path)
    }
  }
  await writeFileChanges(workspace, changes)
  await forgetOriginals(workspace)
  return { removed: changes.map(it => join(workspace.root, it.path)), left }
}

/** The agents that do not call kotef here yet, and of which the repository or the PATH has something. */
export async function findAgents(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<FoundAgent[]> {
  const configured = await listConfiguredAgents(workspace)
  return AGENT_SETUPS.filter(it => !configured.includes(it)).flatMap(({ name, traces, program }) => {
    const trace = traces.find(it => existsSync(join(workspace.root, it))) ?? null
    return trace !== null || (program !== null && isOnPath(program, env)) ? [{ name, trace }] : []
  })
}

/** An agent, and the file in the repository that shows that it is used there; null where only its command is there. */
export type FoundAgent = { readonly name: string; readonly trace: string | null }

function isOnPath(program: string, { PATH = '' }: NodeJS.ProcessEnv): boolean {
  return PATH.split(delimiter).some(it => it !== '' && existsSync(join(it, program)))
}

/** The agents with at least one file that has kotef's entries. */
export async function listConfiguredAgents(workspace: Workspace): Promise<AgentSetup[]> {
  const configured = await Promise.all(
    AGENT_SETUPS.map(async it => ((await isAgentConfigured(workspace, it)) ? [it] : [])),
  )
  return configured.flat()
}

/** Those of these agents that proceed when their hook takes too long, if there is no `timeout` program to end it. */
export function agentsWithoutTimeout(agents: readonly AgentSetup[], env: NodeJS.ProcessEnv): string[] {
  if (isOnPath('timeout', env)) return []
  return agents.filter(it => it.ignoresTimeout).map(it => it.name)
}

// A file that several agents share does not identify any of them. An unreadable file is named when it is edited.
async function isAgentConfigured(workspace: Workspace, { files: parts, prompt }: AgentSetup): Promise<boolean> {
  const isShared = (path: string) =>
    AGENT_SETUPS.filter(it => [...it.files, { path: it.prompt }].some(at => at.path === path)).length > 1
  const paths = [...parts.map(it => it.path), prompt].filter(it => !isShared(it))
  const texts = await Promise.all(paths.map(it => readAgentFile(workspace, it).catch(() => null)))
  return texts.some(it => it !== null && mentionsKotef(it))
}

function allAgentFiles(): AgentFile[] {
  const files = [...AGENT_SETUPS.flatMap(it => it.files), ...PROMPT_FILES.map(promptAgentFile)]
  return [...new Map(files.map(it => [it.path, it])).values()]
}

/** The original text of files that removing kotef's entries would not restore, and the blob id of what kotef wrote. */
type OriginalFiles = Readonly<Record<string, { readonly text: string; readonly wrote: string }>>

/** Reads the originals. A damaged or missing file counts as empty. */
async function readOriginals(workspace: Workspace): Promise<OriginalFiles> {
  const bytes = await workspace.files.read(originalsPath(workspace)).catch(() => null)
  return (parseObject(bytes?.toString('utf8') ?? '') ?? {}) as OriginalFiles
}

/** The original text of a file, if it was not edited after kotef wrote it; else null. */
function originalText(originals: OriginalFiles, path: string, text: string): string | null {
  const found = originals[path]
  return found?.wrote === blobOid(Buffer.from(text)) && typeof found.text === 'string' ? found.text : null
}

/** Saves the files that will be changed, if removing kotef's entries would not restore them. */
async function keepOriginals(
  workspace: Workspace,
  changes: readonly AgentFileChange[],
  parts: readonly AgentFile[],
): Promise<void> {
  const before = await readOriginals(workspace)
  const kept: Record<string, OriginalFiles[string]> = { ...before }
  for (const { path, before: text, after } of changes) {
    const part = parts.find(it => it.path === path)
    if (text === null || after === null || !part) continue
    const original = originalText(before, path, text) ?? (mentionsKotef(text) ? null : text)
    delete kept[path]
    if (original !== null && part.remove(after) !== original)
      kept[path] = { text: original, wrote: blobOid(Buffer.from(after)) }
  }
  if (JSON.stringify(kept) === JSON.stringify(before)) return
  await workspace.files.replace(originalsPath(workspace), JSON.stringify(kept))
}

/** Removes all originals. */
async function forgetOriginals(workspace: Workspace): Promise<void> {
  await workspace.files.remove(originalsPath(workspace))
}

function originalsPath(workspace: Workspace): string {
  return ownPath(workspace, 'agent-files.json')
}
