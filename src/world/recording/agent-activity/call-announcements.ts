import {
  type ReceivedCall,
  ANNOUNCEMENT_CHARACTERS_MAX,
  matchingAnnouncements,
  type CallAnnouncement,
  readAnnouncement,
} from '../../../core/agents/call-announcement.ts'
import { ANNOUNCEMENT_MS_MAX } from '../../../core/base/thresholds.ts'
import { processAncestors } from '../../io/process/processes.ts'
import { recordDir } from '../../io/worktree/record-dir.ts'
import type { GitDirAccess, Workspace } from '../../io/worktree/workspace.ts'

// An agent's hook and its MCP server are two processes, and only the hook knows the agent's session: the hook announces
// each call to the server. A process that can write here as this user could forge an announcement, but it could forge
// a session file as well.

/** What announcements need of a workspace. */
export type AnnouncementAccess = GitDirAccess & Pick<Workspace, 'clock'>

/** Announces to an agent's MCP server which session is about to call it. Runs in the agent's hook. */
export async function announceCall(
  access: AnnouncementAccess,
  announcement: Omit<CallAnnouncement, 'at' | 'host' | 'pids'>,
): Promise<void> {
  const { clock } = access
  const at = clock.now()
  const { session, agent, model, tool, intent } = announcement
  const announced = { session, agent, model, tool, intent, at, host: clock.host, pids: processAncestors() }
  // A longer text is refused when it is read.
  if (JSON.stringify(announced).length > ANNOUNCEMENT_CHARACTERS_MAX) return
  await announcementsDir(access).put(`${at}-${clock.uuid()}.json`, announced)
}

/** Takes the announcement of a call; null when there is none. Of several servers, exactly one gets it. */
export async function takeAnnouncement(
  access: AnnouncementAccess,
  caller: Omit<ReceivedCall, 'now' | 'host'>,
): Promise<CallAnnouncement | null> {
  const { clock } = access
  const announcements = announcementsDir(access)
  const call = { ...caller, now: clock.now(), host: clock.host }
  for (const { record, name } of matchingAnnouncements(await announcements.list(READ_ANNOUNCEMENTS_MAX), call))
    if (await announcements.take(name)) return record
  return null
}

// An announcement is taken within milliseconds; those that stay belong to calls that never came.
const ANNOUNCEMENTS_MAX = 64

// Limits the time of a call when another program has filled the folder.
const READ_ANNOUNCEMENTS_MAX = 256

function announcementsDir(access: GitDirAccess) {
  return recordDir(access, {
    folder: ['knocks'],
    fileName: /^\d{1,15}-[\w-]+\.json$/,
    parse: readAnnouncement,
    isPrivate: true,
    max: ANNOUNCEMENTS_MAX,
    ttlMs: ANNOUNCEMENT_MS_MAX,
  })
}
