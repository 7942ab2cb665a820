import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { gitStatusOf } from '../../core/git/status.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'

/** True when a document differs from its file, or the file from HEAD. Git is asked only about a saved document. */
export async function isChangedDocument(
  { root, git }: Workspace,
  path: string,
  document: TextDocument,
): Promise<boolean> {
  const saved = await readFile(join(root, path), 'utf8').catch(() => null)
  // An editor keeps the mark of the byte order to itself.
  if (saved?.replace(/^\uFEFF/, '') !== document.getText().replace(/^\uFEFF/, '')) return true
  return (await git.tryAsk(gitStatusOf([path])))?.length !== 0
}
