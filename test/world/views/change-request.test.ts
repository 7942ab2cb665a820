import { expect, test } from 'vitest'
import { parseGithubRequest, parseGitlabRequest } from '../../../src/world/views/change-request.ts'

const GITHUB = { GITHUB_REPOSITORY: 'acme/shop', GITHUB_TOKEN: 't' }
const PULL = '{"pull_request":{"number":7}}'
const GITLAB = { CI_PROJECT_ID: '12', CI_MERGE_REQUEST_IID: '7', GITLAB_TOKEN: 't' }
const NONE = expect.stringContaining('does not run for a pull or merge request') as string

test.each<[string, NodeJS.ProcessEnv, string, unknown]>([
  [
    'github.com',
    GITHUB,
    PULL,
    { forge: 'github', api: 'https://api.github.com', project: 'acme/shop', number: '7', token: 't' },
  ],
  ['a server of its own', { ...GITHUB, GITHUB_API_URL: 'https://g/api/v3/' }, PULL, { api: 'https://g/api/v3' }],
  ['a push', GITHUB, '{"before":"1"}', NONE],
  ['a number that is none', GITHUB, '{"pull_request":{"number":"7/../8"}}', NONE],
  ['a repository that is none', { ...GITHUB, GITHUB_REPOSITORY: 'acme/shop/../x' }, PULL, NONE],
  ['no event', GITHUB, '', NONE],
  ['no token', { ...GITHUB, GITHUB_TOKEN: '' }, PULL, expect.stringContaining('no GITHUB_TOKEN')],
])('the pull request of a pipeline of GitHub: %s', (_, env, payload, expected) => {
  const found = parseGithubRequest(env, payload)
  if (typeof found === 'string') expect(found).toEqual(expected)
  else expect(found).toMatchObject(expected as object)
})

test.each<[string, NodeJS.ProcessEnv, unknown]>([
  ['gitlab.com', GITLAB, { forge: 'gitlab', api: 'https://gitlab.com/api/v4', project: '12', number: '7', token: 't' }],
  ['a server of its own', { ...GITLAB, CI_API_V4_URL: 'https://g/api/v4' }, { api: 'https://g/api/v4' }],
  ['a branch', { ...GITLAB, CI_MERGE_REQUEST_IID: '' }, NONE],
  ['a project that is none', { ...GITLAB, CI_PROJECT_ID: '../1' }, NONE],
  ['no token', { ...GITLAB, GITLAB_TOKEN: '' }, expect.stringContaining('no GITLAB_TOKEN')],
])('the merge request of a pipeline of GitLab: %s', (_, env, expected) => {
  const found = parseGitlabRequest(env)
  if (typeof found === 'string') expect(found).toEqual(expected)
  else expect(found).toMatchObject(expected as object)
})
