import { join, relative } from 'node:path'
import { layoutOf } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { GIT_HOOKS } from './hooks/hook-block.ts'
import { writeIfMissing } from './scaffold.ts'

/**
 * Excludes the ledger from git in all branches of a clone, by `info/exclude`: a branch from before kotef has no
 * `.gitignore` for it, and there `git add -A` would track the ledger.
 */
export async function excludeLedger(workspace: Workspace): Promise<void> {
  await addInfoLines(workspace, 'exclude', [ledgerPattern(workspace)])
}

/** Removes the exclusion. */
export async function includeLedger(workspace: Workspace): Promise<void> {
  await removeInfoLines(workspace, 'exclude', [ledgerPattern(workspace)])
}

/** A file in which a clone has settings that are not tracked: what git ignores, and attributes of paths. */
type InfoFile = 'exclude' | 'attributes'

/** Adds lines to such a file; true when one was missing. */
export async function addInfoLines(workspace: Workspace, name: InfoFile, lines: readonly string[]): Promise<boolean> {
  const missing = await missingInfoLines(workspace, name, lines)
  if (missing.length === 0) return false
  const text = (await readInfoFile(workspace, name)) ?? ''
  const end = text === '' || text.endsWith('\n') ? '' : '\n'
  const added = missing.map(it => `${it}\n`).join('')
  await workspace.files.replace(infoFilePath(workspace, name), `${text}${end}${added}`, 0o644)
  return true
}

/** Removes lines from such a file; true when it had one of them. A file of attributes that gets empty is removed. */
export async function removeInfoLines(
  workspace: Workspace,
  name: InfoFile,
  lines: readonly string[],
): Promise<boolean> {
  const text = await readInfoFile(workspace, name)
  const found = text?.split('\n') ?? []
  const rest = found.filter(it => !lines.includes(it)).join('\n')
  if (rest === text || text === null) return false
  const path = infoFilePath(workspace, name)
  if (rest === '' && name === 'attributes') await workspace.files.remove(path)
  else await workspace.files.replace(path, rest, 0o644)
  return true
}

/** The lines that such a file does not have. */
export async function missingInfoLines(
  workspace: Workspace,
  name: InfoFile,
  lines: readonly string[],
): Promise<string[]> {
  const found = (await readInfoFile(workspace, name))?.split('\n') ?? []
  return lines.filter(it => !found.includes(it))
}

async function readInfoFile(workspace: Workspace, name: InfoFile): Promise<string | null> {
  return (await workspace.files.read(infoFilePath(workspace, name)))?.toString('utf8') ?? null
}

function infoFilePath({ commonDir }: Workspace, name: InfoFile): string {
  return join(commonDir, 'info', name)
}

function ledgerPattern(workspace: Workspace): string {
  return `/${relative(workspace.root, layoutOf(workspace).ledger)}`
}

/**
 * Keeps git from checking out tracked hook files with CRLF line endings, which no shell can run. The user's own
 * attributes for these files, and an existing attributes file, are not changed.
 */
export async function writeEolAttributes(workspace: Workspace, folder: string): Promise<void> {
  if (!(await areLineEndsConverted(workspace, folder))) return
  await writeIfMissing(workspace, attributesPath(folder), EOL_ATTRIBUTES)
}

/** Removes the attributes file if it is unchanged; true when it was removed. */
export async function removeEolAttributes({ files }: Workspace, folder: string): Promise<boolean> {
  const found = await files.read(attributesPath(folder)).catch(() => null)
  if (found?.toString('utf8') !== EOL_ATTRIBUTES) return false
  await files.remove(attributesPath(folder))
  return true
}

const EOL_ATTRIBUTES = `# No shell reads a hook with the line ends of Windows. (\`kotef uninit\` removes this file.)
${GIT_HOOKS.map(it => `/${it} text eol=lf\n`).join('')}`

function attributesPath(folder: string): string {
  return join(folder, '.gitattributes')
}

// Only tracked files are checked out: not those outside of the worktree, and not ignored ones.
async function areLineEndsConverted({ root, commonDir, git }: Workspace, folder: string): Promise<boolean> {
  const path = relative(root, folder)
  if (path.startsWith('..') || folder.startsWith(`${commonDir}/`)) return false
  const hook = join(path, GIT_HOOKS[0])
  const values = await git.ask(eolAttributesQuery(hook))
  return values['eol'] === 'unspecified' && values['text'] !== 'unset' && (await git.ask(isIgnoredQuery(hook))) === ''
}

function eolAttributesQuery(path: string): GitQuery<Record<string, string>> {
  return {
    args: ['check-attr', '-z', 'text', 'eol', '--', path],
    parse: out => Object.fromEntries([...out.matchAll(/[^\0]*\0([^\0]*)\0([^\0]*)\0/g)].map(it => [it[1], it[2]])),
  }
}

function isIgnoredQuery(path: string): GitQuery<string> {
  return { args: ['check-ignore', '--', path], parse: out => out }
}
