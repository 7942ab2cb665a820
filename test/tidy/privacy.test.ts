import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { filesBelow } from './source.ts'

const sources = filesBelow(repositoryRoot, 'src', '.ts').map(path => ({
  path,
  text: readFileSync(join(repositoryRoot, path), 'utf8'),
}))

test('no module opens a connection to a network: docs/privacy.md says that nothing leaves the machine', () => {
  const network =
    /from 'node:(?:https?|http2|dgram|tls|dns)(?:\/promises)?'|\bfetch\(|new WebSocket\(|\bcreateConnection\(/
  expect(sources.length).toBeGreaterThan(200)
  expect(sources.filter(it => network.test(it.text)).map(it => it.path)).toEqual([])
})

test('sockets are files: only the daemon and its clients use node:net', () => {
  const users = sources.filter(it => it.text.includes("from 'node:net'")).map(it => it.path)
  expect(users).toEqual(['src/io/process/socket.ts'])
})
