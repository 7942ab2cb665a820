import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { filesBelow } from './source.ts'

const sources = filesBelow(repositoryRoot, 'src', '.ts', '.tsx').map(path => ({
  path,
  text: readFileSync(join(repositoryRoot, path), 'utf8'),
}))
// It runs in a browser, which the policy of each page lets ask the server of the page alone.
const ours = sources.filter(it => !it.path.startsWith('src/shells/ui/client/'))

test('two modules open a connection to a network, as docs/privacy.md says: for a comment, and for an export', () => {
  const network = [
    // A type of Node's is no connection.
    /import (?!type )[^;]*?from 'node:(?:https?|http2|dgram|tls|dns)(?:\/promises)?'/,
    /\bfetch\(|new WebSocket\(|\bcreateConnection\(/,
    // Of the libraries of OpenTelemetry, these connect.
    /@opentelemetry\/exporter-/,
  ]
  expect(sources.length).toBeGreaterThan(200)
  expect(ours.filter(it => network.some(of => of.test(it.text))).map(it => it.path)).toEqual([
    'src/shells/otlp/sending/otlp-sender.ts',
    'src/world/io/forge/forge-request.ts',
  ])
})

test('sockets are files: only the daemon and its clients use node:net', () => {
  const users = sources.filter(it => it.text.includes("from 'node:net'")).map(it => it.path)
  expect(users).toEqual(['src/world/io/process/socket.ts'])
})

test('only the report loads the one, and only `kotef export otlp` the other', () => {
  const usersOf = (module: string) => sources.filter(it => it.text.includes(module)).map(it => it.path)
  expect(usersOf('/forge/forge-request.ts')).toEqual(['src/world/views/keep-comment.ts'])
  expect(usersOf('/sending/otlp-sender.ts')).toEqual(['src/shells/cli/export/export-otlp.ts'])
  expect(usersOf('/export-otlp.ts')).toEqual(['src/shells/cli/export/verbs.ts'])
})

test('no bundle but that of `kotef export otlp` has the libraries of OpenTelemetry', () => {
  const bundles = filesBelow(repositoryRoot, 'dist', '.cjs', '.mjs')
  const having = bundles.filter(it => readFileSync(join(repositoryRoot, it), 'utf8').includes('OTLPExporterError'))
  expect(having).toEqual(['dist/export-otlp.cjs'])
})

test('one module listens on a port, of 127.0.0.1 alone, and only the server of `kotef ui` loads it', () => {
  const listens = sources.filter(it => /^import \{[^}]*\} from '@hono\/node-server'$/m.test(it.text))
  expect(listens.map(it => it.path)).toEqual(['src/shells/ui/server/serve-pages.ts'])
  expect(listens[0]?.text.match(/\.listen\([^)]*\)/g)).toEqual([".listen(port, '127.0.0.1', resolve)"])
  expect(sources.filter(it => it.text.includes('/serve-pages.ts')).map(it => it.path)).toEqual([
    'src/shells/ui/server/run-server.ts',
  ])
})

test('a page has no address of another host', () => {
  const pages = ['src/shells/ui'].flatMap(it => filesBelow(repositoryRoot, it, '.ts', '.tsx', '.css'))
  const found = pages.filter(it =>
    /https?:\/\/(?!127\.0\.0\.1|\$\{)/.test(readFileSync(join(repositoryRoot, it), 'utf8')),
  )
  expect(found).toEqual([])
})
