import { expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { fixture } from '../rig/fixture.ts'
import { hookedRepo, runCliOrThrow } from '../rig/hooked-repo.ts'

const repo = fixture(hookedRepo)
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/

test('lists have the beginning of a session, and each verb takes it back (look B14)', async () => {
  const list = await runCliOrThrow(repo(), 'session', 'list')
  expect(list).not.toMatch(UUID)
  const [short = ''] = /^[0-9a-f]{8}(?= )/.exec(list) ?? []
  const { json } = await runCli(repo(), 'session', 'list', '--json')
  const [{ id }] = (json as { sessions: [{ id: string }] }).sessions
  expect(id).toMatch(new RegExp(`^${short}-`))
  expect(await runCliOrThrow(repo(), 'session', 'show', short)).toContain('INT-001')
  const records = await runCli(repo(), 'trace', '--json', '--session', short)
  expect(records.json).not.toEqual([])
  expect(records.json).toEqual((await runCli(repo(), 'trace', '--json', '--session', id)).json)
  expect((await runCli(repo(), 'trace', '--json', '--session', 'nobody')).json).toEqual([])
})

test('a beginning that several sessions have is an error that lists them (look B14)', async () => {
  await runCliOrThrow(repo(), 'intent', 'start', 'INT-002')
  const { failure } = await runCli(repo(), 'trace', '--session', '')
  expect(failure).toMatchObject({ code: 'unknown-session' })
  expect(failure?.message.split('\n').filter(it => UUID.test(it))).toHaveLength(2)
})

test('verify and log have oids of ten letters, and columns that fit two intents (look B14)', async () => {
  await repo().write('src/a.ts', 'x\n')
  await repo().git('commit', '-qam', 'one', '-m', 'Intent-ID: INT-001\nIntent-ID: INT-002')
  const { text } = await runCli(repo(), 'verify', 'HEAD~1..HEAD')
  expect(text).toMatch(/^HEAD~1\.\.HEAD \([0-9a-f]{10}\.\.[0-9a-f]{10}\): 1 commit judged/)
  const [first = '', second = ''] = (await runCliOrThrow(repo(), 'log')).split('\n')
  expect(first.indexOf('one')).toBe(second.indexOf('adopt kotef'))
})
