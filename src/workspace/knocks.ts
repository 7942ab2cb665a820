import { join } from 'node:path'
import { type Caller, CHARACTERS_MAX, fitting, type Knock, KNOCK_MS_MAX, readKnock } from '../agents/knock.ts'
import { ancestors } from '../io/ancestors.ts'
import { readPrivate } from '../io/private-file.ts'
import { takeOnce } from '../io/take-once.ts'
import type { Workspace } from './workspace.ts'

// An agent's hook and its MCP server are two processes, and only the hook is told of the agent's session. Whoever can
// write here as this user could knock in another's name, and could write the sessions just as well.

/** What it takes to leave a knock; a whole workspace will do. */
export type KnockPlace = Pick<Workspace, 'gitDir' | 'files' | 'clock'>

/** Leaves word for an agent's MCP server of which session is about to call it. For hooks: light, and quick. */
export async function leaveKnock(place: KnockPlace, knock: Omit<Knock, 'at' | 'host' | 'pids'>): Promise<void> {
  await sweep(place)
  const { files, clock } = place
  const at = clock.now()
  const { session, agent, model, tool, intent } = knock
  const text = JSON.stringify({ session, agent, model, tool, intent, at, host: clock.host, pids: ancestors() })
  // What can't be read again would only be in the way.
  if (text.length <= CHARACTERS_MAX) await files.put(join(folderOf(place), `${at}-${clock.uuid()}.json`), text)
}

/** Takes the knock that announced a call; null when there is none. Of several servers, one gets it. */
export async function takeKnock(place: KnockPlace, caller: Omit<Caller, 'now' | 'host'>): Promise<Knock | null> {
  const { clock } = place
  const known = { ...caller, now: clock.now(), host: clock.host }
  for (const { knock, name } of fitting(await knocksIn(place), known))
    if (await takeOnce(place.files, join(folderOf(place), name))) return knock
  return null
}

type Found = { readonly name: string; readonly knock: Knock }

async function knocksIn(place: KnockPlace): Promise<Found[]> {
  const names = (await place.files.list(folderOf(place))).filter(it => NAME.test(it)).slice(0, READ_MAX)
  return names.flatMap(name => {
    const knock = readKnock(readPrivate(join(folderOf(place), name)) ?? '')
    return knock ? [{ name, knock }] : []
  })
}

const NAME = /^(\d{1,15})-[\w-]+\.json$/

// Most are taken at once; what is left is of calls that never came.
async function sweep(place: KnockPlace): Promise<void> {
  const names = (await place.files.list(folderOf(place))).sort()
  const isYoung = (it: string) => Math.abs(place.clock.now() - Number(/^\d{1,15}(?=-)/.exec(it)?.[0])) <= KNOCK_MS_MAX
  const kept = names.filter(isYoung).slice(-KEPT_MAX)
  for (const name of names) {
    // Anything may lie here, also what can't be removed; that is no reason to stop the agent.
    if (!kept.includes(name)) await place.files.remove(join(folderOf(place), name)).catch(() => {})
  }
}

const KEPT_MAX = 64
const READ_MAX = 256

function folderOf({ gitDir }: Pick<KnockPlace, 'gitDir'>): string {
  return join(gitDir, 'kotef/knocks')
}
