import { join } from 'node:path'
import {
  type ReceivedCall,
  ANNOUNCEMENT_CHARACTERS_MAX,
  matchingAnnouncements,
  type CallAnnouncement,
  ANNOUNCEMENT_MS_MAX,
  readAnnouncement,
} from '../agents/call-announcement.ts'
import { processAncestors } from '../io/process/ancestors.ts'
import { readPrivateFile } from '../io/files/private-file.ts'
import { takeFile } from '../io/files/take-file.ts'
import type { Workspace } from '../worktree/workspace.ts'

// An agent's hook and its MCP server are two processes, and only the hook is told of the agent's session. Whoever can
// write here as this user could knock in another's name, and could write the sessions just as well.

/** What it takes to leave a knock; a whole workspace will do. */
export type AnnouncementStore = Pick<Workspace, 'gitDir' | 'files' | 'clock'>

/** Leaves word for an agent's MCP server of which session is about to call it. For hooks: light, and quick. */
export async function announceCall(
  store: AnnouncementStore,
  announcement: Omit<CallAnnouncement, 'at' | 'host' | 'pids'>,
): Promise<void> {
  await sweepAnnouncements(store)
  const { files, clock } = store
  const at = clock.now()
  const { session, agent, model, tool, intent } = announcement
  const text = JSON.stringify({ session, agent, model, tool, intent, at, host: clock.host, pids: processAncestors() })
  // What can't be read again would only be in the way.
  if (text.length <= ANNOUNCEMENT_CHARACTERS_MAX)
    await files.put(join(announcementsFolder(store), `${at}-${clock.uuid()}.json`), text)
}

/** Takes the knock that announced a call; null when there is none. Of several servers, one gets it. */
export async function takeAnnouncement(
  store: AnnouncementStore,
  caller: Omit<ReceivedCall, 'now' | 'host'>,
): Promise<CallAnnouncement | null> {
  const { clock } = store
  const known = { ...caller, now: clock.now(), host: clock.host }
  for (const { knock, name } of matchingAnnouncements(await readAnnouncements(store), known))
    if (await takeFile(store.files, join(announcementsFolder(store), name))) return knock
  return null
}

type AnnouncementFile = { readonly name: string; readonly knock: CallAnnouncement }

async function readAnnouncements(store: AnnouncementStore): Promise<AnnouncementFile[]> {
  const names = (await store.files.list(announcementsFolder(store)))
    .filter(it => ANNOUNCEMENT_FILE_NAME.test(it))
    .slice(0, READ_ANNOUNCEMENTS_MAX)
  return names.flatMap(name => {
    const knock = readAnnouncement(readPrivateFile(join(announcementsFolder(store), name)) ?? '')
    return knock ? [{ name, knock }] : []
  })
}

const ANNOUNCEMENT_FILE_NAME = /^(\d{1,15})-[\w-]+\.json$/

// Most are taken at once; what is left is of calls that never came.
async function sweepAnnouncements(store: AnnouncementStore): Promise<void> {
  const names = (await store.files.list(announcementsFolder(store))).sort()
  const isYoung = (it: string) =>
    Math.abs(store.clock.now() - Number(/^\d{1,15}(?=-)/.exec(it)?.[0])) <= ANNOUNCEMENT_MS_MAX
  const kept = names.filter(isYoung).slice(-ANNOUNCEMENTS_MAX)
  for (const name of names) {
    // Anything may lie here, also what can't be removed; that is no reason to stop the agent.
    if (!kept.includes(name)) await store.files.remove(join(announcementsFolder(store), name)).catch(() => {})
  }
}

const ANNOUNCEMENTS_MAX = 64
const READ_ANNOUNCEMENTS_MAX = 256

function announcementsFolder({ gitDir }: Pick<AnnouncementStore, 'gitDir'>): string {
  return join(gitDir, 'kotef/knocks')
}
