import { join, relative } from 'node:path'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

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
