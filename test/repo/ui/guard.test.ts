import { networkInterfaces } from 'node:os'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { governedRepo } from '../../rig/governed-repo.ts'
import { type PageServerOfTest, startPageServer } from '../../rig/page-server.ts'

const template = fixture(() => governedRepo({ 'src/a.ts': 'a\n' }))
const server = fixture((): Promise<PageServerOfTest> => startPageServer(template()))

const NO_PAGE = /<html|INT-001|src\/a\.ts/

test('the address sets a cookie, and the token leaves the address', async () => {
  const { pathname, search } = new URL(server().url)
  const first = await server().send(`${pathname}${search}`)
  expect([first.status, first.headers['location']]).toEqual([303, server().base])
  const [cookie = ''] = first.headers['set-cookie'] ?? []
  expect(cookie).toBe(`${server().cookie}; Path=${server().base}; HttpOnly; SameSite=Strict`)
  const page = await server().send(server().base, { cookie: server().cookie })
  expect([page.status, page.text.includes('<h1>Now</h1>')]).toEqual([200, true])
  const withFilter = await server().send(`${server().base}records${search}&intent=INT-001`)
  expect(withFilter.headers['location']).toBe(`${server().base}records?intent=INT-001`)
})

test('without the token, or with another one, nobody gets a page, a script or an event', async () => {
  const [{ base, cookie }, name] = [server(), server().cookie.split('=')[0]]
  const wrong = [{}, { cookie: `${name}=` }, { cookie: `${name}=wrong` }, { cookie: `${cookie}x` }, { cookie: 'a=b' }]
  for (const path of ['/', base, `${base}records`, `${base}events`, `${base}assets/client.js`, '/assets/client.js'])
    for (const headers of wrong) {
      const { status, text } = await server().send(path, headers)
      expect([path, headers, status, NO_PAGE.test(text)]).toEqual([path, headers, 401, false])
    }
  for (const token of ['', 'wrong', `${cookie.slice(cookie.indexOf('=') + 1)}x`, '%00'])
    expect((await server().send(`${base}?token=${token}`, { cookie })).status).toBe(401)
})

test('a host that is not this machine is refused, whatever the cookie: no name can be bound to it', async () => {
  const { base, cookie, port } = server()
  const hosts = ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`, '0.0.0.0', '[::1]']
  const odd = [`127.0.0.1:${port}.evil.example`, `127.0.0.1:${port}@evil.example`, `127.0.0.1.nip.io:${port}`]
  for (const host of [...hosts, ...odd]) {
    const { status, text } = await server().send(base, { cookie, host })
    expect([host, [400, 403].includes(status), NO_PAGE.test(text)]).toEqual([host, true, false])
  }
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`])
    expect((await server().send(base, { cookie, host })).status).toBe(200)
})

test('another origin is refused', async () => {
  const { base, cookie, port } = server()
  const own = `http://127.0.0.1:${port}`
  for (const origin of ['null', 'http://evil.example', `https://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`, ''])
    expect([origin, (await server().send(base, { cookie, origin })).status]).toEqual([origin, 403])
  expect((await server().send(base, { cookie, origin: own })).status).toBe(200)
  for (const site of ['cross-site', 'same-site'])
    expect((await server().send(base, { cookie, 'sec-fetch-site': site })).status).toBe(403)
  expect((await server().send(base, { cookie, 'sec-fetch-site': 'none' })).status).toBe(200)
})

test('only GET is answered', async () => {
  const { base, cookie } = server()
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'])
    expect([method, (await server().send(base, { cookie }, method)).status]).toEqual([method, 405])
})

test('a path that names another place when it is decoded or normalised is refused', async () => {
  const { base, cookie } = server()
  const paths = [
    ...['x/../records', 'x/%2e%2e/records', 'x/%2E./records', './records', 'x/..%2frecords', 'files/..%2f..%2fetc'],
    ...['files/%2e%2e%2fetc%2fpasswd', 'files/..%5c..%5cetc', 'files/a%00b', 'files/%', 'files/%ff', 'records#a'],
    ...['files/a\\..\\b'],
  ].map(it => `${base}${it}`)
  const targets = [...paths, '//evil.example/', `//127.0.0.1${base}`, 'records', '*', `http://evil.example${base}`]
  for (const target of targets) {
    const { status, text } = await raw(
      `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${server().port}\r\nCookie: ${cookie}`,
    )
    expect([target, status, NO_PAGE.test(text)]).toEqual([target, 400, false])
  }
})

test('a request with two hosts, an empty one or none is refused', async () => {
  const { base, cookie, port } = server()
  const own = `Host: 127.0.0.1:${port}`
  const get = `GET ${base} HTTP/1.1\r\nCookie: ${cookie}`
  for (const lines of [`${own}\r\nHost: evil.example`, `Host: evil.example\r\n${own}`, `${own}\r\n${own}`, 'Host:'])
    expect([lines, [400, 403].includes((await raw(`${get}\r\n${lines}`)).status)]).toEqual([lines, true])
  expect([400, 403]).toContain((await raw(`GET ${base} HTTP/1.0\r\nCookie: ${cookie}`)).status)
  expect((await raw(`${get}\r\n${own}`)).status).toBe(200)
})

test('a client with the cookie that does not know the key is led to the page', async () => {
  const { status, headers } = await server().send('/records?intent=INT-001', { cookie: server().cookie })
  expect([status, headers['location']]).toEqual([303, `${server().base}records?intent=INT-001`])
})

test('each answer forbids scripts and styles of others, frames, and a guess of its type', async () => {
  for (const headers of [{ cookie: server().cookie }, {}]) {
    const { headers: answered } = await server().send(server().base, headers as Record<string, string>)
    expect(answered['content-security-policy']).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'/)
    expect(answered['content-security-policy']).not.toMatch(/unsafe|\*|data:|https?:/)
    expect(answered['content-security-policy']).toMatch(/frame-ancestors 'none'/)
    expect(answered['x-content-type-options']).toBe('nosniff')
    expect(answered['referrer-policy']).toBe('no-referrer')
    expect(Object.keys(answered).filter(it => it.startsWith('access-control'))).toEqual([])
  }
})

test('no other machine reaches the server', async () => {
  const addresses = Object.values(networkInterfaces()).flatMap(it => it ?? [])
  for (const { address } of addresses.filter(it => !it.internal && it.family === 'IPv4')) {
    const outcome = await new Promise(resolve => {
      const socket = connect({ host: address, port: server().port }, () => resolve('reached'))
      socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
    })
    expect(outcome).toBe('ECONNREFUSED')
  }
})

test('an address without a page has a page that says so, without a script of the address', async () => {
  const { status, text } = await server().send(`${server().base}nothing/%3Cscript%3Ealert(1)%3C%2Fscript%3E`, {
    cookie: server().cookie,
  })
  expect(status).toBe(404)
  expect(text).toContain('Nothing is at this address')
  expect(text).not.toContain('<script>alert')
})

/** The answer to a request whose lines are sent as they are. */
function raw(head: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ host: '127.0.0.1', port: server().port })
    socket.setEncoding('utf8').on('data', (it: string) => (text += it))
    socket.on('error', reject).on('close', () => resolve({ status: Number(text.split(' ')[1]), text }))
    socket.write(`${head}\r\nConnection: close\r\n\r\n`)
  })
}
