import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { KotefError, toKotefError } from '../../report/failure.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { AGENTS, type Agent, PROMPTS } from './agents.ts'
import { write } from './configure.ts'
import { forgetOriginals, keepOriginals, originalOf, readOriginals } from './originals.ts'
import { isCommented, isMention, type Part, sectionPart } from './part.ts'
import { type Change, partsOf, type Plan, textAt } from './plan.ts'

/** Tells these agents of kotef, as it was planned; the files that were changed. */
export async function configureAgents(
  workspace: Workspace,
  agents: readonly Agent[],
  { changes }: Plan,
): Promise<string[]> {
  await keepOriginals(workspace, changes, await partsOf(workspace, agents))
  await write(workspace, changes)
  return changes.map(it => it.path)
}

/** What was taken out of which files, and what only a person can take out. */
export type Unconfigured = { readonly removed: readonly string[]; readonly left: readonly string[] }

/** Takes kotef out of the configuration of every agent in this worktree; what is somebody else's stays. */
export async function unconfigureAgents(workspace: Workspace): Promise<Unconfigured> {
  const originals = await readOriginals(workspace)
  const changes: Change[] = []
  const left: string[] = []
  for (const part of everyPart()) {
    const before = await textAt(workspace, part.path).catch(() => null)
    if (before === null || !isMention(before)) continue
    try {
      const after = originalOf(originals, part.path, before) ?? part.leave(before)
      if (after !== before) changes.push({ path: part.path, before, after, mode: part.mode })
      else if (isCommented(before)) left.push(part.path)
    } catch (thrown) {
      if (!(thrown instanceof KotefError)) throw toKotefError(thrown)
      left.push(part.path)
    }
  }
  await write(workspace, changes)
  await forgetOriginals(workspace)
  return { removed: changes.map(it => join(workspace.root, it.path)), left }
}

/** The names of the agents of which there are traces, and which nobody has told of kotef yet. */
export async function agentsWaiting(workspace: Workspace): Promise<string[]> {
  const told = await agentsTold(workspace)
  const seen = AGENTS.filter(it => it.traces.some(trace => existsSync(join(workspace.root, trace))))
  return seen.filter(it => !told.includes(it)).map(it => it.name)
}

/** The agents that are told of kotef here, at least in part. */
export async function agentsTold(workspace: Workspace): Promise<Agent[]> {
  const told = await Promise.all(AGENTS.map(async it => ((await isTold(workspace, it)) ? [it] : [])))
  return told.flat()
}

/** Those of these agents that nothing holds back when their hook takes too long: no program is there to end it. */
export function unheld(agents: readonly Agent[], { PATH = '' }: NodeJS.ProcessEnv): string[] {
  if (PATH.split(delimiter).some(it => it !== '' && existsSync(join(it, 'timeout')))) return []
  return agents.filter(it => it.goesOn).map(it => it.name)
}

// A file that several agents read says nothing of any of them, and what can't be read is named when it is asked for.
async function isTold(workspace: Workspace, { parts, prompt }: Agent): Promise<boolean> {
  const isShared = (path: string) =>
    AGENTS.filter(it => [...it.parts, { path: it.prompt }].some(at => at.path === path)).length > 1
  const paths = [...parts.map(it => it.path), prompt].filter(it => !isShared(it))
  const texts = await Promise.all(paths.map(it => textAt(workspace, it).catch(() => null)))
  return texts.some(it => it !== null && isMention(it))
}

function everyPart(): Part[] {
  const parts = [...AGENTS.flatMap(it => it.parts), ...PROMPTS.map(sectionPart)]
  return [...new Map(parts.map(it => [it.path, it])).values()]
}
