import { join, relative } from 'node:path'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/**
 * Sees to it that git tracks the ledger in no branch of a clone: one that began before kotef came has no `.gitignore`
 * of kotef's, and git would take the ledger back with every checkout.
 */
export async function excludeLedger(workspace: Workspace): Promise<void> {
  const text = await readExcludeFile(workspace)
  if (!excludeLines(text).includes(ledgerPattern(workspace))) {
    const end = text === '' || text.endsWith('\n') ? '' : '\n'
    await workspace.files.replace(excludeFilePath(workspace), `${text}${end}${ledgerPattern(workspace)}\n`, 0o644)
  }
}

/** Takes that out again. */
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
