import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { type LspClient, startLsp, uriIn } from '../../rig/lsp-client.ts'
import { randomFrom } from '../../rig/random.ts'

const template = fixture(hookedRepo)
const some = (all: readonly unknown[]) => all.length > 0

const frame = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const send = (editor: LspClient, text: string) => new Promise(sent => editor.server.stdin?.write(text, sent))

const METHODS = [
  ...['textDocument/hover', 'textDocument/codeLens', 'textDocument/codeAction', 'textDocument/didOpen'],
  ...['textDocument/didChange', 'textDocument/didSave', 'textDocument/didClose', 'workspace/executeCommand'],
  ...['workspace/didChangeWorkspaceFolders', 'initialized', '$/cancelRequest', '$/setTrace', 'no/such/method', ''],
]
const VALUES: readonly unknown[] = [
  ...[
    null,
    1,
    -1,
    1e308,
    '',
    'x',
    [],
    {},
    [[]],
    true,
    'file:///',
    'file:///%00',
    'file://host/a',
    '\ud800',
    'x'.repeat(1e6),
  ],
]

/** A hundred messages that a correct client does not send, the same for a seed. */
function brokenMessages(seed: number, uri: string): string[] {
  const random = randomFrom(seed)
  const any = <T>(all: readonly T[]): T => all[random.below(all.length)] as T
  const params = () => ({
    textDocument: any<unknown>([...VALUES, { uri }, { uri: any(VALUES), version: any(VALUES), text: any(VALUES) }]),
    position: any<unknown>([...VALUES, { line: any(VALUES), character: any(VALUES) }]),
    range: any<unknown>([...VALUES, { start: any(VALUES), end: any(VALUES) }]),
    contentChanges: any<unknown>([...VALUES, [{ range: any(VALUES), text: any(VALUES) }]]),
    ...{ command: any(VALUES), arguments: any<unknown>([...VALUES, [any(VALUES), any(VALUES)]]), event: any(VALUES) },
  })
  const forms = [
    () => frame(JSON.stringify({ jsonrpc: '2.0', id: any(VALUES), method: any(METHODS), params: params() })),
    () => frame(JSON.stringify({ jsonrpc: '2.0', method: any(METHODS), params: any([...VALUES, params()]) })),
    () => frame(JSON.stringify({ jsonrpc: '2.0', id: 7_000_001, result: any(VALUES), error: any(VALUES) })),
    () => frame(JSON.stringify(any([...VALUES, [params(), params()]]))),
    () => frame(JSON.stringify({ jsonrpc: '2.0', method: 'textDocument/hover', params: params() }).slice(0, -9)),
    () => frame('{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{"__proto__":{"uri":1}}}'),
  ]
  return Array.from({ length: 100 }, () => any(forms)())
}

test.each([1, 2, 3])('a hundred broken messages stop nothing (seed %i)', async seed => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  await editor.open('src/a.ts', 'a\n')
  for (const it of brokenMessages(seed, uriIn(repo, 'src/a.ts'))) await send(editor, it)
  await editor.open('lib/x.ts', 'x\n')
  await editor.diagnostics('lib/x.ts', some)
  expect(await editor.hover('lib/x.ts', 1)).not.toBeUndefined()
  expect(editor.server.exitCode).toBeNull()
})

test.each(['X: 1', 'no colon', 'Content-Length: many', ''])(
  'the connection goes on after the header %j, which is not one',
  async header => {
    await using repo = await copyGoverned(template())
    await using editor = await startLsp(repo)
    await send(editor, `${header}\r\n\r\n`)
    // The library leaves what comes in the same chunk until the next one: a long text is in several.
    await editor.open('lib/x.ts', 'x\n'.repeat(200_000))
    await editor.diagnostics('lib/x.ts', some)
  },
)

test.each(['-5', '999999999999'])(
  'after a frame of %s bytes the server reads no more, and ends with its client',
  async length => {
    await using repo = await copyGoverned(template())
    const editor = await startLsp(repo)
    await send(editor, `Content-Length: ${length}\r\n\r\n{}`)
    await editor[Symbol.asyncDispose]()
    expect(await editor.ended).toBe(1)
  },
)

test('a message before initialize is refused, and a later initialize is answered', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo, { initialize: false })
  const params = { textDocument: { uri: uriIn(repo, 'lib/x.ts') }, position: { line: 0, character: 0 } }
  await editor.connection.sendRequest('textDocument/hover', params).catch(() => {})
  const answer = await editor.connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} })
  expect(answer).toMatchObject({ serverInfo: { name: 'kotef' } })
})
