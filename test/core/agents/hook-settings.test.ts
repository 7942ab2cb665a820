import { expect, test } from 'vitest'
import { CLAUDE_SETTINGS, settingsPath, whyUngoverned } from '../../../src/core/agents/hook-settings.ts'

const ours = { type: 'command', command: 'npx kotef agent-hook claude' }
const hooked = (group: object = {}, hook: object = {}) => ({
  hooks: {
    PreToolUse: [{ hooks: [{ type: 'command', command: 'other' }] }, { hooks: [{ ...ours, ...hook }], ...group }],
  },
})

function judged(files: readonly unknown[], { agent = 'claude', isPlugin = false } = {}): string | null {
  const texts = files.map((it, n) => ({
    name: `file ${n}`,
    text: it === null || typeof it === 'string' ? it : JSON.stringify(it),
  }))
  return whyUngoverned({ agent, files: texts, isPlugin })
}

test.each<[what: string, files: readonly unknown[]]>([
  ['the hook among others', [hooked()]],
  ['the hook in another file', [{ permissions: {} }, hooked()]],
  ['a matcher that means all', [hooked({ matcher: '*' })]],
  ['a matcher that names what writes', [hooked({ matcher: 'Write|Edit|MultiEdit|NotebookEdit|Bash' })]],
  ['the hook in its exec form', [hooked({}, { command: 'node_modules/.bin/kotef', args: ['agent-hook', 'claude'] })]],
  ['a switch that is off', [{ ...hooked(), disableAllHooks: false }]],
  ['a file that is not there', [hooked(), null]],
])('%s: hooks are asked as before', (_, files) => {
  expect(judged(files)).toBeNull()
})

test.each<[what: string, files: readonly unknown[], why: RegExp]>([
  ['no file at all', [null], /in none of the settings/],
  ['an empty file', [''], /not a JSON object/],
  ['half a file', ['{"hooks":'], /not a JSON object/],
  ['a list', [[]], /not a JSON object/],
  ['the hook, and a file that is damaged', [hooked(), '{'], /file 1 is not a JSON object/],
  ['the switch for all hooks', [hooked(), { disableAllHooks: true }], /file 1 switches hooks off/],
  ['the switch, in no known form', [{ ...hooked(), disableAllHooks: 'yes' }], /switches hooks off/],
  ['hooks of the company only', [{ ...hooked(), allowManagedHooksOnly: true }], /switches hooks off/],
  ['no hook', [{}], /in none of the settings/],
  ['hooks of another form', [{ hooks: { PreToolUse: { hooks: [ours] } } }], /in none of the settings/],
  ['a narrower matcher', [hooked({ matcher: 'Write' })], /in none of the settings/],
  ['a matcher that is no expression', [hooked({ matcher: '(' })], /in none of the settings/],
  ['a hook that nobody waits for', [hooked({}, { async: true })], /in none of the settings/],
  ['a hook on a condition', [hooked({}, { if: 'Bash(git *)' })], /in none of the settings/],
  ['a hook of another kind', [hooked({}, { type: 'prompt' })], /in none of the settings/],
  ['the hook of another agent', [hooked({}, { command: 'kotef agent-hook generic' })], /in none of the settings/],
  ['only the hook after a use', [{ hooks: { PostToolUse: [{ hooks: [ours] }] } }], /in none of the settings/],
])('%s: nobody would be asked', (_, files, why) => {
  expect(judged(files)).toMatch(why)
})

test('what a plugin brings need not stand in a file, but may not be switched off', () => {
  expect(judged([{}], { isPlugin: true })).toBeNull()
  expect(judged([{ disableAllHooks: true }], { isPlugin: true })).toMatch(/switches hooks off/)
})

test('of an agent whose settings have a form of their own, the name of the hook must be there', () => {
  expect(judged([{ anything: 'kotef agent-hook generic' }], { agent: 'aider' })).toBeNull()
  expect(judged([{ anything: 'else' }], { agent: 'aider' })).toMatch(/in none of the settings/)
})

test.each<[env: Record<string, string>, home: string]>([
  [{}, '/home/ada/.claude/settings.json'],
  [{ CLAUDE_CONFIG_DIR: '' }, '/home/ada/.claude/settings.json'],
  [{ CLAUDE_CONFIG_DIR: '/etc/claude' }, '/etc/claude/settings.json'],
  [{ CLAUDE_CONFIG_DIR: 'conf', CODEX_HOME: '/codex' }, '/repo/conf/settings.json'],
])('the files of settings with %j', (env, own) => {
  const place = { root: '/repo', home: '/home/ada', env }
  const local = ['/repo/.claude/settings.json', '/repo/.claude/settings.local.json']
  expect(CLAUDE_SETTINGS.map(it => settingsPath(it, place))).toEqual([...local, own])
})
