import { resolveCommit } from '../git/revisions.ts'
import { KotefError } from '../findings/failure.ts'
import { rangeBetween, resolveRangeEnd, type VerifyRange, wholeHistoryRange } from './verify-range.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { jsonOrUndefined } from '../text/payload.ts'

/** The range that a pipeline of GitHub or GitLab runs for, according to its environment. */
export async function ciRange(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<VerifyRange> {
  const event = await readCiEvent(workspace, env)
  if (event) return rangeOfEvent(workspace, event)
  throw new KotefError('range-unknown', 'The environment describes no push and no merge or pull request.', {
    hint: 'Name the range instead: `kotef verify origin/main..HEAD`',
  })
}

async function readCiEvent({ files }: Workspace, env: NodeJS.ProcessEnv): Promise<CiEvent | null> {
  const path = env['GITHUB_EVENT_PATH']
  if (path === undefined) return parseGitlabEvent(env)
  const payload = await files.read(path).catch(() => null)
  return parseGithubEvent(env['GITHUB_EVENT_NAME'] ?? '', payload?.toString('utf8') ?? '')
}

async function rangeOfEvent(workspace: Workspace, { name, from, to, trunk }: CiEvent): Promise<VerifyRange> {
  const end = await resolveRangeEnd(workspace, to)
  // After a forced push the old commit may be missing in this clone.
  const start = from !== null && (await workspace.git.tryAsk(resolveCommit(from)))
  if (start) return rangeBetween(workspace, { name, from: start, to: end })
  if (trunk === null)
    return from === null
      ? wholeHistoryRange(name, end)
      : rangeBetween(workspace, { name, from: await resolveRangeEnd(workspace, from), to: end })
  return rangeBetween(workspace, {
    name,
    from: await resolveRangeEnd(workspace, `refs/remotes/origin/${trunk}`),
    to: end,
  })
}

/** The event that started a pipeline. */
export type CiEvent = {
  readonly name: string
  /** The commit before the range; null for a new branch. */
  readonly from: string | null
  readonly to: string
  /** The default branch, with which a new branch is compared; null for a push to the default branch itself. */
  readonly trunk: string | null
}

/** The event in the file that GitHub names; null for an event without commits. */
export function parseGithubEvent(name: string, payload: string): CiEvent | null {
  const event = jsonOrUndefined(payload)
  const at = (...path: string[]) => textAtKeys(event, path)
  const own = { name: name.replace(/[^\w-]/g, ''), trunk: null }
  switch (name) {
    case 'pull_request':
    case 'pull_request_target':
      return validEvent({ ...own, from: at('pull_request', 'base', 'sha'), to: at('pull_request', 'head', 'sha') })
    case 'merge_group':
      return validEvent({ ...own, from: at('merge_group', 'base_sha'), to: at('merge_group', 'head_sha') })
    case 'push': {
      const trunk = at('repository', 'default_branch')
      const isTrunk = at('ref') === `refs/heads/${trunk}`
      return validEvent({ ...own, from: at('before'), to: at('after'), trunk: isTrunk ? null : trunk })
    }
    default:
      return null
  }
}

/** The event in the environment that GitLab sets; null for an event without commits. */
export function parseGitlabEvent(env: NodeJS.ProcessEnv): CiEvent | null {
  const { CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_COMMIT_BEFORE_SHA: before, CI_COMMIT_SHA: sha } = env
  if (sha === undefined) return null
  // In a pipeline for merged results, CI_COMMIT_SHA is a merge that GitLab made for the test.
  const head = env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || sha
  if (base !== undefined) return validEvent({ name: 'merge_request', from: base, to: head, trunk: null })
  const { CI_DEFAULT_BRANCH: trunk, CI_COMMIT_BRANCH: branch } = env
  return validEvent({ name: 'push', from: before ?? null, to: sha, trunk: trunk && trunk !== branch ? trunk : null })
}

type UncheckedCiEvent = Omit<CiEvent, 'to'> & { readonly to: string | null }

// Events contain text from outside: each field is either an object id or a plain branch name, or it is dropped.
function validEvent({ name, from, to, trunk }: UncheckedCiEvent): CiEvent | null {
  if (to === null || !OBJECT_ID.test(to) || ZERO_OBJECT_ID.test(to)) return null
  if (from !== null && !OBJECT_ID.test(from)) return null
  const isNew = from === null || ZERO_OBJECT_ID.test(from)
  return { name, from: isNew ? null : from, to, trunk: trunk !== null && BRANCH_NAME.test(trunk) ? trunk : null }
}

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
const ZERO_OBJECT_ID = /^0+$/
const BRANCH_NAME = /^[\w.][\w./-]*$/

function textAtKeys(value: unknown, path: readonly string[]): string | null {
  const found = path.reduce<unknown>((it, key) => (Object(it) as Record<string, unknown>)[key], value)
  return typeof found === 'string' ? found : null
}
