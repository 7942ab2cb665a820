// What push, pipelines and server say of a moved branch: `verdictsOn(repo, move)`.

import type { CommitFinding } from '../../src/core/report/verification.ts'
import { judgePush } from '../../src/world/verify/judge-push.ts'
import { runVerify, type VerifyMode } from '../../src/world/verify/run-verify.ts'
import { openRepository } from '../../src/world/io/worktree/workspace.ts'
import type { Repo } from './repo.ts'

const NONE = '0'.repeat(40)

/** A branch that is moved: its old and its new commit, and where main is. */
export type Move = { readonly name: string; readonly from: string | null; readonly main: string; readonly to: string }

/** The move of a branch of `origin` to HEAD; `new` for a branch that is not there. */
export async function movedBranch(repo: Repo, branch: string): Promise<Move> {
  const [main = '', to = ''] = (await repo.git('rev-parse', 'origin/main', 'HEAD')).trim().split('\n')
  const from = branch === 'new' ? null : (await repo.git('rev-parse', `origin/${branch}`)).trim()
  return { name: branch === 'new' ? 'w' : branch, from, main, to }
}

/** What a push, the pipeline of GitHub, and the hook of a server say of it. */
export async function verdictsOn(repo: Repo, move: Move): Promise<Record<string, string[]>> {
  return {
    push: await ofPush(repo, move),
    github: await ofPipeline(repo, await githubEnv(repo, move)),
    server: await ofServer(repo, move),
  }
}

/** What the pipeline of GitLab says of it: it judges as that of GitHub does, once it knows the range. */
export async function gitlabVerdict(repo: Repo, move: Move): Promise<string[]> {
  return ofPipeline(repo, gitlabEnv(move))
}

async function ofPush(repo: Repo, { name, from, to }: Move): Promise<string[]> {
  const lines = `refs/heads/${name} ${to} refs/heads/${name} ${from ?? NONE}\n`
  const findings = await judgePush(
    await openRepository(repo.root),
    { remote: 'origin', url: '.git/there', lines },
    repo.env(),
  )
  const subjects = new Map<string, string>()
  for (const it of (await repo.git('log', '--all', '--format=%h %s', '--abbrev=10')).trim().split('\n'))
    subjects.set(it.slice(0, 10), it.slice(11))
  return findings.map(it => wordsOf({ ...it, subject: subjects.get(it.message.slice(0, 10)) ?? null })).sort()
}

function ofPipeline(repo: Repo, env: Record<string, string>): Promise<string[]> {
  return ofVerify(repo.root, { way: 'ci' }, { ...repo.env(), ...env })
}

async function githubEnv(repo: Repo, { name, from, main, to }: Move): Promise<Record<string, string>> {
  const repository = { default_branch: 'main' }
  const push = { ref: `refs/heads/${name}`, before: from, after: to, repository }
  const payload = from === null ? { pull_request: { base: { sha: main }, head: { sha: to } }, repository } : push
  await repo.write('../event.json', JSON.stringify(payload))
  return {
    GITHUB_EVENT_NAME: from === null ? 'pull_request' : 'push',
    GITHUB_EVENT_PATH: `${repo.base}/event.json`,
    GITHUB_SHA: to,
  }
}

function gitlabEnv({ name, from, to }: Move): Record<string, string> {
  const branches = { CI_DEFAULT_BRANCH: 'main', CI_COMMIT_BRANCH: name, CI_PIPELINE_SOURCE: 'push' }
  return { CI_COMMIT_BEFORE_SHA: from ?? NONE, CI_COMMIT_SHA: to, ...branches }
}

// The server has the branches of the remote, and the objects of the push.
async function ofServer(repo: Repo, { name, from, to }: Move): Promise<string[]> {
  const server = `${repo.root}/.git/there`
  await repo.git('push', '-q', '-f', '--no-verify', 'origin', `${to}:refs/tags/pushed`)
  const lines = `${from ?? NONE} ${to} refs/heads/${name}\n`
  return ofVerify(server, { way: 'pre-receive', lines }, repo.env())
}

async function ofVerify(root: string, way: VerifyMode, env: NodeJS.ProcessEnv): Promise<string[]> {
  const options = { allowEmpty: false, isEach: false, requireTrace: false, runChecks: false, running: () => {} }
  const { findings } = await runVerify(await openRepository(root), { way, env, ...options })
  return findings.map(wordsOf).sort()
}

function wordsOf({ level, rule, path, subject }: Pick<CommitFinding, 'level' | 'rule' | 'path' | 'subject'>): string {
  return `${level} ${rule} ${path ?? '-'} in ${subject ?? '-'}`
}
