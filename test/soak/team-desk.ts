import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ProgramResult } from '../rig/run-program.ts'
import { type Member, mustPlay, playAs, type PullRequest, type TeamIntent, type TeamWorld } from './team-world.ts'

/** A member at work on a request. */
export type Desk = { readonly world: TeamWorld; readonly request: PullRequest; readonly member: Member }

/** Ends the work on a request: kotef refused a step of it that is honest. */
export class WronglyRefused extends Error {}

/** Runs a command that kotef has no reason to refuse; what it prints. A refusal is noted, and ends the request. */
export async function playHonestly(desk: Desk, command: string): Promise<string> {
  const result = await playAs(desk.world, desk.member, command)
  if (result.code === 0) return outputOf(result)
  throw noteRefusal(desk, command, outputOf(result))
}

/** The error to throw for a command that failed: this program is wrong if kotef had no part in it. */
export function noteRefusal({ world, request, member }: Desk, command: string, text: string): Error {
  const isOfKotef = /^ {2}block /m.test(text) || (/^kotef: /m.test(text) && command.includes('kotef '))
  if (!isOfKotef) return new Error(`#${request.number} (${request.kind}), ${member.name}: ${command} failed:\n${text}`)
  const trouble = { request: request.number, kind: request.kind, what: command, text }
  world.tally.wrong.push(trouble)
  world.progress(`#${request.number} (${request.kind}): ${command} was refused:\n${text}`)
  return new WronglyRefused(command)
}

export function outputOf({ stdout, stderr }: ProgramResult): string {
  return `${stderr}${stdout}`.trim()
}

/** A branch from main, as the server has it now. */
export async function startBranch({ world, request, member }: Desk): Promise<void> {
  await mustPlay(
    world,
    member,
    `git fetch -q --prune origin && git switch -q --no-track -c ${request.branch} origin/main`,
  )
}

/** Pushes for the first time, by the hook. */
export async function pushBranch(desk: Desk): Promise<void> {
  await playHonestly(desk, `git push -q -u origin ${desk.request.branch}`)
}

/** Some files of an intent's folder change, and are committed; in one of the ways in which a commit gets its intent. */
export async function commitWork(desk: Desk, intent: TeamIntent, subject = 'work'): Promise<void> {
  const { world, request, member } = desk
  changeFolder(desk, intent.folder)
  request.cites.add(intent.id)
  const way = world.random.below(3)
  // A session that another clone has is not this member's to have.
  if (way === 0 && intent.owner === member) await playHonestly(desk, `kotef intent start ${intent.id}`)
  const trailer = way === 1 ? ` -m 'Intent-ID: ${intent.id}'` : ''
  await playHonestly(desk, `git add -A && git commit -qm '${intent.folder}: ${subject}'${trailer}`)
}

/** An intent of a new folder, in a commit of its own. */
export async function addIntent(desk: Desk): Promise<TeamIntent> {
  const { member, request } = desk
  const folder = `packages/n${request.number}`
  const added = await playHonestly(desk, `kotef intent add --name n${request.number} --scope '${folder}/**' --commit`)
  const [, id = ''] = /^Added (\S+):/m.exec(added) ?? []
  const intent = { id, folder, owner: member, isLate: true }
  request.adds.push(intent)
  request.cites.add(id)
  return intent
}

/** Changes files of a folder that no open request changes: new ones, and more in old ones. */
export function changeFolder(desk: Desk, folder: string): void {
  for (let left = 1 + desk.world.random.below(2); left > 0; left--) changeFile(desk, folder)
}

function changeFile(desk: Desk, folder: string): void {
  const { world, request, member } = desk
  const { random, busy } = world
  mkdirSync(join(member.root, folder), { recursive: true })
  const paths = readdirSync(join(member.root, folder)).toSorted()
  const free = paths.map(it => `${folder}/${it}`).filter(it => (busy.get(it) ?? request.number) === request.number)
  const isNew = free.length === 0 || random.below(3) === 0
  // Most changes of old code are of one file, so that a backport without those before it has a conflict.
  const main = free.find(it => it.endsWith('/main.ts'))
  const old = main !== undefined && random.below(2) === 0 ? main : random.pick([...free, folder])
  if (isNew || old === folder) addLine(desk, `${folder}/f${request.number}-${world.files++}.ts`)
  else addLine(desk, old)
}

/** Adds a line to a file, which is then the request's. */
export function addLine({ world, request, member: { root } }: Desk, path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  appendFileSync(join(root, path), `// request ${request.number}: ${world.random.below(1_000_000)}\n`)
  world.busy.set(path, request.number)
}

/** Writes a file of one line, which is then the request's. */
export function putFile({ world, request, member: { root } }: Desk, path: string): void {
  writeFileSync(join(root, path), `{ "request": ${request.number} }\n`)
  world.busy.set(path, request.number)
}

/** Puts a clone back after a refusal, whatever was going on in it. */
export async function clearDesk({ world, member }: Desk): Promise<void> {
  const ends = ['merge', 'rebase', 'cherry-pick', 'revert'].map(it => `git ${it} --abort 2>../out || :`).join('; ')
  await mustPlay(world, member, `${ends}; git reset -q --hard; git clean -fdq; git switch -q --detach origin/main`)
}
