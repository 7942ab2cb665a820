import { expect, test } from 'vitest'
import { type CiEvent, parseGithubEvent, parseGitlabEvent } from '../../../src/world/verify/ci-range.ts'

const [A, B, C, NONE] = ['a', 'b', 'c', '0'].map(it => it.repeat(40)) as [string, string, string, string]
const reported = (it: CiEvent | null) => {
  if (!it) return null
  const words = `${it.name} ${it.from?.slice(0, 1) ?? '-'}..${it.to.slice(0, 1)} ${it.trunk ?? '-'}`
  return `${words}${it.isTrunk ? ' (trunk)' : ''}${it.isRepeat ? ' again' : ''}${it.landing ? ' lands' : ''}`
}

const push = (more: object) => ({
  ref: 'refs/heads/w',
  before: A,
  after: B,
  repository: { default_branch: 'main' },
  ...more,
})

test.each<[string, string, unknown, string | null]>([
  [
    'a pull request',
    'pull_request',
    { pull_request: { base: { sha: A }, head: { sha: B } } },
    'pull_request a..b - lands',
  ],
  ['a merge queue', 'merge_group', { merge_group: { base_sha: A, head_sha: B } }, 'merge_group a..b -'],
  ['a push', 'push', push({}), 'push a..b main'],
  ['a push to the trunk', 'push', push({ ref: 'refs/heads/main' }), 'push a..b - (trunk)'],
  ['a push where the trunk has an odd name', 'push', push({ repository: { default_branch: 'main#1' } }), 'push a..b -'],
  [
    'a push to a trunk with an odd name',
    'push',
    push({ ref: 'refs/heads/main#1', repository: { default_branch: 'main#1' } }),
    'push a..b - (trunk)',
  ],
  ['a push that does not name the trunk', 'push', push({ ref: 'refs/heads/null', repository: {} }), 'push a..b -'],
  ['a new branch', 'push', push({ before: NONE }), 'push -..b main'],
  ['a branch that is deleted', 'push', push({ after: NONE }), null],
  ['a trunk that would be a word of git', 'push', push({ repository: { default_branch: '--all' } }), 'push a..b -'],
  ['what is no commit', 'push', push({ after: '--output=x' }), null],
  ['what begins at no commit', 'push', push({ before: 'HEAD; rm' }), null],
  ['a timer (team A5)', 'schedule', {}, 'schedule -..c - again'],
  ['a button', 'workflow_dispatch', push({}), 'workflow_dispatch -..c main'],
  [
    'a button, for the trunk',
    'workflow_dispatch',
    push({ ref: 'refs/heads/main' }),
    'workflow_dispatch -..c - (trunk) again',
  ],
  ['another event', 'release', {}, null],
  ['nothing', 'push', null, null],
])('GitHub tells of %s', (_, name, payload, expected) => {
  expect(reported(parseGithubEvent({ name, sha: C }, JSON.stringify(payload)))).toBe(expected)
})

test('what GitHub tells may be damaged', () => expect(parseGithubEvent({ name: 'push', sha: C }, '{')).toBeNull())

test.each<[string, NodeJS.ProcessEnv, string | null]>([
  ['a merge request', { CI_MERGE_REQUEST_DIFF_BASE_SHA: A, CI_COMMIT_SHA: B }, 'merge_request a..b -'],
  [
    'a merge request whose pipeline runs on a merge',
    { CI_MERGE_REQUEST_DIFF_BASE_SHA: A, CI_COMMIT_SHA: C, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: B },
    'merge_request a..b - lands',
  ],
  [
    'a push',
    { CI_COMMIT_BEFORE_SHA: A, CI_COMMIT_SHA: B, CI_DEFAULT_BRANCH: 'main', CI_COMMIT_BRANCH: 'w' },
    'push a..b main',
  ],
  [
    'a new branch',
    { CI_COMMIT_BEFORE_SHA: NONE, CI_COMMIT_SHA: B, CI_DEFAULT_BRANCH: 'main', CI_COMMIT_BRANCH: 'w' },
    'push -..b main',
  ],
  [
    'the trunk',
    { CI_COMMIT_BEFORE_SHA: A, CI_COMMIT_SHA: B, CI_DEFAULT_BRANCH: 'main', CI_COMMIT_BRANCH: 'main' },
    'push a..b - (trunk)',
  ],
  [
    'a push that does not name the trunk',
    { CI_COMMIT_BEFORE_SHA: A, CI_COMMIT_SHA: B, CI_COMMIT_BRANCH: 'w' },
    'push a..b -',
  ],
  [
    'a timer on the trunk (team A5)',
    {
      CI_COMMIT_BEFORE_SHA: NONE,
      CI_COMMIT_SHA: B,
      CI_DEFAULT_BRANCH: 'main',
      CI_COMMIT_BRANCH: 'main',
      CI_PIPELINE_SOURCE: 'schedule',
    },
    'schedule -..b - (trunk) again',
  ],
  ['nothing', {}, null],
])('GitLab tells of %s', (_, env, expected) => {
  expect(reported(parseGitlabEvent(env))).toBe(expected)
})
