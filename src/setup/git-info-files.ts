import { join, relative } from 'node:path'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { GitQuery } from '../git/query.ts'
import { GIT_HOOKS } from './hooks/hook-block.ts'
import { writeIfMissing } from './scaffold.ts'

/**
 * Excludes the ledger from git in all branches of a clone, by `info/exclude`: a branch from before kotef has no
 * `.gitignore` for it, and there `git add -A` would track the ledger.
 */
export async function excludeLedger(workspace: Workspace): Promise<void> {
  const text = await readExcludeFile(workspace)
  if (!excludeLines(text).includes(ledgerPattern(workspace))) {
    const end = text === '' || text.endsWith('\n') ? '' : '\n'
    await workspace.files.replace(excludeFilePath(workspace), `${text}${end}${ledgerPattern(workspace)}\n`, 0o644)
  }
}

/** Removes the exclusion. */
export async function includeLedger(workspace: Workspace): Promise<void> {
  const text = await readExcludeFile(workspace)
  const rest = excludeLines(text).filter(it => it !== ledgerPattern(workspace))
  if (rest.length < excludeLines(text).length)
    await workspace.files.replace(excludeFilePath(workspace), rest.join('\n'), 0o644)
}

function excludeLines(text: string): string[] {
  return text.split('\n')
}

async function readExcludeFile(workspace: Workspace): Promise<string> {
  return (await workspace.files.read(excludeFilePath(workspace)))?.toString('utf8') ?? ''
}

function excludeFilePath({ commonDir }: Workspace): string {
  return join(commonDir, 'info/exclude')
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
