import { join } from 'node:path'
import type { Random } from '../rig/random.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'
import type { ProgramResult } from '../rig/run-program.ts'

/** How a forge lands a pull request. */
export type Landing = 'merge' | 'squash' | 'rebase'

/** Somebody who commits, and the clone in which they do. */
export type Member = { readonly name: string; readonly email: string; readonly root: string }

/** An intent that main has, or that a pull request adds: open, with the one folder that its work is in. */
export type TeamIntent = {
  id: string
  readonly folder: string
  readonly owner: Member | null
  /** True if `release/1` was made before anybody wanted it. */
  readonly isLate: boolean
}

/** A branch that its author wants on main. */
export type PullRequest = {
  readonly number: number
  readonly kind: string
  readonly title: string
  readonly branch: string
  readonly author: Member
  /** Intents that it adds, and leaves open. */
  readonly adds: TeamIntent[]
  readonly cites: Set<string>
  /** What happens to it between its first check and its landing. */
  later: (() => Promise<void>) | null
  /** The landed request that it reverts. */
  reverts: LandedRequest | null
  /** The commits of branch and main of its last check that was green. */
  checked: { readonly head: string; readonly main: string; readonly remarks: string } | null
}

export type LandedRequest = {
  readonly request: PullRequest
  readonly way: Landing
  readonly before: string
  readonly after: string
  readonly paths: readonly string[]
}

/** Something that kotef refused, or had no way out of. */
export type Trouble = { readonly request: number; readonly kind: string; readonly what: string; readonly text: string }

export type TeamTally = {
  readonly requests: Map<string, number>
  readonly landings: Map<string, number>
  commits: number
  readonly expected: Trouble[]
  readonly wrong: Trouble[]
  readonly redRequests: Trouble[]
  readonly redMains: Trouble[]
  readonly deadEnds: Trouble[]
  /** Mains that are red because somebody pushed a stray file past all hooks: rightly. */
  strayMains: number
  /** Conflicts of backports that a person settled. */
  settled: number
  /** Why the days ended early: a fault of this program. */
  broken: string | null
}

export type TeamWorld = {
  readonly repo: Repo
  readonly random: Random
  readonly lands: Landing | 'all'
  readonly server: string
  /** Where pipelines run: it has the refs that actions/checkout fetches, and no hooks. */
  readonly runner: string
  /** Where the forge rebases. */
  readonly scratch: string
  readonly people: readonly Member[]
  /** Bots and agents in the cloud commit in a clone that kotef was not set up in. */
  readonly cloud: { readonly bot: Member; readonly agent: Member }
  readonly intents: TeamIntent[]
  readonly open: PullRequest[]
  readonly landed: LandedRequest[]
  /** Files that an open request changes: another one leaves them alone, so that git has no conflict. */
  readonly busy: Map<string, number>
  /** Numbers of requests that `release/1` has got. */
  readonly picked: Set<number>
  readonly tally: TeamTally
  requests: number
  files: number
  progress(line: string): void
}

/** Runs one command of a shell as a member, in their clone. */
export function playAs(world: TeamWorld, member: Member, command: string): Promise<ProgramResult> {
  const { name, email, root: cwd } = member
  // Whether an intent is in progress is found by the dates of commits and its own, which is of the real clock.
  const date = `${Math.floor(Date.now() / 1000)} +0000`
  const env = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
    GIT_SEQUENCE_EDITOR: ':',
  }
  return world.repo.run('sh', ['-ec', command], { cwd, env })
}

/** The same for what cannot fail, unless this program is wrong; what it prints, without white space around it. */
export async function mustPlay(world: TeamWorld, member: Member, command: string): Promise<string> {
  const { code, stdout, stderr } = await playAs(world, member, command)
  if (code !== 0)
    throw new Error(`${member.name}: ${command}\nended with ${code} in ${member.root}:\n${stderr}${stdout}`)
  return stdout.trim()
}

const EXISTING_FOLDERS = ['core', 'api', 'web', 'mail', 'legacy-a', 'legacy-b'].map(it => `packages/${it}`)
const OWNED_FOLDERS = EXISTING_FOLDERS.slice(0, 4)
const LATE_FOLDERS = EXISTING_FOLDERS.slice(4)

type Choices = Pick<TeamWorld, 'random' | 'lands' | 'progress'>

/** The server, five clones with kotef, one without, and a project with four intents. */
export async function openTeam(choices: Choices): Promise<TeamWorld> {
  const repo = await temporaryRepo()
  const at = (name: string) => join(repo.base, name)
  const memberAt = (name: string, root = at(name)): Member => ({ name, email: `${name}@example.com`, root })
  const world: TeamWorld = {
    ...choices,
    repo,
    server: at('server.git'),
    runner: at('runner'),
    scratch: at('scratch'),
    people: ['ada', 'ben', 'cleo', 'dan', 'eve'].map(it => memberAt(it)),
    cloud: { bot: memberAt('bot', at('cloud')), agent: memberAt('agent', at('cloud')) },
    intents: [],
    open: [],
    landed: [],
    busy: new Map(),
    picked: new Set(),
    tally: newTally(),
    requests: 0,
    files: 0,
  }
  await adopt(world, memberAt('ada', repo.root))
  for (const { root } of world.people) await repo.git('clone', '-q', world.server, root)
  for (const member of world.people) await mustPlay(world, member, 'kotef init --yes')
  for (const root of [world.runner, world.scratch, at('cloud')]) await repo.git('clone', '-q', world.server, root)
  return world
}

function newTally(): TeamTally {
  const [requests, landings] = [new Map<string, number>(), new Map<string, number>()]
  const none = { expected: [], wrong: [], redRequests: [], redMains: [], deadEnds: [] }
  return { requests, landings, commits: 0, ...none, strayMains: 0, settled: 0, broken: null }
}

const CONFIG = `version: 1
bots: [{ email: bot@example.com, paths: [package-lock.json] }]
watch: { autostart: false }
`

async function adopt(world: TeamWorld, first: Member): Promise<void> {
  const { repo, lands, intents } = world
  for (const folder of EXISTING_FOLDERS)
    for (const name of ['main', 'one', 'two'])
      await repo.write(`${folder}/${name}.ts`, `export const ${name} = 0\n// ${folder}\n`)
  await repo.write('package-lock.json', '{}\n')
  await repo.write('notes.txt', 'No intent owns this file.\n')
  await mustPlay(world, first, 'git add -A && git commit -qm first')
  await mustPlay(world, first, 'kotef init --yes --team')
  const add = async (folder: string, isLate: boolean) => {
    await mustPlay(world, first, `kotef intent add --name ${folder.slice(9)} --scope '${folder}/**'`)
    intents.push({ id: `INT-00${intents.length + 1}`, folder, owner: null, isLate })
  }
  for (const folder of OWNED_FOLDERS) await add(folder, false)
  await repo.write('.orchestration/config.yaml', `${CONFIG}${lands === 'all' ? '' : `verify: { lands: ${lands} }\n`}`)
  await mustPlay(world, first, "git add -A && git commit -qm adopt -m 'Governance: adopt kotef'")
  await mustPlay(world, first, 'git branch release/1')
  for (const folder of LATE_FOLDERS) await add(folder, true)
  await mustPlay(world, first, "git add -A && git commit -qm 'more intents' -m 'Governance: more intents'")
  await mustPlay(world, first, `git init -q --bare --initial-branch=main ${world.server}`)
  await mustPlay(world, first, `git remote add origin ${world.server} && git push -q --no-verify origin main release/1`)
}
