import type { VerbOutput } from '../report/verb-output.ts'
import { openBrowser } from '../ui/open-browser.ts'
import { ensureServer, stopServer } from '../ui/server-lifecycle.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import { parseWholeNumber, type RunVerb, textOption, type VerbCall } from './verb.ts'

/** `kotef ui`: shows the pages of this worktree in the browser, or stops their server. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  return call.options['kill'] === true ? stop(workspace) : show(workspace, call)
}

async function stop(workspace: Workspace): Promise<VerbOutput> {
  const stopped = await stopServer(workspace)
  const text = stopped === null ? 'No server of pages was running.' : `kotef stopped serving pages (pid ${stopped}).`
  return { text, json: { running: false, stopped } }
}

async function show(workspace: Workspace, call: VerbCall): Promise<VerbOutput> {
  const port = textOption(call, 'port')
  const { url, pid, isNew } = await ensureServer(workspace, port === null ? null : parseWholeNumber(port, '--port'))
  const isQuiet = call.options['open'] === false || call.options['json'] === true
  const isOpened = !isQuiet && (await openBrowser(workspace, url).catch(() => false))
  const already = isNew ? 'serves' : 'already serves'
  const lines = [
    `kotef ${already} the pages of this worktree (pid ${pid}). Stop it with \`kotef ui --kill\`.`,
    `${isOpened ? 'The browser opens them. Their address' : 'Their address'}, for you alone: ${url}`,
  ]
  return { text: lines.join('\n'), json: { url, pid } }
}
