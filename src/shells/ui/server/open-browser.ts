import { type StartProgram, openPage } from '../../../world/io/process/open-page.ts'
import { htmlText } from '../../../core/base/markup.ts'
import { ownPath } from '../../../world/io/worktree/layout.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/**
 * Opens a page in the browser; false when that is not possible. The address has the token, and other users can read the
 * command line of every process: so the browser is given the path of a file that leads there, which they can't read.
 */
export async function openBrowser(workspace: Workspace, url: string, start?: StartProgram): Promise<boolean> {
  const path = ownPath(workspace, 'ui.html')
  const link = htmlText(url)
  const lines = [
    '<!doctype html>',
    '<meta charset="utf-8">',
    `<meta http-equiv="refresh" content="0; url=${link}">`,
    '<title>kotef</title>',
    `<p><a href="${link}">kotef</a></p>`,
  ]
  await workspace.files.replace(path, `${lines.join('\n')}\n`, 0o600)
  return openPage(path, start)
}
