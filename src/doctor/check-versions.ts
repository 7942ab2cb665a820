import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { readHookFile } from '../setup/hook-file.ts'
import { isWithin } from '../io/files/real-path.ts'
import { type CompiledPolicy, COMPILED_POLICY_VERSION } from '../scope/compiled-policy.ts'
import { VERSION } from '../io/files/package.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { DoctorProblem } from './doctor-problem.ts'
import { FIX_HINT, commandIn } from './check-hooks.ts'
import { type GitHook, blockOrigin, withBlock } from '../setup/hooks/hook-block.ts'
import { INSTALLED_FILES, readPackageFile } from '../setup/install-hooks.ts'
import { readInstalledHooks, type InstalledHooks } from '../setup/hooks/installed-hooks.ts'
import type { WorktreeProbe } from './probe-hooks.ts'

/** What is installed for the hooks: of which version, and which files are not as that version brings them. */
export type InstalledScripts = InstalledHooks & { readonly damaged: ReadonlySet<string> }

/** Looks at the scripts that every worktree of the clone shares. */
export async function readInstalledScripts(workspace: Workspace): Promise<InstalledScripts> {
  const { shared } = layoutOf(workspace)
  const damaged = new Set<string>()
  for (const { name, from } of INSTALLED_FILES) {
    const installed = await workspace.files.read(join(shared, name)).catch(() => null)
    if (!installed?.equals(await readPackageFile(workspace, from))) damaged.add(name)
  }
  return { ...(await readInstalledHooks(workspace)), damaged }
}

/** True when anything of kotef's is installed for the hooks of this clone. */
export async function hasInstalledScripts({ files, ...workspace }: Workspace): Promise<boolean> {
  const { shared } = layoutOf(workspace)
  const found = await Promise.all(INSTALLED_FILES.map(it => files.modifiedAt(join(shared, it.name))))
  return found.some(it => it !== null)
}

/** What is not of this version: the scripts, the lines that call them, and what was compiled for them. */
export async function checkVersions(
  workspace: Workspace,
  installed: InstalledScripts,
  probes: readonly WorktreeProbe[],
): Promise<DoctorProblem[]> {
  const scripts = checkScripts(workspace, installed)
  // A later version calls its scripts in its own way.
  const called = installed.found === 'newer' ? [] : probes.flatMap(it => it.hooks.map(hook => ({ exam: it, hook })))
  const lines = await Promise.all(called.map(it => checkHookLines(it.exam, it.hook)))
  const compiled = await Promise.all(probes.map(it => checkCompiledPolicy(it.worktree, installed)))
  return [...scripts, ...lines.flat(), ...compiled.flat(), ...(await checkNodePath(workspace))]
}

function checkScripts(workspace: Workspace, { found, version, damaged }: InstalledScripts): DoctorProblem[] {
  const { shared } = layoutOf(workspace)
  if (damaged.size === 0 && version === VERSION) return []
  const repair = { kind: 'scripts', at: [workspace.root] } as const
  if (version !== null && version !== VERSION) {
    const what = `the hooks' scripts in ${shared} are of kotef ${version}, and this is ${VERSION}`
    return found === 'newer'
      ? [{ what, fix: `Install it: \`npm i -D kotef-watch@${version}\`` }]
      : [{ what, fix: FIX_HINT, repair }]
  }
  const which = [...damaged].sort().join(', ') || 'version'
  const not = damaged.size > 1 ? 'are' : 'is'
  return [{ what: `in ${shared}, ${which} ${not} not as kotef ${VERSION} brings it`, fix: FIX_HINT, repair }]
}

async function checkHookLines(
  { worktree }: WorktreeProbe,
  found: WorktreeProbe['hooks'][number],
): Promise<DoctorProblem[]> {
  const text = (await readHookFile(found.script))?.text ?? ''
  const origin = blockOrigin(text)
  if (found.times === 0 || origin === null || !isBlockFirst(text)) return []
  if (withBlock(text, found.hook as GitHook, origin) === text) return []
  const what = `kotef's lines in ${found.script} are of another version`
  if (!isWithin(worktree.commonDir, found.script))
    return [{ what, fix: `Run \`${commandIn(worktree.root, 'kotef init')}\`` }]
  return [{ what, fix: FIX_HINT, repair: { kind: 'hooks', at: [worktree.root] } }]
}

/** True when nothing of the user's comes before kotef's lines. */
export function isBlockFirst(text: string): boolean {
  return /^(?:#!.*\n)?# >>> kotef/.test(text)
}

async function checkCompiledPolicy(worktree: Workspace, { version }: InstalledScripts): Promise<DoctorProblem[]> {
  const path = join(layoutOf(worktree).compiled, 'state.json')
  const text = (await worktree.files.read(path))?.toString('utf8')
  // What was never compiled is compiled by the next commit.
  if (text === undefined) return []
  const state = parseCompiledVersions(text)
  const repair = { kind: 'compiled', at: [worktree.root] } as const
  if (state === null) return [{ what: `${path} is damaged`, fix: FIX_HINT, repair }]
  const hooks = version ?? VERSION
  if (state.version === COMPILED_POLICY_VERSION && state.kotef === hooks) return []
  const by = state.kotef ?? 'of an earlier version'
  const what = `${path} was compiled by kotef ${by}, and the hooks are of ${hooks}`
  return [{ what, fix: FIX_HINT, repair }]
}

function parseCompiledVersions(text: string): Partial<Pick<CompiledPolicy, 'version' | 'kotef'>> | null {
  try {
    const state: unknown = JSON.parse(text)
    return typeof state === 'object' ? state : null
  } catch {
    return null
  }
}

// The PATH of a program with windows may have no node in it.
async function checkNodePath(workspace: Workspace): Promise<DoctorProblem[]> {
  const path = join(layoutOf(workspace).shared, 'node')
  const node = (await workspace.files.read(path))?.toString('utf8').trim()
  const runs = node
    ? await access(node, constants.X_OK).then(
        () => true,
        () => false,
      )
    : false
  if (runs) return []
  const what = node ? `the hooks start node as ${node}, which can't be run` : `${path} does not say where node is`
  return [{ what, fix: FIX_HINT, repair: { kind: 'scripts', at: [workspace.root] } }]
}
