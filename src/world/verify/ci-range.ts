import { commitAndParents, resolveCommit } from '../../core/git/revisions.ts'
import { KotefError } from '../../core/base/failure.ts'
import {
  emptyRange,
  rangeBetween,
  replacedTip,
  resolveRangeEnd,
  shallowError,
  wholeHistoryRange,
} from './verify-range.ts'
import type { VerifyRange } from './range.ts'
import { readShallowEnds } from '../io/worktree/shallow-ends.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { jsonOrUndefined } from '../../core/base/payload.ts'
import { LARGE_FILE_BYTES_MAX } from '../io/files/regular-file.ts'

/** The range that a pipeline of GitHub or GitLab runs for, according to its environment. */
export async function ciRange(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<VerifyRange> {
  const event = await readCiEvent(workspace, env)
  if (event) return withTarget(workspace, event, await rangeOfEvent(workspace, event))
  throw new KotefError('range-unknown', 'The environment describes no push and no merge or pull request.', {
    hint: 'Name the range instead: `kotef verify origin/main..HEAD`',
  })
}

async function readCiEvent({ files }: Workspace, env: NodeJS.ProcessEnv): Promise<CiEvent | null> {
  const path = env['GITHUB_EVENT_PATH']
  if (path === undefined) return parseGitlabEvent(env)
  const payload = await files.read(path, LARGE_FILE_BYTES_MAX).catch(() => null)
  const sha = env['GITHUB_SHA'] ?? null
  return parseGithubEvent({ name: env['GITHUB_EVENT_NAME'] ?? '', sha }, payload?.toString('utf8') ?? '')
}

async function rangeOfEvent(workspace: Workspace, event: CiEvent): Promise<VerifyRange> {
  const { name, from } = event
  const to = await endOfEvent(workspace, event.to)
  if (event.isRepeat) return emptyRange(`${name}, which brings no commit`, to)
  const start = from && (await workspace.git.tryAsk(resolveCommit(from)))
  if (start) {
    const range = await withoutTrunk(workspace, event, await rangeBetween(workspace, { name, from: start, to }))
    return name === 'push' ? { ...range, replaces: replacedTip(start, event.isTrunk) } : range
  }
  // After a forced push no branch has the old commit.
  const remark = from && `the commit before this push, ${from.slice(0, 10)}, is not in this clone`
  const trunk = event.trunk === null ? null : `origin/${event.trunk}`
  if (trunk !== null) {
    const range = await rangeBetween(workspace, {
      name,
      from: await resolveRangeEnd(workspace, `refs/remotes/${trunk}`),
      to,
    })
    return { ...range, remark: remark && `${remark}: judged since ${trunk}` }
  }
  if (remark === null) return wholeHistoryRange(name, to)
  // The commit may be missing because the clone is cut off, and then its only commit has no parent to judge since.
  if ((await readShallowEnds(workspace)).size > 0)
    throw shallowError(`This shallow clone does not have ${from}, at which the range begins.`)
  const [, parent = to] = await workspace.git.ask(commitAndParents(to))
  return { ...(await rangeBetween(workspace, { name, from: parent, to })), remark: `${remark}: only the tip is judged` }
}

// What a branch merged from the default branch was judged there.
async function withoutTrunk({ git }: Workspace, { trunk }: CiEvent, range: VerifyRange): Promise<VerifyRange> {
  const tip = trunk === null ? null : await git.tryAsk(resolveCommit(`refs/remotes/origin/${trunk}`))
  return tip ? { ...range, without: [...range.without, tip] } : range
}

// A shallow clone of depth 1 has none of the commits that the event names.
async function endOfEvent(workspace: Workspace, to: string): Promise<string> {
  const end = await workspace.git.tryAsk(resolveCommit(to))
  if (end) return end
  if ((await readShallowEnds(workspace)).size > 0)
    throw shallowError(`This shallow clone does not have ${to}, at which the range ends.`)
  return resolveRangeEnd(workspace, to)
}

// The target branch can be further than the event says: the forge has merged its tip for the test.
async function withTarget(workspace: Workspace, { landing, to }: CiEvent, range: VerifyRange): Promise<VerifyRange> {
  if (landing === null) return range
  const [, target, head] = (await workspace.git.tryAsk(commitAndParents(landing))) ?? []
  return target !== undefined && head === to ? { ...range, target } : range
}

/** The event that started a pipeline. */
export type CiEvent = {
  readonly name: string
  /** The commit before the range; null for a new branch. */
  readonly from: string | null
  readonly to: string
  /** The default branch, with which a new branch is compared; null for the default branch itself, or an odd name. */
  readonly trunk: string | null
  /** True for a push to the default branch; false when nobody says which one that is. */
  readonly isTrunk: boolean
  /** True when the event brings no commit to the default branch: a timer, a button. */
  readonly isRepeat: boolean
  /** The forge's merge of `to` into the target branch, made for the test; null when there is none. */
  readonly landing: string | null
}

type GithubRun = { readonly name: string; readonly sha: string | null }

/** The event in the file that GitHub names; null for an event without commits. */
export function parseGithubEvent({ name, sha }: GithubRun, payload: string): CiEvent | null {
  const event = jsonOrUndefined(payload)
  const at = (...path: string[]) => textAtKeys(event, path)
  const own = { name: name.replace(/[^\w-]/g, ''), trunk: null, isTrunk: false, isRepeat: false, landing: null }
  const trunk = at('repository', 'default_branch')
  const isTrunk = trunk !== null && at('ref') === `refs/heads/${trunk}`
  switch (name) {
    case 'pull_request':
    case 'pull_request_target': {
      const landing = name === 'pull_request' ? sha : null
      const from = at('pull_request', 'base', 'sha')
      const to = at('pull_request', 'head', 'sha')
      return validEvent({ ...own, from, to, landing })
    }
    case 'merge_group':
      return validEvent({ ...own, from: at('merge_group', 'base_sha'), to: at('merge_group', 'head_sha') })
    case 'push':
      return validEvent({ ...own, from: at('before'), to: at('after'), trunk: isTrunk ? null : trunk, isTrunk })
    case 'schedule':
      return validEvent({ ...own, from: null, to: sha, isRepeat: true })
    case 'workflow_dispatch':
      return validEvent({ ...own, from: null, to: sha, trunk: isTrunk ? null : trunk, isTrunk, isRepeat: isTrunk })
    default:
      return null
  }
}

/** The event in the environment that GitLab sets; null for an event without commits. */
export function parseGitlabEvent(env: NodeJS.ProcessEnv): CiEvent | null {
  const { CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_COMMIT_BEFORE_SHA: before, CI_COMMIT_SHA: sha } = env
  if (sha === undefined) return null
  const own = { trunk: null, isTrunk: false, isRepeat: false, landing: null }
  // In a pipeline for merged results, CI_COMMIT_SHA is a merge that GitLab made for the test.
  const source = env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || null
  if (base !== undefined)
    return validEvent({ ...own, name: 'merge_request', from: base, to: source ?? sha, landing: source && sha })
  const { CI_DEFAULT_BRANCH: trunk, CI_COMMIT_BRANCH: branch, CI_PIPELINE_SOURCE: cause = 'push' } = env
  const isTrunk = trunk !== undefined && trunk === branch
  // Only a push names the commit before it.
  const isRepeat = (isTrunk || trunk === undefined) && cause !== 'push' && ZERO_OBJECT_ID.test(before ?? '0')
  const name = cause.replace(/[^\w-]/g, '')
  const named = { trunk: isTrunk ? null : (trunk ?? null), isTrunk, isRepeat }
  return validEvent({ ...own, ...named, name, from: before ?? null, to: sha })
}

type UncheckedCiEvent = Omit<CiEvent, 'to'> & { readonly to: string | null }

// Events contain text from outside: each field is either an object id or a plain branch name, or it is dropped.
function validEvent({ from, to, trunk, landing, ...event }: UncheckedCiEvent): CiEvent | null {
  if (to === null || !OBJECT_ID.test(to) || ZERO_OBJECT_ID.test(to)) return null
  if (from !== null && !OBJECT_ID.test(from)) return null
  const isNew = from === null || ZERO_OBJECT_ID.test(from)
  return {
    ...event,
    from: isNew ? null : from,
    to,
    trunk: trunk !== null && BRANCH_NAME.test(trunk) ? trunk : null,
    landing: landing !== null && OBJECT_ID.test(landing) ? landing : null,
  }
}

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
const ZERO_OBJECT_ID = /^0+$/
const BRANCH_NAME = /^[\w.][\w./-]*$/

function textAtKeys(value: unknown, path: readonly string[]): string | null {
  const found = path.reduce<unknown>((it, key) => (Object(it) as Record<string, unknown>)[key], value)
  return typeof found === 'string' ? found : null
}
