import { LARGE_FILE_BYTES_MAX } from '../io/files/regular-file.ts'
import type { ChangeRequest } from '../io/forge/forge-comments.ts'
import { objectOrNull, parseObject } from '../../core/base/payload.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** The pull or merge request that a pipeline runs for; or, as a sentence, why it is unknown. */
export async function changeRequestOf({ files }: Workspace, env: NodeJS.ProcessEnv): Promise<ChangeRequest | string> {
  const path = env['GITHUB_EVENT_PATH']
  if (path === undefined) return parseGitlabRequest(env)
  const payload = await files.read(path, LARGE_FILE_BYTES_MAX).catch(() => null)
  return parseGithubRequest(env, payload?.toString('utf8') ?? '')
}

/** The pull request in the file that GitHub names, with the token in the environment. */
export function parseGithubRequest(env: NodeJS.ProcessEnv, payload: string): ChangeRequest | string {
  const number = objectOrNull(parseObject(payload)?.['pull_request'])?.['number']
  const project = env['GITHUB_REPOSITORY'] ?? ''
  if (!Number.isSafeInteger(number) || !/^[\w.-]+\/[\w.-]+$/.test(project)) return NO_REQUEST
  const token = env['GITHUB_TOKEN'] || null
  if (token === null) return 'No comment: the environment has no GITHUB_TOKEN.'
  return { forge: 'github', api: apiOf(env['GITHUB_API_URL'], GITHUB_API), project, number: String(number), token }
}

/** The merge request in the environment that GitLab sets, with the token of a project or a person. */
export function parseGitlabRequest(env: NodeJS.ProcessEnv): ChangeRequest | string {
  const { CI_PROJECT_ID: project = '', CI_MERGE_REQUEST_IID: number = '' } = env
  if (!/^\d+$/.test(number) || !/^\d+$/.test(project)) return NO_REQUEST
  const token = env['GITLAB_TOKEN'] || null
  if (token === null) return 'No comment: the environment has no GITLAB_TOKEN, a token with the scope `api`.'
  return { forge: 'gitlab', api: apiOf(env['CI_API_V4_URL'], GITLAB_API), project, number, token }
}

const NO_REQUEST = 'No comment: the pipeline does not run for a pull or merge request.'
const GITHUB_API = 'https://api.github.com'
const GITLAB_API = 'https://gitlab.com/api/v4'

function apiOf(address: string | undefined, other: string): string {
  return (address || other).replace(/\/+$/, '')
}
