import { expect, test } from 'vitest'
import {
  cleaningBefore,
  type GitSettings,
  hiddenBy,
  settingChanges,
  withLines,
} from '../../../src/core/git/setting-changes.ts'

const at = (name: string) => ({ path: `/r/.git/info/${name}`, saved: `/r/saved/${name}` })
const files = {
  ...{ exclude: at('exclude'), 'personal-exclude': at('personal-exclude') },
  ...{ attributes: at('attributes'), 'personal-attributes': at('personal-attributes') },
}

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

test('a setting of the system is no change', () => {
  expect(changesOf({}, { 'config system filter.x.clean': 'cat' })).toEqual([])
})

test("the user's own attributes hide where the setting names the file that it named before", () => {
  const trusted = { 'config global core.attributesfile': '/x' }
  const now = { ...trusted, 'config local core.attributesfile': '/x', 'personal-attributes': 'lib/* filter=x' }
  expect(hiddenBy(changesOf(trusted, now)).content).toBe(true)
  const moved = { ...now, 'config local core.attributesfile': '/y' }
  expect(changesOf(trusted, moved).map(it => it.key)).toEqual(['config local core.attributesfile'])
})

const CLEAN = 'filter.x.clean'

test.each<[title: string, trusted: GitSettings, now: GitSettings, values: Record<string, string> | null]>([
  ['a new filter is off', {}, { [`config local ${CLEAN}`]: 'a' }, { [CLEAN]: '' }],
  ['a filter with = in its name', {}, { 'config local filter.a=b.clean': 'a' }, { 'filter.a=b.clean': '' }],
  ['a changed filter', { [`config local ${CLEAN}`]: 'a' }, { [`config local ${CLEAN}`]: 'b' }, { [CLEAN]: 'a' }],
  ['the last of several', { [`config local ${CLEAN}`]: 'a\nb' }, { [`config local ${CLEAN}`]: 'c' }, { [CLEAN]: 'b' }],
  ['that of a wider scope', { [`config global ${CLEAN}`]: 'a' }, { [`config local ${CLEAN}`]: 'b' }, { [CLEAN]: 'a' }],
  ['that of the system', { [`config system ${CLEAN}`]: 'a' }, { [`config local ${CLEAN}`]: 'b' }, { [CLEAN]: 'a' }],
  ['a removed one', { [`config worktree ${CLEAN}`]: 'a' }, { [`config global ${CLEAN}`]: 'b' }, { [CLEAN]: 'a' }],
  ['an attributes file', {}, { 'config local core.attributesfile': '/x' }, { 'core.attributesfile': '/saved' }],
  ["the user's own attributes", {}, { 'personal-attributes': '* filter=x' }, { 'core.attributesfile': '/saved' }],
  ['the own attributes of the clone', {}, { attributes: '* filter=x', [`config local ${CLEAN}`]: 'a' }, null],
])('git cleans as before: %s', (_, trusted, now, values) => {
  const cleaning = cleaningBefore(changesOf(trusted, now), { trusted, savedAttributes: '/saved' })
  const words = cleaning?.options.map(it => /^--config-env=([^]*)=(\w+)$/.exec(it)?.slice(1) ?? [])
  expect(words ? Object.fromEntries(words.map(([name, key = '']) => [name, cleaning?.env[key]])) : null).toEqual(values)
})

test.each<[title: string, trusted: GitSettings, now: GitSettings]>([
  ['the same in a narrower scope', { [`config global ${CLEAN}`]: 'a' }, { [`config local ${CLEAN}`]: 'a' }],
  ['the same as the system', { [`config system ${CLEAN}`]: 'a' }, { [`config global ${CLEAN}`]: 'a' }],
  ['another in a wider scope', { [`config local ${CLEAN}`]: 'a' }, { [`config global ${CLEAN}`]: 'b' }],
])('a change that changes no value is told and hides nothing: %s', (_, trusted, now) => {
  const changes = changesOf(trusted, { ...trusted, ...now })
  expect(changes.map(it => it.key)).toEqual(Object.keys(now))
  expect(hiddenBy(changes).content).toBe(false)
  expect(cleaningBefore(changes, { trusted, savedAttributes: '/saved' })).toEqual({ options: [], env: {} })
})

test('a value of two lines is not the same as its last line', () => {
  const trusted = { [`config global ${CLEAN}`]: 'cat' }
  expect(hiddenBy(changesOf(trusted, { ...trusted, [`config local ${CLEAN}`]: 'evil\ncat' })).content).toBe(true)
})

test.each<[key: string, hidden: ReturnType<typeof hiddenBy>]>([
  ['config local core.trustctime', { changed: true, created: false, content: false }],
  ['config worktree core.checkstat', { changed: true, created: false, content: false }],
  ['config global core.excludesfile', { changed: false, created: true, content: false }],
  ['exclude', { changed: false, created: true, content: false }],
  ['personal-exclude', { changed: false, created: true, content: false }],
  ['config local core.fsmonitor', { changed: true, created: false, content: false }],
  ['attributes', { changed: false, created: false, content: true }],
  ['personal-attributes', { changed: false, created: false, content: true }],
  ['config global core.attributesfile', { changed: false, created: false, content: true }],
  ['config local filter.x.clean', { changed: false, created: false, content: true }],
  ['flag exclude', { changed: false, created: false, content: false }],
])('%s hides from git: %o', (key, hidden) => {
  expect(hiddenBy(changesOf({}, { [key]: 'x' }))).toEqual(hidden)
})

test.each([
  ['the same lines leave the file as it was', '# a\nx\n\n# b\ny\n', ['y', 'x'], '# a\nx\n\n# b\ny\n'],
  ['another line goes', '# a\nx\nevil\ny\n', ['x', 'y'], '# a\nx\ny\n'],
  ['a line that went comes to the end', '# a\ny\n', ['x', 'y'], '# a\ny\nx\n'],
  ['a file that went has its lines', '', ['x', '', 'y'], 'x\ny\n'],
  ['a file without lines stays empty', 'evil\n', [''], ''],
])('a file of settings as it was: %s', (_, text, lines, expected) => {
  expect(withLines(text, lines)).toBe(expected)
})
