import { resolveCommit } from '../git/revisions.ts'
import { KotefError } from '../findings/failure.ts'
import { rangeBetween, resolveRangeEnd, type VerifyRange, wholeHistoryRange } from './verify-range.ts'
import { type CiEvent, parseGithubEvent, parseGitlabEvent } from './ci-event.ts'
import type { Workspace } from '../worktree/workspace.ts'

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
