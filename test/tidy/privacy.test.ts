import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { filesBelow } from './source.ts'

const sources = filesBelow(repositoryRoot, 'src', '.ts', '.tsx').map(path => ({
  path,
  text: readFileSync(join(repositoryRoot, path), 'utf8'),
}))

test('one module opens a connection to a network, as docs/privacy.md says: for the comment on a pull request', () => {
  const network =
    /from 'node:(?:https?|http2|dgram|tls|dns)(?:\/promises)?'|\bfetch\(|new WebSocket\(|\bcreateConnection\(/
  expect(sources.length).toBeGreaterThan(200)
  expect(sources.filter(it => network.test(it.text)).map(it => it.path)).toEqual(['src/io/forge/forge-request.ts'])
})

test('sockets are files: only the daemon and its clients use node:net', () => {
  const users = sources.filter(it => it.text.includes("from 'node:net'")).map(it => it.path)
  expect(users).toEqual(['src/io/process/socket.ts'])
})

test('only the report loads that module, and what it is made of', () => {
  const users = sources.filter(it => it.text.includes('/forge/forge-request.ts')).map(it => it.path)
  expect(users).toEqual(['src/review/keep-comment.ts'])
})
