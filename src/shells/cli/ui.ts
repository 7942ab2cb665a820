import { resolve } from 'node:path'
import { KotefError } from '../../core/base/failure.ts'
import type { VerbOutput } from '../../core/report/verb-output.ts'
import { plural, printable } from '../../core/base/printable.ts'
import type { ExportedPages } from '../ui/server/export-pages.ts'
import { openBrowser } from '../ui/server/open-browser.ts'
import { askPageProgram } from '../ui/server/page-program.ts'
import { ensureServer, stopServer } from '../ui/server/server-lifecycle.ts'
import { openWorkspace, type Workspace } from '../../world/io/worktree/workspace.ts'
import { parseWholeNumber, type RunVerb, textOption, type VerbCall } from './verb.ts'

/** `kotef ui`: shows the pages of this worktree in the browser, stops their server, or writes them as files. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const folder = textOption(call, 'export')
  if (folder !== null) return writePages(workspace, resolve(call.cwd, folder))
  return call.options['kill'] === true ? stop(workspace) : show(workspace, call)
}

async function writePages(workspace: Workspace, folder: string): Promise<VerbOutput> {
  const { pages, leftOut } = await askPageProgram<ExportedPages>(workspace, 'export', folder)
  const more = leftOut === 0 ? '' : `; ${plural(leftOut, 'page')} further away from the first were left out`
  return { text: `${plural(pages, 'page')} in ${printable(folder)}${more}.`, json: { folder, pages, leftOut } }
}

async function stop(workspace: Workspace): Promise<VerbOutput> {
  const stopped = await stopServer(workspace)
  const text = stopped === null ? 'No server of pages was running.' : `kotef stopped serving pages (pid ${stopped}).`
  return { text, json: { running: false, stopped } }
}

async function show(workspace: Workspace, call: VerbCall): Promise<VerbOutput> {
  const { url, pid, isNew } = await ensureServer(workspace, portOption(call))
  const isQuiet = call.options['open'] === false || call.options['json'] === true
  const isOpened = !isQuiet && (await openBrowser(workspace, url).catch(() => false))
  const already = isNew ? 'serves' : 'already serves'
  const lines = [
    `kotef ${already} the pages of this worktree (pid ${pid}). Stop it with \`kotef ui --kill\`.`,
    `${isOpened ? 'The browser opens them. Their address' : 'Their address'}, for you alone: ${url}`,
  ]
  return { text: lines.join('\n'), json: { url, pid } }
}

const PORT_MAX = 65_535

function portOption(call: VerbCall): number | null {
  const text = textOption(call, 'port')
  const port = text === null ? null : parseWholeNumber(text, '--port')
  if (port === null || port <= PORT_MAX) return port
  throw new KotefError('usage', `--port takes a number up to ${PORT_MAX}, not ${port}`)
}
