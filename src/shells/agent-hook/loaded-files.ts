import { lstat, opendir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Target } from '../../core/agents/tool-targets.ts'
import type { ToolCall } from '../../core/agents/gate/parse-tool-call.ts'
import type { ShellEffects } from '../../core/agents/gate/shell/effect.ts'
import { disk } from '../../world/io/files/files.ts'
import { isWithin } from '../../world/io/files/real-path.ts'
import { folderFrom } from './folder-from.ts'

/**
 * A call counts as opaque when a program of it loads files of other folders, and runs what they say. One that only
 * reads may enter them: a clone can bring the files of a git directory, or a module with the name of one of Python's
 * own. One that writes may also put there what it loads, and may name a remote, whose hooks git runs. The folder in
 * which it starts is `cwd`.
 */
export async function withLoadedFiles(call: ToolCall, cwd: string): Promise<ToolCall> {
  const { shell } = call
  const reading = shell?.kind === 'read' ? await whyOpaqueIn(shell, cwd) : null
  const why = shell?.kind === 'write' ? await whyWriteOpaque(shell, cwd) : reading
  return shell && why !== null ? { ...call, shell: { ...shell, kind: 'opaque', why } } : call
}

async function whyOpaqueIn({ folders, loads }: ShellEffects, cwd: string): Promise<string | null> {
  if (folders.length > FOLDERS_MAX) return 'it enters many folders'
  for (const it of enteredFolders(folders, cwd)) if (await isInGitDir(it)) return RUNS_CONFIG
  return whyLoadsOpaque(loads, cwd)
}

async function whyWriteOpaque(shell: ShellEffects, cwd: string): Promise<string | null> {
  return (
    whyWrittenOpaque(shell, cwd) ?? (await whyLoadsOpaque(shell.loads, cwd)) ?? (await whyRemotesOpaque(shell, cwd))
  )
}

// A line that writes what it loads may put a program there: for JSON a link or a folder, for Python a module.
function whyWrittenOpaque({ loads, targets }: ShellEffects, cwd: string): string | null {
  for (const { what, path } of loads) {
    const loaded = folderFrom(cwd, path)
    for (const target of targets) {
      const written = folderFrom(cwd, target.path)
      const isAbout = written === loaded || isWithin(loaded, written)
      if (what === 'JSON of Node' && (isAbout || isWithin(written, loaded))) return RUNS_PROGRAM
      if (what === 'modules of Python' && isAbout && mayBeModule(target)) return RUNS_MODULES
    }
  }
  return null
}

// What is moved or copied to a name without a suffix may be a folder of modules.
function mayBeModule({ path, into }: Target): boolean {
  return [path, ...(into ?? [])].some(it => MODULE.test(it)) || (into !== undefined && /(?:^|\/)\w+\/?$/.test(path))
}

async function whyLoadsOpaque(loads: ShellEffects['loads'], cwd: string): Promise<string | null> {
  const imports = loads.filter(it => it.what === 'modules of Python')
  for (const { path } of imports) if (await hasModules(folderFrom(cwd, path))) return RUNS_MODULES
  const texts = loads.filter(it => it.what === 'JSON of Node')
  for (const { path } of texts) if (!(await isFile(folderFrom(cwd, path)))) return RUNS_PROGRAM
  return null
}

async function whyRemotesOpaque({ folders, loads }: ShellEffects, cwd: string): Promise<string | null> {
  if (!loads.some(it => it.what === 'remotes of git')) return null
  if (folders.length > FOLDERS_MAX) return 'it enters many folders'
  // Few calls work with a remote.
  const { whyRemotesRun } = await import('./remote-folders.ts')
  return whyRemotesRun(loads, enteredFolders(folders, cwd))
}

const RUNS_CONFIG = 'git takes a folder that it enters for a repository, and may run what the config there names'
const RUNS_MODULES = 'Python may run a module of that folder (`python3 -I -m json.tool` does not)'
const RUNS_PROGRAM = 'Node runs a program in the place of that file, which is a link or no file'

// Each one doubles the folders to look at: it may be relative to any of those before it.
const FOLDERS_MAX = 6

function enteredFolders(names: readonly string[], cwd: string): ReadonlySet<string> {
  const folders = new Set([cwd])
  for (const name of names) for (const from of [...folders]) folders.add(folderFrom(from, name))
  return folders
}

// True when git, started in a folder, finds a git directory that is not named `.git`: no clone brings one of that name.
async function isInGitDir(folder: string): Promise<boolean> {
  if (/(?:^|\/)\.git(?:\/|$)/.test(folder)) return false
  for (let at = folder; ; at = dirname(at)) {
    if (await isThere(join(at, '.git'))) return false
    if (await hasFilesOfGit(at)) return true
    if (at === dirname(at)) return false
  }
}

// As git decides it; the directory of a linked worktree names another one in place of the other two.
async function hasFilesOfGit(folder: string): Promise<boolean> {
  const has = (name: string): Promise<boolean> => isThere(join(folder, name))
  return (await has('HEAD')) && ((await has('commondir')) || ((await has('objects')) && (await has('refs'))))
}

async function isThere(path: string): Promise<boolean> {
  return (await disk.modifiedAt(path).catch(() => null)) !== null
}

// Node takes the type of a file from the name that a link leads to, and looks for a program in a folder.
async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFile() === true
}

// Any of them may have the name of a module that Python loads; a folder without such a file comes after Python's own.
async function hasModules(folder: string): Promise<boolean> {
  if (process.env['PYTHONPATH']) return true
  const names = await firstNames(folder)
  let count = names.length
  if (names.some(it => MODULE.test(it))) return true
  for (const it of names.filter(name => /^\w+$/.test(name))) {
    const inside = await firstNames(join(folder, it))
    if (inside.some(name => PACKAGE.test(name)) || (count += inside.length) > NAMES_MAX) return true
  }
  return count > NAMES_MAX
}

const MODULE = /\.(?:pyc?|pyd|so)$/i
const PACKAGE = /^__init__\./i
// An agent waits meanwhile.
const NAMES_MAX = 5_000

/** The names in a folder, at most one more than `NAMES_MAX`; none when it can't be read. */
async function firstNames(path: string): Promise<readonly string[]> {
  const names: string[] = []
  const folder = await opendir(path).catch(() => null)
  for await (const { name } of folder ?? []) if (names.push(name) > NAMES_MAX) break
  return names
}
