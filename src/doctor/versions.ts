import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { readHookFile } from '../io/hook-file.ts'
import { isWithin } from '../io/real-path.ts'
import { type State, STATE_VERSION } from '../scope/state.ts'
import { VERSION } from '../package.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import type { Complaint } from './complaint.ts'
import { FIX, inside } from './hooks.ts'
import { type Hook, originOf, withBlock } from '../setup/hook-block.ts'
import { INSTALLED, packaged } from '../setup/install.ts'
import { installedHooks, type InstalledHooks } from '../setup/installed-hooks.ts'
import type { Examination } from './probe.ts'

/** What is installed for the hooks: of which version, and which files are not as that version brings them. */
export type Installed = InstalledHooks & { readonly damaged: ReadonlySet<string> }

/** Looks at the scripts that every worktree of the clone shares. */
export async function readInstalled(workspace: Workspace): Promise<Installed> {
  const { shared } = placesOf(workspace)
  const damaged = new Set<string>()
  for (const { name, from } of INSTALLED) {
    const installed = await workspace.files.read(join(shared, name)).catch(() => null)
    if (!installed?.equals(await packaged(workspace, from))) damaged.add(name)
  }
  return { ...(await installedHooks(workspace)), damaged }
}

/** True when anything of kotef's is installed for the hooks of this clone. */
export async function isInstalled({ files, ...workspace }: Workspace): Promise<boolean> {
  const { shared } = placesOf(workspace)
  const found = await Promise.all(INSTALLED.map(it => files.modifiedAt(join(shared, it.name))))
  return found.some(it => it !== null)
}

/** What is not of this version: the scripts, the lines that call them, and what was compiled for them. */
export async function versionComplaints(
  workspace: Workspace,
  installed: Installed,
  exams: readonly Examination[],
): Promise<Complaint[]> {
  const scripts = scriptComplaints(workspace, installed)
  // A later version calls its scripts in its own way.
  const called = installed.found === 'newer' ? [] : exams.flatMap(it => it.hooks.map(hook => ({ exam: it, hook })))
  const lines = await Promise.all(called.map(it => lineComplaints(it.exam, it.hook)))
  const compiled = await Promise.all(exams.map(it => compiledComplaints(it.worktree, installed)))
  return [...scripts, ...lines.flat(), ...compiled.flat(), ...(await nodeComplaints(workspace))]
}

function scriptComplaints(workspace: Workspace, { found, version, damaged }: Installed): Complaint[] {
  const { shared } = placesOf(workspace)
  if (damaged.size === 0 && version === VERSION) return []
  const repair = { kind: 'scripts', at: [workspace.root] } as const
  if (version !== null && version !== VERSION) {
    const what = `the hooks' scripts in ${shared} are of kotef ${version}, and this is ${VERSION}`
    return found === 'newer'
      ? [{ what, fix: `Install it: \`npm i -D kotef-watch@${version}\`` }]
      : [{ what, fix: FIX, repair }]
  }
  const which = [...damaged].sort().join(', ') || 'version'
  const not = damaged.size > 1 ? 'are' : 'is'
  return [{ what: `in ${shared}, ${which} ${not} not as kotef ${VERSION} brings it`, fix: FIX, repair }]
}

async function lineComplaints({ worktree }: Examination, found: Examination['hooks'][number]): Promise<Complaint[]> {
  const text = (await readHookFile(found.script))?.text ?? ''
  const origin = originOf(text)
  if (found.times === 0 || origin === null || !isFirst(text)) return []
  if (withBlock(text, found.hook as Hook, origin) === text) return []
  const what = `kotef's lines in ${found.script} are of another version`
  if (!isWithin(worktree.commonDir, found.script))
    return [{ what, fix: `Run \`${inside(worktree.root, 'kotef init')}\`` }]
  return [{ what, fix: FIX, repair: { kind: 'hooks', at: [worktree.root] } }]
}

/** True when nothing of the user's comes before kotef's lines. */
export function isFirst(text: string): boolean {
  return /^(?:#!.*\n)?# >>> kotef/.test(text)
}

async function compiledComplaints(worktree: Workspace, { version }: Installed): Promise<Complaint[]> {
  const path = join(placesOf(worktree).compiled, 'state.json')
  const text = (await worktree.files.read(path))?.toString('utf8')
  // What was never compiled is compiled by the next commit.
  if (text === undefined) return []
  const state = stateIn(text)
  const repair = { kind: 'compiled', at: [worktree.root] } as const
  if (state === null) return [{ what: `${path} is damaged`, fix: FIX, repair }]
  const hooks = version ?? VERSION
  if (state.version === STATE_VERSION && state.kotef === hooks) return []
  const by = state.kotef ?? 'of an earlier version'
  const what = `${path} was compiled by kotef ${by}, and the hooks are of ${hooks}`
  return [{ what, fix: FIX, repair }]
}

function stateIn(text: string): Partial<Pick<State, 'version' | 'kotef'>> | null {
  try {
    const state: unknown = JSON.parse(text)
    return typeof state === 'object' ? state : null
  } catch {
    return null
  }
}

// The PATH of a program with windows may have no node in it.
async function nodeComplaints(workspace: Workspace): Promise<Complaint[]> {
  const path = join(placesOf(workspace).shared, 'node')
  const node = (await workspace.files.read(path))?.toString('utf8').trim()
  const runs = node
    ? await access(node, constants.X_OK).then(
        () => true,
        () => false,
      )
    : false
  if (runs) return []
  const what = node ? `the hooks start node as ${node}, which can't be run` : `${path} does not say where node is`
  return [{ what, fix: FIX, repair: { kind: 'scripts', at: [workspace.root] } }]
}
