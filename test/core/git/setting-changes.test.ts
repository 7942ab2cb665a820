import { expect, test } from 'vitest'
import { type GitSettings, hiddenBy, settingChanges } from '../../../src/git/setting-changes.ts'

const at = (name: string) => ({ path: `/r/.git/info/${name}`, saved: `/r/saved/${name}` })
const files = { exclude: at('exclude'), 'personal-exclude': at('personal-exclude'), attributes: at('attributes') }

const changesOf = (trusted: GitSettings, now: GitSettings) => settingChanges(trusted, now, files)

test.each<[trusted: GitSettings, now: GitSettings, message: string, undo: string]>([
  [
    {},
    { 'config local core.fsmonitor': '/x y' },
    "git's setting core.fsmonitor is /x y",
    'git config --local --unset-all core.fsmonitor',
  ],
  [
    { 'config global diff.external': "it's" },
    {},
    "git's setting diff.external is removed",
    "git config --global --replace-all diff.external 'it'\\''s'",
  ],
  [
    {},
    { 'config local filter.a b.clean': 'x' },
    "git's setting filter.a b.clean is x",
    "git config --local --unset-all 'filter.a b.clean'",
  ],
  [
    { exclude: 'a' },
    { exclude: 'a\nlib/' },
    '/r/.git/info/exclude has other lines',
    'cp /r/saved/exclude /r/.git/info/exclude',
  ],
  [
    {},
    { 'flag lib/a b': 'assume-unchanged' },
    'lib/a b is assume-unchanged in the index',
    "git update-index --no-assume-unchanged -- 'lib/a b'",
  ],
  [
    { 'flag lib/a': 'skip-worktree' },
    {},
    'lib/a is no longer skip-worktree in the index',
    'git update-index --skip-worktree -- lib/a',
  ],
])('%o -> %o: %s', (trusted, now, message, undo) => {
  expect(changesOf(trusted, now)).toMatchObject([{ message, undo }])
})

test('equal settings have no change, and an empty one equals none', () => {
  expect(changesOf({ exclude: '' }, {})).toEqual([])
  expect(changesOf({ exclude: 'a' }, { exclude: 'a' })).toEqual([])
})

test('another list of the user is one change, not two', () => {
  const now = { 'config local core.excludesfile': '/x', 'personal-exclude': 'lib/' }
  expect(changesOf({ 'personal-exclude': '*.o' }, now).map(it => it.key)).toEqual(['config local core.excludesfile'])
})

test.each<[key: string, hidden: ReturnType<typeof hiddenBy>]>([
  ['config local core.trustctime', { changed: true, created: false, content: false }],
  ['config worktree core.checkstat', { changed: true, created: false, content: false }],
  ['config global core.excludesfile', { changed: false, created: true, content: false }],
  ['exclude', { changed: false, created: true, content: false }],
  ['personal-exclude', { changed: false, created: true, content: false }],
  ['config local core.fsmonitor', { changed: true, created: false, content: false }],
  ['attributes', { changed: false, created: false, content: true }],
  ['config global core.attributesfile', { changed: false, created: false, content: true }],
  ['config local filter.x.clean', { changed: false, created: false, content: true }],
  ['flag exclude', { changed: false, created: false, content: false }],
])('%s hides from git: %o', (key, hidden) => {
  expect(hiddenBy(changesOf({}, { [key]: 'x' }))).toEqual(hidden)
})
