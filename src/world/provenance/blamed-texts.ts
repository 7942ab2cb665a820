import { join } from 'node:path'
import { byteLines } from '../../core/base/lines.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { LARGE_FILE_BYTES_MAX } from '../io/files/regular-file.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/**
 * The texts of the lines that git blames: those of a revision or, with null, of the worktree. A filter or an encoding
 * gives git other lines than the file on the disk has; then they are git's.
 */
export async function blamedTexts(
  workspace: Workspace,
  { path, revision }: { readonly path: string; readonly revision: string | null },
): Promise<readonly string[]> {
  const { root, git, files } = workspace
  if (revision !== null) return textsOf(await git.bytes(['show', '--end-of-options', `${revision}:${path}`]))
  if (await git.ask(isConverted(path))) return textsOf(await cleanedBytes(workspace, path))
  return textsOf(await files.read(join(root, path), LARGE_FILE_BYTES_MAX))
}

function textsOf(bytes: Buffer | null): string[] {
  return bytes ? byteLines(bytes).map(it => Buffer.from(it).toString('utf8')) : []
}

/** True for a path whose content in git may have other lines than its file. Line endings change none. */
function isConverted(path: string): GitQuery<boolean> {
  return {
    args: ['check-attr', '-z', 'filter', 'working-tree-encoding', 'ident', '--', path],
    parse: out => out.split('\0').some((it, n) => n % 3 === 2 && !['unspecified', 'unset'].includes(it)),
  }
}

// In this form git prints each line after a tab, in the order of the file.
async function cleanedBytes({ git }: Workspace, path: string): Promise<Buffer> {
  const out = await git.bytes(['blame', '--porcelain', '--root', '--', path])
  const lines = out.toString('latin1').split('\n')
  return Buffer.from(lines.flatMap(it => (it.startsWith('\t') ? [`${it.slice(1)}\n`] : [])).join(''), 'latin1')
}
