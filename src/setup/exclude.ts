import { join, relative } from 'node:path'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

/**
 * Sees to it that git tracks the ledger in no branch of a clone: one that began before kotef came has no `.gitignore`
 * of kotef's, and git would take the ledger back with every checkout.
 */
export async function excludeLedger(workspace: Workspace): Promise<void> {
  const text = await excludedBy(workspace)
  if (!linesOf(text).includes(patternOf(workspace))) {
    const end = text === '' || text.endsWith('\n') ? '' : '\n'
    await workspace.files.replace(placeOf(workspace), `${text}${end}${patternOf(workspace)}\n`, 0o644)
  }
}

/** Takes that out again. */
export async function includeLedger(workspace: Workspace): Promise<void> {
  const text = await excludedBy(workspace)
  const rest = linesOf(text).filter(it => it !== patternOf(workspace))
  if (rest.length < linesOf(text).length) await workspace.files.replace(placeOf(workspace), rest.join('\n'), 0o644)
}

function linesOf(text: string): string[] {
  return text.split('\n')
}

async function excludedBy(workspace: Workspace): Promise<string> {
  return (await workspace.files.read(placeOf(workspace)))?.toString('utf8') ?? ''
}

function placeOf({ commonDir }: Workspace): string {
  return join(commonDir, 'info/exclude')
}

function patternOf(workspace: Workspace): string {
  return `/${relative(workspace.root, placesOf(workspace).ledger)}`
}
