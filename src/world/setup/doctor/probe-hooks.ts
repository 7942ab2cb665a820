import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runShellCommand } from '../../io/process/run.ts'
import { QUIET_CONFIG, openScratchIndex } from '../../io/git/scratch-git.ts'
import { shellQuoted } from '../../../core/base/printable.ts'
import {
  configuredHooks,
  type EffectiveHook,
  type HooksLocation,
  inspectHook,
  locateHooks,
} from '../hooks/detect-hooks.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { GIT_HOOKS } from '../hooks/hook-block.ts'
import { parseObject } from '../../../core/base/payload.ts'

/** A hook, and whether it called kotef when git ran it. */
export type ProbedHook = EffectiveHook & {
  /** How many times kotef was run: once is right, more often means that files and config both call it. */
  readonly times: number
  readonly timedOut: boolean
}

/** The hooks of one worktree, with the results of running them by git. */
export type WorktreeProbe = {
  readonly worktree: Workspace
  readonly inForce: HooksLocation
  /** True when git's config names a hook of kotef. */
  readonly isConfigured: boolean
  readonly hooks: readonly ProbedHook[]
  /** pre-commit, run by `git commit`. */
  readonly commit: ProbedHook
}

/** The user's environment, and the time that the lines before kotef's may take: 20 s by default, as for linters. */
export type ProbeOptions = { readonly env: NodeJS.ProcessEnv; readonly timeoutMs?: number }

/**
 * Lets git run each hook, and a commit that can't succeed, on a scratch index. With KOTEF_PROBE=1 kotef's lines end a
 * hook at once, so of the user's own lines only those before kotef's run. A hook that does not name kotef is not run.
 */
export async function probeWorktree(
  worktree: Workspace,
  { env, timeoutMs = 20_000 }: ProbeOptions,
): Promise<WorktreeProbe> {
  const inForce = await locateHooks(worktree, env)
  const [preCommit, ...found] = await Promise.all(
    ['pre-commit', ...GIT_HOOKS].map(it => inspectHook(inForce.folder, it)),
  )
  const configured = await configuredHooks(worktree, env)
  await using scratch = await openScratchIndex(worktree, env)
  const probeRun = { root: worktree.root, scratch, configured, timeoutMs }
  // Git reads the message file after pre-commit has run. The file does not exist, so no commit is made.
  const commit = [...QUIET_CONFIG, 'commit', '-F', join(scratch.folder, 'no-message')]
  const [committed, ...hooks] = await Promise.all([
    probeHook(probeRun, preCommit as EffectiveHook, commit),
    ...found.map(it => probeHook(probeRun, it, ['hook', 'run', it.hook])),
  ])
  return { worktree, inForce, isConfigured: configured.some(it => it.isOurs), hooks, commit: committed }
}

type ProbeRun = {
  readonly root: string
  readonly scratch: { readonly folder: string; readonly env: NodeJS.ProcessEnv }
  readonly configured: readonly { readonly name: string; readonly isOurs: boolean }[]
  readonly timeoutMs: number
}

async function probeHook(
  { root, scratch, configured, timeoutMs }: ProbeRun,
  hook: EffectiveHook,
  words: readonly string[],
): Promise<ProbedHook> {
  const isInFile = hook.state === 'ours'
  if (!isInFile && !configured.some(it => it.isOurs)) return { ...hook, times: 0, timedOut: false }
  const others = configured.filter(it => !it.isOurs && !it.name.includes('='))
  const settings = others.map(it => `hook.${it.name}.enabled=false`)
  if (!isInFile) settings.push(`core.hooksPath=${scratch.folder}`)
  const own = join(scratch.folder, words.includes('run') ? hook.hook : 'commit')
  const trace = `${own}.trace`
  const index = `${own}.index`
  // Each hook gets its own index: two hooks that lock the same one at a time would fail.
  await copyFile(join(scratch.folder, 'index'), index).catch(() => {})
  const command = ['git', ...settings.flatMap(it => ['-c', it]), ...words].map(shellQuoted).join(' ')
  const env = { ...scratch.env, KOTEF: '', KOTEF_PROBE: '1', GIT_INDEX_FILE: index, GIT_TRACE2_EVENT: trace }
  const { timedOut } = await runShellCommand(command, { cwd: root, env, timeoutMs })
  return { ...hook, times: countHookExits(await readFile(trace, 'utf8').catch(() => '')), timedOut }
}

// The exit code of kotef's lines when KOTEF_PROBE is set. It stops a commit, so KOTEF_PROBE can't bypass a check.
const EXIT_PROBED = 86

// Git's trace names the programs that it ran as hooks, and their exit codes. A git that they start writes to the same
// trace, under another session id.
function countHookExits(trace: string): number {
  const events = trace.split('\n').flatMap(it => (parseObject(it) ?? []) as Trace2Event | [])
  const own = events.filter(it => it.sid === events[0]?.sid)
  const hooks = new Set(own.filter(it => it.child_class === 'hook').map(it => it.child_id))
  return own.filter(it => it.event === 'child_exit' && it.code === EXIT_PROBED && hooks.has(it.child_id)).length
}

type Trace2Event = {
  readonly event: string
  readonly sid: string
  readonly child_id?: number
  readonly child_class?: string
  readonly code?: number
}
