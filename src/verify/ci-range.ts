import { commitNamed } from '../diff/range.ts'
import { KotefError } from '../report/failure.ts'
import { between, found, type Range, wholeOf } from './range.ts'
import { type CiEvent, eventOfGithub, eventOfGitlab } from './ci-event.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** The range that a pipeline runs for, as GitHub or GitLab tells it in the environment. */
export async function ciRange(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<Range> {
  const event = await eventIn(workspace, env)
  if (event) return rangeOf(workspace, event)
  throw new KotefError('range-unknown', 'The environment tells of no push and of no merge or pull request.', {
    hint: 'Name the range instead: `kotef verify origin/main..HEAD`',
  })
}

async function eventIn({ files }: Workspace, env: NodeJS.ProcessEnv): Promise<CiEvent | null> {
  const path = env['GITHUB_EVENT_PATH']
  if (path === undefined) return eventOfGitlab(env)
  const payload = await files.read(path).catch(() => null)
  return eventOfGithub(env['GITHUB_EVENT_NAME'] ?? '', payload?.toString('utf8') ?? '')
}

async function rangeOf(workspace: Workspace, { name, from, to, trunk }: CiEvent): Promise<Range> {
  const end = await found(workspace, to)
  // A branch that was pushed by force may have left its old commit behind.
  const start = from !== null && (await workspace.git.tryAsk(commitNamed(from)))
  if (start) return between(workspace, { name, from: start, to: end })
  if (trunk === null)
    return from === null
      ? wholeOf(name, end)
      : between(workspace, { name, from: await found(workspace, from), to: end })
  return between(workspace, { name, from: await found(workspace, `refs/remotes/origin/${trunk}`), to: end })
}
