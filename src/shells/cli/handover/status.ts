import { watch } from 'node:fs'
import { join } from 'node:path'
import { SESSIONS_FOLDER } from '../../../core/handover/port.ts'
import { handoverView } from '../../../world/handover/session-view.ts'
import { handoverStatus, handoverStatusLines } from '../../../core/handover/handover-status.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import type { RunVerb, VerbCall } from '../verb.ts'
import { sessionArgument } from './session-option.ts'

/** `kotef handover status`: shows where a session is; with `--watch`, again whenever one of its files changes. */
export const showHandover: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const session = await sessionArgument(call, workspace)
  if (call.options['watch'] === true) return watchHandover(call, workspace, session)
  const view = await handoverView(workspace, session)
  return { text: handoverStatusLines(view).join('\n'), json: handoverStatus(view) }
}

// Programs write a file in several steps, so it is read when they are over.
const SETTLE_MS = 100

async function watchHandover(call: VerbCall, workspace: Workspace, name: string): Promise<null> {
  let last = ''
  const show = async (): Promise<void> => {
    const view = await handoverView(workspace, name)
    const text = call.options['json']
      ? JSON.stringify(handoverStatus(view))
      : [...handoverStatusLines(view), ''].join('\n')
    if (text !== last) call.print(text)
    last = text
  }
  await show()
  let timer: NodeJS.Timeout | null = null
  const watcher = watch(join(workspace.root, SESSIONS_FOLDER, name), { recursive: true }, () => {
    timer ??= setTimeout(() => {
      timer = null
      void show()
    }, SETTLE_MS)
  })
  call.onStarted()
  await new Promise(resolve => watcher.on('close', resolve))
  return null
}
