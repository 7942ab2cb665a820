import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProgramResult } from '../rig/run-program.ts'
import { outputOf } from './team-desk.ts'
import { type Landing, type Member, mustPlay, playAs, type PullRequest, type TeamWorld } from './team-world.ts'

/** What the forge says of a request: a conflict, for which it runs no pipeline, or what `kotef verify --ci` says. */
export type CheckResult =
  | { readonly state: 'conflict' }
  | { readonly state: 'green' | 'red'; readonly text: string; readonly head: string; readonly main: string }

/** The merge button's person: GitHub commits what it lands. */
const FORGE = { name: 'GitHub', email: 'noreply@github.com' }

export function onServer(world: TeamWorld, command: string, author: Pick<Member, 'name' | 'email'> = FORGE) {
  return mustPlay(world, { ...author, root: world.server }, command)
}

export function tipOf(world: TeamWorld, branch: string): Promise<string> {
  return onServer(world, `git rev-parse refs/heads/${branch}`)
}

/** The pipeline of GitHub's event `pull_request`, on the forge's merge of the branch into main. */
export async function checkRequest(world: TeamWorld, { number, branch, author }: PullRequest): Promise<CheckResult> {
  const [main, head] = [await tipOf(world, 'main'), await tipOf(world, branch)]
  const tree = await mergedTree(world, main, head)
  if (tree === null) return { state: 'conflict' }
  const words = `-p ${main} -p ${head} -m 'Merge ${head} into ${main}'`
  const landing = await onServer(world, `git commit-tree ${tree} ${words}`, author)
  await onServer(world, `git update-ref refs/pull/${number}/merge ${landing}`)
  const pull = { number, base: { sha: main, ref: 'main' }, head: { sha: head, ref: branch } }
  const event = { pull_request: pull, repository: { default_branch: 'main' } }
  await fetchRefs(world, `+refs/pull/${number}/merge:refs/remotes/pull/${number}/merge`)
  const result = await runPipeline(world, { name: 'pull_request', sha: landing, event })
  return { state: result.code === 0 ? 'green' : 'red', text: outputOf(result), head, main }
}

/** The pipeline for a push to main. */
export async function checkMain(world: TeamWorld, before: string): Promise<ProgramResult> {
  const after = await tipOf(world, 'main')
  await fetchRefs(world)
  const event = { before, after, ref: 'refs/heads/main', repository: { default_branch: 'main' } }
  return runPipeline(world, { name: 'push', sha: after, event })
}

/** `kotef verify` of a branch that has no pipeline. */
export async function checkBranch(world: TeamWorld, range: string): Promise<ProgramResult> {
  await fetchRefs(world)
  return playAs(world, { ...FORGE, root: world.runner }, `kotef verify ${range}`)
}

/** The tree of a merge that git makes without a conflict; null for a conflict. A forge has no merge driver. */
async function mergedTree(world: TeamWorld, main: string, head: string): Promise<string | null> {
  const { code, stdout } = await playAs(
    world,
    { ...FORGE, root: world.server },
    `git merge-tree --write-tree ${main} ${head}`,
  )
  return code === 0 ? stdout.trim() : null
}

async function fetchRefs(world: TeamWorld, more = ''): Promise<void> {
  const forge = { ...FORGE, root: world.runner }
  await mustPlay(world, forge, `git fetch -q --prune origin '+refs/heads/*:refs/remotes/origin/*'`)
  if (more !== '') await mustPlay(world, forge, `git fetch -q origin ${more}`)
  await playAs(world, forge, 'git fetch -q origin refs/notes/kotef:refs/notes/kotef')
}

type PipelineRun = { readonly name: string; readonly sha: string; readonly event: object }

async function runPipeline(world: TeamWorld, { name, sha, event }: PipelineRun): Promise<ProgramResult> {
  const path = join(world.repo.base, 'event.json')
  await writeFile(path, JSON.stringify(event))
  await mustPlay(world, { ...FORGE, root: world.runner }, `git checkout -q --detach ${sha}`)
  const env = { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path, GITHUB_SHA: sha }
  return world.repo.run('kotef', ['verify', '--ci'], { cwd: world.runner, env })
}

/** Lands a request that has no conflict with main; null if the forge can't, because its commits have conflicts. */
export async function landRequest(world: TeamWorld, request: PullRequest, way: Landing): Promise<string | null> {
  const [main, head] = [await tipOf(world, 'main'), await tipOf(world, request.branch)]
  const range = { main, head, tree: (await mergedTree(world, main, head)) ?? '' }
  const landed = await LANDINGS[way](world, request, range)
  if (landed !== null) await onServer(world, `git update-ref refs/heads/main ${landed} ${main}`)
  return landed
}

type Range = { readonly main: string; readonly head: string; readonly tree: string }
type Land = (world: TeamWorld, request: PullRequest, range: Range) => Promise<string | null>

const LANDINGS: Readonly<Record<Landing, Land>> = {
  merge: (world, { number, branch, title, author }, { main, head, tree }) =>
    commitOnServer(world, author, {
      words: `${tree} -p ${main} -p ${head}`,
      message: `Merge pull request #${number} from team/${branch}\n\n${title}\n`,
    }),
  squash: async (world, request, { main, head, tree }) => {
    const { author, message } = await squashOf(world, request, `${main}..${head}`)
    return commitOnServer(world, author, { words: `${tree} -p ${main}`, message })
  },
  rebase: async (world, _, { main, head }) => {
    const forge = { ...FORGE, root: world.scratch }
    await mustPlay(world, forge, 'git fetch -q --prune origin')
    const { code } = await playAs(world, forge, `git checkout -q --detach ${head} && git rebase -q ${main}`)
    if (code !== 0) return (await mustPlay(world, forge, 'git rebase --abort'), null)
    await mustPlay(world, forge, 'git push -q -f origin HEAD:refs/heads/rebased')
    return onServer(world, 'git rev-parse rebased && git update-ref -d refs/heads/rebased')
  },
}

type NewCommit = { readonly words: string; readonly message: string }

async function commitOnServer(
  world: TeamWorld,
  author: Pick<Member, 'name' | 'email'>,
  { words, message }: NewCommit,
): Promise<string> {
  const path = join(world.repo.base, 'message')
  await writeFile(path, message)
  const committer = `GIT_COMMITTER_NAME='${FORGE.name}' GIT_COMMITTER_EMAIL='${FORGE.email}'`
  return onServer(world, `${committer} git commit-tree ${words} -F ${path}`, author)
}

// GitHub's message: of one commit its own, of several the title and each commit as an item, then the other authors.
async function squashOf(world: TeamWorld, { number, title }: PullRequest, range: string) {
  const format = '%an%x00%ae%x00%s%x00%b%x01'
  const log = await onServer(world, `git log --reverse --topo-order --format='${format}' ${range}`)
  const commits = log
    .split('\u0001')
    .slice(0, -1)
    .map(it => {
      const [name = '', email = '', subject = '', body = ''] = it.trim().split('\0')
      return { name, email, subject, body: body.trim() }
    })
  const [author = { ...FORGE, subject: title, body: '' }, ...others] = commits
  const items = commits.map(it => `* ${it.subject}\n\n${it.body}`.trim())
  const names = others.filter(it => it.email !== author.email).map(it => `Co-authored-by: ${it.name} <${it.email}>`)
  const last = names.length === 0 ? [] : [`---------\n\n${[...new Set(names)].join('\n')}`]
  const [head, ...parts] =
    others.length === 0
      ? [`${author.subject} (#${number})`, author.body, ...last]
      : [`${title} (#${number})`, ...items, ...last]
  return { author, message: `${[head, ...parts.filter(it => it !== '')].join('\n\n')}\n` }
}

/** The button "Update branch": a merge of main that the forge makes; false if there is a conflict. */
export async function updateOnForge(world: TeamWorld, { branch, author }: PullRequest): Promise<boolean> {
  const [main, head] = [await tipOf(world, 'main'), await tipOf(world, branch)]
  const tree = await mergedTree(world, main, head)
  if (tree === null) return false
  const message = `Merge branch 'main' into ${branch}\n`
  const merged = await commitOnServer(world, author, { words: `${tree} -p ${head} -p ${main}`, message })
  await onServer(world, `git update-ref refs/heads/${branch} ${merged} ${head}`)
  return true
}
