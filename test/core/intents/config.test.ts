import { expect, test } from 'vitest'
import { GOVERNANCE_GLOBS, readConfig } from '../../../src/core/intents/config.ts'

const DEFAULTS = {
  version: 1,
  governance: GOVERNANCE_GLOBS,
  enforce: 'block',
  rules: {},
  rides: [],
  bots: [],
  verify: { governance: 'review', lands: 'any' },
  claims: 'deny',
  unset_clones: 'pass',
  claims_ttl_minutes: 240,
  opaque_commands: 'allow-and-watch',
  agents: { temporary: 'allow', ignored: 'allow' },
  map: { update: 'asked' },
  notes: { fetch: 'once' },
  runs: { profile: 'default', limits: {}, hold_at_stop: true },
  handover: { gates: 'anyone' },
  watch: {
    backend: 'auto',
    settle_ms: 20,
    text_bytes_max: 1_048_576,
    ignored: ['**/node_modules/**'],
    autostart: true,
  },
  anchor: 'none',
  lessons: { file: 'AGENT.md', update: 'commits', items: 100, bytes: 16_384 },
  public: [],
  appetites: {},
}

test.each([null, '', '# nothing\n', '{}', 'watch:\n', 'watch: {}'])('%j is every default', text => {
  expect(readConfig(text)).toEqual({ config: DEFAULTS, problems: [] })
})

test('a setting replaces its default, and only that', () => {
  const { config, problems } = readConfig(
    'claims: allow\nanchor: trailer\nwatch: { backend: polling, settle_ms: 5 }\nbots: [{ email: ci@x, paths: [a] }]\n' +
      'verify: { governance: strict }\ngovernance: [ops/**]',
  )
  expect(problems).toEqual([])
  const watch = { ...DEFAULTS.watch, backend: 'polling', settle_ms: 5 }
  expect(config).toEqual({
    ...DEFAULTS,
    claims: 'allow',
    anchor: 'trailer',
    watch,
    bots: [{ email: 'ci@x', paths: ['a'] }],
    verify: { governance: 'strict', lands: 'any' },
    governance: ['ops/**'],
  })
})

test('a limit of runs has a name that the rules know, and a number', () => {
  expect(readConfig('runs: { profile: strict, limits: { sameErrorStop: 0 } }').config.runs).toEqual({
    ...{ profile: 'strict', limits: { sameErrorStop: 0 }, hold_at_stop: true },
  })
  const { config, problems } = readConfig('runs: { profile: slow, limits: { sameErorStop: 1 } }')
  expect(config.runs).toEqual(DEFAULTS.runs)
  expect(problems.map(it => it.found)).toEqual(['"slow"', 'the unknown key `sameErorStop`'])
})

test('the lessons have a file, and limits that have room for one', () => {
  expect(readConfig('lessons: { file: CLAUDE.md, update: asked, items: 0 }').config.lessons).toEqual({
    ...{ file: 'CLAUDE.md', update: 'asked', items: 0, bytes: 16_384 },
  })
  const { config, problems } = readConfig('lessons: { file: README.md, update: often, bytes: 100, more: 1 }')
  expect(config.lessons).toEqual(DEFAULTS.lessons)
  expect(problems.map(it => it.found).sort()).toEqual(['"README.md"', '"often"', '100', 'the unknown key `more`'])
  expect(readConfig('lessons: { bytes: 1000000 }').problems).toHaveLength(1)
})

test('what is made public is named, and an unknown name is refused', () => {
  expect(readConfig('public: [command-lines]').config.public).toEqual(['command-lines'])
  const { config, problems } = readConfig('public: [outputs]')
  expect(config.public).toEqual([])
  expect(problems.map(it => it.expected)).toEqual(['command-lines or error-lines in `public`'])
})

test('an appetite has limits of files and lines', () => {
  expect(readConfig('appetites: { Small: { files: 3 } }').config.appetites).toEqual({ Small: { files: 3 } })
  const { problems } = readConfig('appetites: { small: { files: 3 }, Big: { files: 0 } }')
  expect(problems).toHaveLength(2)
})

test('an unknown key or a wrong value is a problem at its line, and the defaults hold', () => {
  const { config, problems } = readConfig(
    'clams: deny\nclaims: maybe\nwatch:\n  settle_ms: -1\n  quiet: 3\n  backend: inotify\ngovernance: [/etc]\n' +
      'bots: [ci, { email: ci, paths: [] }]\n',
  )
  expect(config).toEqual(DEFAULTS)
  expect(problems.map(it => `${it.line}: ${it.expected}, ${it.found}`)).toEqual([
    '1: a known key, the unknown key `clams`',
    '2: deny or allow as `claims`, "maybe"',
    '4: a number from 0 up as `settle_ms`, -1',
    '5: a known key, the unknown key `quiet`',
    '6: auto, chokidar, directories or polling as `backend`, "inotify"',
    '7: a glob relative to the top of the repository: `etc` in `governance`, "/etc"',
    '8: a map of `email` and `paths` in `bots`, "ci"',
    '8: an e-mail address as `email`, "ci"',
  ])
})
