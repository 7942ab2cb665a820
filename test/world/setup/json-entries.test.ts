import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  findJsonEntries,
  type JsonEntries,
  addJsonEntries,
  removeJsonEntries,
} from '../../../src/world/setup/agents/json-entries.ts'
import { parseJsonTree } from '../../../src/world/setup/agents/json-text.ts'

const call = (text: string) => ({ hooks: [{ type: 'command', command: text }] })
const OURS = call('kotef agent-hook claude')
const FILE: JsonEntries = {
  path: 'settings.json',
  agent: 'claude',
  hooks: { Before: { matcher: '*', ...OURS }, Stop: OURS },
  server: { under: 'mcpServers', value: { command: 'kotef', args: ['mcp'] } },
}

const texts: readonly (readonly [what: string, text: string])[] = [
  ['two spaces', '{\n  "a": 1\n}\n'],
  ['tabs, and no line end at the end', '{\n\t"a": {\n\t\t"b": []\n\t}\n}'],
  ['four spaces and the line ends of Windows', '{\r\n    "a": 1,\r\n    "b": 2\r\n}\r\n'],
  ['one line', '{"a":1,"b":[1,2,{"c":null}]}'],
  ['one line with spaces', '{ "a": 1, "hooks": { "Before": [ {"matcher": "x"} ] } }\n'],
  ['empty lines and odd places of commas', '{\n\n  "a" : 1\n , "b":2\n\n}\n\n'],
  ['strings with quotes, braces and what is no ASCII', '{\n  "a\\"}": "\\\\", "ü": "{,]",\n  "b": "\\u00e9"\n}\n'],
  [
    'hooks of others',
    `{\n  "hooks": {\n    "Before": [\n      ${JSON.stringify(call('mine'))}\n    ],\n    "Other": [1]\n  }\n}\n`,
  ],
  ['a server of others', '{\n  "mcpServers": {\n    "mine": { "command": "x" }\n  },\n  "z": 0\n}\n'],
  ['a key that comes twice', '{\n  "a": 1,\n  "a": 2\n}\n'],
]

describe('kotef in a file of JSON', () => {
  test.each(texts)('comes in and goes out again without a trace: %s', (_, text) => {
    const joined = addJsonEntries(text, FILE)
    expect(findJsonEntries(joined, FILE)).toEqual({ events: ['Before', 'Stop'], server: true })
    expect(removeJsonEntries(joined, FILE)).toBe(text)
  })

  test.each(texts)('coming in twice changes nothing: %s', (_, text) => {
    const joined = addJsonEntries(text, FILE)
    expect(addJsonEntries(joined, FILE)).toBe(joined)
  })

  test('what others have stays, whatever it is', () => {
    const values = fc.dictionary(
      fc.constantFrom('a', 'hooks2', 'ü"\\', '__proto__', '', 'mcpServers2').filter(it => it !== '__proto__'),
      fc.jsonValue({ maxDepth: 3 }),
      { minKeys: 1 },
    )
    fc.assert(
      fc.property(values, fc.constantFrom(0, 1, 2, 3, '\t'), (value, unit) => {
        const text = JSON.stringify(value, null, unit)
        const joined = addJsonEntries(text, FILE)
        const { hooks, mcpServers, ...rest } = JSON.parse(joined) as Record<string, unknown>
        expect([Object.keys(hooks as object), mcpServers]).toEqual([['Before', 'Stop'], { kotef: FILE.server?.value }])
        expect(rest).toEqual(JSON.parse(text))
        expect(removeJsonEntries(joined, FILE)).toBe(text)
      }),
    )
  })

  test('what others put behind it since stays where it is, the second time and after it has gone', () => {
    const file = { ...FILE, server: undefined } as unknown as JsonEntries
    const mine = call('mine')
    const text = JSON.stringify({ hooks: { Before: [FILE.hooks?.['Before'], mine], Stop: [OURS] }, later: 1 }, null, 2)
    expect(addJsonEntries(text, file)).toBe(text)
    expect(JSON.parse(removeJsonEntries(text, file) ?? '')).toEqual({ hooks: { Before: [mine] }, later: 1 })
  })

  test('an older call is replaced, also at an event that is called no more, and one beside a call of others', () => {
    const old = 'npx kotef agent-hook claude'
    const text = JSON.stringify({
      hooks: {
        Before: [{ matcher: 'Write', ...call(old) }, { hooks: [...call('mine').hooks, ...call(old).hooks] }],
        Gone: [call(old)],
      },
      mcpServers: { kotef: { command: 'npx', args: ['kotef', 'mcp'] }, other: {} },
    })
    expect(JSON.parse(addJsonEntries(text, FILE))).toEqual({
      hooks: { Before: [call('mine'), FILE.hooks?.['Before']], Stop: [OURS] },
      mcpServers: { kotef: FILE.server?.value, other: {} },
    })
    expect(JSON.parse(removeJsonEntries(text, FILE) ?? '')).toEqual({
      hooks: { Before: [call('mine')] },
      mcpServers: { other: {} },
    })
  })

  test('a call for another agent is not its own', () => {
    const text = JSON.stringify({
      hooks: { Before: [call('kotef agent-hook claude-code'), call('kotef agent-hook gemini')] },
    })
    expect(removeJsonEntries(text, FILE)).toBe(text)
  })

  test('of a file that it made nothing is left', () => {
    const file: JsonEntries = {
      path: 'x',
      agent: 'cursor',
      also: { version: 1 },
      hooks: { stop: { command: 'kotef agent-hook cursor' } },
    }
    const made = addJsonEntries('{}\n', file)
    expect(JSON.parse(made)).toEqual({ version: 1, hooks: { stop: [{ command: 'kotef agent-hook cursor' }] } })
    expect(removeJsonEntries(made, file)).toBeNull()
    expect(removeJsonEntries('{"version":1,"hooks":{"stop":[{"command":"mine"}]}}', file)).not.toBeNull()
  })

  test.each([
    ['no JSON', '{"a":', 'it is not JSON'],
    ['a list', '[]', 'it is not an object'],
    ['hooks that are a list', '{"hooks":[]}', 'hooks is not an object'],
    ['an event that is an object', '{"hooks":{"Before":{}}}', 'hooks.Before is not a list'],
    ['servers that are a text', '{"mcpServers":"x"}', 'mcpServers is not an object'],
  ])('what an agent could not read is refused: %s', (_, text, why) => {
    expect(() => addJsonEntries(text, FILE)).toThrow(why)
  })

  test.each<[what: string, text: string, joined: RegExp]>([
    ['a comment at the top', '// mine\n{\n  "a": 1\n}\n', /^\/\/ mine\n\{\n {2}"a": 1,\n {2}"hooks": \{/],
    [
      'a comment behind the last value',
      '{\n  "a": 1, // one\n  "b": 2 // two\n}\n',
      /^\{\n {2}"a": 1, \/\/ one\n {2}"b": 2, \/\/ two\n {2}"hooks": \{/,
    ],
    [
      'a value that is commented out, and a comma at the end',
      '{\n  "a": 1,\n  /* "b": 2, */\n}\n',
      /"a": 1,\n {2}\/\* "b": 2, \*\/\n {2}"hooks": \{[^]*\n {2}\},\n\}\n$/,
    ],
    ['one line that ends in a comma', '{ "a": "//", }', /^\{ "a": "\/\/", "hooks": \{.*\}, "mcpServers": \{.*\}, \}$/],
    ['one line, and a comment at its end', '{ "a": 1 } // mine\n', /^\{ "a": 1, "hooks": .*\} \/\/ mine\n$/],
    ['nothing but a comment', '{\n  // nothing yet\n}\n', /^\{\n {2}\/\/ nothing yet\n {2}"hooks": \{/],
    [
      'comments in hooks and servers',
      '{\n  "hooks": {\n    // before\n    "Other": [1 /* one */]\n  },\n  "mcpServers": { /* none */\n  }\n}\n',
      /\/\/ before\n {4}"Other": \[1 \/\* one \*\/\],\n {4}"Before": \[[^]*\/\* none \*\/\n {4}"kotef"/,
    ],
  ])('comments stay when it comes in and when it goes: %s', (_, text, joined) => {
    const out = addJsonEntries(text, FILE)
    expect(out).toMatch(joined)
    expect(findJsonEntries(out, FILE)).toEqual({ events: ['Before', 'Stop'], server: true })
    expect(addJsonEntries(out, FILE)).toBe(out)
    expect(removeJsonEntries(out, FILE)).toBe(text)
  })

  test("comments of others stay, wherever they stand between what is kotef's", () => {
    const own = JSON.stringify(FILE.hooks?.['Before'])
    const text = `{ "hooks": { "Before": [ // a\n${own}, // b\n "mine" /* c */, // d\n${own} /* e */ ] /* f */ } }`
    expect(removeJsonEntries(text, FILE)).toBe(
      '{ "hooks": { "Before": [ // a\n// b\n "mine" /* c */ // d\n /* e */ ] /* f */ } }',
    )
  })

  test.each([
    ['{ // mine\n "a": 1 }', true],
    ['{ /* "x" */ "a": "//", }', true],
    ['{"a": "/* no */ // comment, ]"}', true],
    ['{"a": // half', false],
    ['{"a": 1,, }', false],
    ['', false],
  ])('with comments or without, what is whole is read: %s', (text, is) => {
    expect(parseJsonTree(text) !== null).toBe(is)
  })
})
