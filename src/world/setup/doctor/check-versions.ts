import { join } from 'node:path'
import { isExecutable, readHookFile } from '../hook-file.ts'
import { isWithin } from '../../io/files/real-path.ts'
import {
  COMPILED_POLICY_VERSION,
  compilerOf,
  parseCompiledPolicy,
} from '../../../core/intents/scope/compiled-policy.ts'
import { VERSION } from '../../io/files/package.ts'
import { layoutOf } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import type { DoctorProblem } from './doctor-problem.ts'
import { commandIn, FIX_HINT } from './check-hooks.ts'
import { type GitHook, blockOrigin, withBlock } from '../hooks/hook-block.ts'
import { INSTALLED_FILES, PROGRAM_BYTES_MAX, readPackageFile } from '../install-hooks.ts'
import { hasMergeDriver } from '../merge-driver.ts'
import { readInstalledHooks, type InstalledHooks } from '../hooks/installed-hooks.ts'
import type { WorktreeProbe } from './probe-hooks.ts'

/** The scripts installed for the hooks: their version, and the files that differ from that version's. */
export type InstalledScripts = InstalledHooks & { readonly damaged: ReadonlySet<string> }

/** Reads the scripts that all worktrees of the clone share. */
export async function readInstalledScripts(workspace: Workspace): Promise<InstalledScripts> {
  const { shared } = layoutOf(workspace)
  const damaged = new Set<string>()
  for (const { name, from } of INSTALLED_FILES) {
    const installed = await workspace.files.read(join(shared, name), PROGRAM_BYTES_MAX).catch(() => null)
    if (!installed?.equals(await readPackageFile(workspace, from))) damaged.add(name)
  }
  return { ...(await readInstalledHooks(workspace)), damaged }
}

/** True when any script of kotef is installed for the hooks of this clone. */
export async function hasInstalledScripts({ files, ...workspace }: Workspace): Promise<boolean> {
  const { shared } = layoutOf(workspace)
  const found = await Promise.all(INSTALLED_FILES.map(it => files.modifiedAt(join(shared, it.name))))
  return found.some(it => it !== null)
}

/** Are the scripts, the lines that call them, or the compiled policy of another version? */
export async function checkVersions(
  workspace: Workspace,
  installed: InstalledScripts,
  probes: readonly WorktreeProbe[],
): Promise<DoctorProblem[]> {
  const scripts = checkScripts(workspace, installed)
  // A newer version may call its scripts by other lines.
  const called = installed.found === 'newer' ? [] : probes.flatMap(it => it.hooks.map(hook => ({ probe: it, hook })))
  const lines = await Promise.all(called.map(it => checkHookLines(it.probe, it.hook)))
  const compiled = await Promise.all(probes.map(it => checkCompiledPolicy(it.worktree, installed)))
  const more = [...(await checkNodePath(workspace)), ...(await checkMergeDriver(workspace, installed))]
  return [...scripts, ...lines.flat(), ...compiled.flat(), ...more]
}

function checkScripts(workspace: Workspace, { found, version, damaged }: InstalledScripts): DoctorProblem[] {
  const { shared } = layoutOf(workspace)
  if (damaged.size === 0 && version === VERSION) return []
  const repair = { kind: 'scripts', at: [workspace.root] } as const
  if (version !== null && version !== VERSION) {
    const message = `the hooks' scripts in ${shared} are of kotef ${version}, and this kotef is ${VERSION}`
    return found === 'newer'
      ? [{ message, hint: `Install it: \`npm i -D kotef-watch@${version}\`` }]
      : [{ message, hint: FIX_HINT, repair }]
  }
  const which = [...damaged].sort().join(', ') || 'version'
  const verb = damaged.size > 1 ? 'differ' : 'differs'
  return [{ message: `in ${shared}, ${which} ${verb} from kotef ${VERSION}`, hint: FIX_HINT, repair }]
}

async function checkHookLines(
  { worktree }: WorktreeProbe,
  found: WorktreeProbe['hooks'][number],
): Promise<DoctorProblem[]> {
  const text = (await readHookFile(found.script))?.text ?? ''
  const origin = blockOrigin(text)
  if (found.times === 0 || origin === null || !isBlockFirst(text)) return []
  if (withBlock(text, found.hook as GitHook, origin) === text) return []
  const message = `kotef's lines in ${found.script} are of another version`
  if (!isWithin(worktree.commonDir, found.script))
    return [{ message, hint: `Run \`${commandIn(worktree.root, 'kotef init')}\`` }]
  return [{ message, hint: FIX_HINT, repair: { kind: 'hooks', at: [worktree.root] } }]
}

/** True when a hook file has no other lines before kotef's. */
export function isBlockFirst(text: string): boolean {
  return /^(?:#!.*\n)?# >>> kotef/.test(text)
}

async function checkCompiledPolicy(worktree: Workspace, { version }: InstalledScripts): Promise<DoctorProblem[]> {
  const path = join(layoutOf(worktree).compiled, 'state.json')
  const text = (await worktree.files.read(path))?.toString('utf8')
  // The next commit compiles a policy that was never compiled.
  if (text === undefined) return []
  const state = compilerOf(text)
  const repair = { kind: 'compiled', at: [worktree.root] } as const
  const hooks = version ?? VERSION
  const isOfHooks = state?.version === COMPILED_POLICY_VERSION && state.kotef === hooks
  if (isOfHooks && parseCompiledPolicy(text) !== null) return []
  if (isOfHooks || state === null) return [{ message: `${path} is damaged`, hint: FIX_HINT, repair }]
  const by = state.kotef ?? 'of an earlier version'
  const message = `${path} was compiled by kotef ${by}, and the hooks are of ${hooks}`
  return [{ message, hint: FIX_HINT, repair }]
}

// The PATH of a graphical git client may have no node, so the hooks start node by the path in this file.
async function checkNodePath(workspace: Workspace): Promise<DoctorProblem[]> {
  const path = join(layoutOf(workspace).shared, 'node')
  const node = (await workspace.files.read(path))?.toString('utf8').trim()
  if (node && (await isExecutable(node))) return []
  const message = node
    ? `the hooks start node as ${node}, which can't be run`
    : `${path} does not name the path of node`
  return [{ message, hint: FIX_HINT, repair: { kind: 'scripts', at: [workspace.root] } }]
}

async function checkMergeDriver(workspace: Workspace, { found }: InstalledScripts): Promise<DoctorProblem[]> {
  if (found === 'newer' || (await hasMergeDriver(workspace))) return []
  const message =
    'git merges lines of the registry or the intent map, because its merge driver is not set up in this clone'
  return [{ message, hint: FIX_HINT, repair: { kind: 'driver', at: [workspace.root] } }]
}
