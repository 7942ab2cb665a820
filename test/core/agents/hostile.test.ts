import { expect, test } from 'vitest'
import { ADAPTERS, adapterOf, decodePayload } from '../../../src/core/agents/decode.ts'
import { toolUse } from '../../../src/core/agents/tool-use.ts'
import { parsePayload } from '../../../src/core/base/payload.ts'
import { deny, hookPoints } from './dialogue.ts'

const codex = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'apply_patch', tool_input: {}, cwd: '/w' }
const cline = { id: 'c', name: 'editor', input: {} }

/** What each agent says before it uses a tool, whole. */
const whole: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  claude: { ...codex, transcript_path: '/t', tool_name: 'Write', tool_use_id: 'c' },
  codex,
  gemini: { ...codex, hook_event_name: 'BeforeTool', tool_name: 'write_file' },
  copilot: { sessionId: 's', toolName: 'create', toolArgs: {}, cwd: '/w', timestamp: 1 },
  cursor: {
    ...codex,
    hook_event_name: 'preToolUse',
    conversation_id: 's',
    tool_name: 'Write',
    workspace_roots: ['/w'],
  },
  opencode: { event: 'before-tool', session: 's', tool: 'write', args: {}, cwd: '/w', call: 'c' },
  cline: { taskId: 's', hookName: 'tool_call', tool_call: cline, workspaceRoots: ['/w'] },
  generic: { event: 'before-tool', session: 's', tool: 'Write', input: {}, cwd: '/w' },
}

const deep = (open: string, close: string) => `${open.repeat(20_000)}${close.repeat(20_000)}`

/** What stands in place of a field, as JSON. */
const garbage: readonly [what: string, json: string][] = [
  ['nothing', 'null'],
  ['a number', '1e999'],
  ['a truth', 'true'],
  ['no text', '""'],
  ['a text with NUL', JSON.stringify('a\0b')],
  ['a long text', JSON.stringify('x'.repeat(200_000))],
  ['half a character', '"\\ud800"'],
  ['a list', '[1,[2,{"a":[]}],null]'],
  ['an object', '{"path":{"path":[]},"command":{"command":7},"__proto__":{"path":"a"}}'],
]

/** What stands in place of what a tool is given: whoever walks down into it has no stack left. */
const abysses: readonly [what: string, json: string][] = [
  ['lists within lists', deep('[', ']')],
  ['objects within objects', deep('{"a":', '}').replace(':}', ':1}')],
  ['a list of lists as a path', `{"path":${deep('[', ']')},"files":${deep('[', ']')}}`],
]

const rows = Object.entries(whole).flatMap(([agent, payload]) =>
  Object.keys(payload).flatMap(field => {
    const all = /^(tool_input|toolArgs|tool_call|args|input)$/.test(field) ? [...garbage, ...abysses] : garbage
    return all.map(([what, json]) => [agent, field, what, json] as const)
  }),
)

test('every agent is here', () => {
  expect(Object.keys(whole).sort()).toEqual(Object.keys(ADAPTERS).sort())
})

test('whatever stands in a field, it is a problem, a tool that is judged, or an event that nobody knows', () => {
  for (const [agent, field, what, json] of rows) {
    const text = JSON.stringify({ ...whole[agent], [field]: '<>' }).replace('"<>"', () => json)
    const row = `${agent}: ${field} is ${what}`
    expect(parsePayload(text) !== null, row).toBe(true)
    const received = decodePayload(agent, text)
    if ('problem' in received) expect(received.problem, row).toMatch(/^It(s| ).*\.$/)
    else expect(received.point?.at ?? received.event, row).toEqual(isName(field) ? null : 'before-tool')
  }
})

// Which hook it is: one that nobody knows is asked nothing.
function isName(field: string): boolean {
  return ['hook_event_name', 'event', 'hookName'].includes(field)
}

test('a payload without one of its fields is a problem, or a tool that is judged', () => {
  for (const [agent, payload] of Object.entries(whole))
    for (const field of Object.keys(payload)) {
      const { [field]: _, ...rest } = payload
      const received = decodePayload(agent, JSON.stringify(rest))
      expect('problem' in received || received.point?.at, `${agent} without ${field}`).toSatisfy(
        it => it === true || it === 'before-tool',
      )
    }
})

test('what is no object is a problem', () => {
  for (const text of ['', ' ', 'null', '[]', '7', '"x"', '{', '{}x', '\0', '{"a":1}{"a":1}', deep('[', ']')])
    for (const agent of Object.keys(ADAPTERS))
      expect(decodePayload(agent, text)).toEqual({ problem: 'It is not a JSON object.' })
})

test('every denial is one, whatever its text holds', () => {
  for (const text of ['', '\n', 'a\0b', '"}', '\ud800', '{"decision":"allow"}', 'x'.repeat(1_048_576)])
    for (const agent of Object.keys(ADAPTERS)) {
      const before = adapterOf(agent, '').encode(
        { kind: 'deny', text },
        { at: 'before-tool', ...toolUse(agent, 'x', null) },
      )
      const unheard = adapterOf(agent, '').encode({ kind: 'deny', text }, null)
      for (const { stdout, exit } of [before, unheard]) expect(exit === 2 || DENIED.test(stdout), agent).toBe(true)
    }
})

const DENIED = new RegExp(
  `^\\{(${[
    '"hookSpecificOutput":\\{"hookEventName":"PreToolUse","permissionDecision":"deny"',
    ...['"decision":"deny"', '"permission":"deny"', '"cancel":true', '"deny":'],
  ].join('|')})`,
)

test('what is said is at most one line of JSON on stdout', () => {
  for (const agent of Object.keys(ADAPTERS))
    for (const moment of hookPoints) {
      const { stdout } = adapterOf(agent, '').encode({ ...deny, text: 'two\nlines' }, moment)
      expect(stdout === '' || (stdout.split('\n').length === 2 && typeof JSON.parse(stdout) === 'object'), agent).toBe(
        true,
      )
    }
})
