import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixture } from '../rig/fixture.ts'
import { nonUtf8Patterns } from '../../src/core/intents/scope/fast-path-file.ts'
import { temporaryRepo } from '../rig/repo.ts'

const repo = fixture(async () => {
  const repo = await temporaryRepo({ 'a.ts': 'a\n' })
  await repo.write(
    '../patterns',
    nonUtf8Patterns()
      .map(it => `${it} wrong\n`)
      .join(''),
  )
  return repo
})

// The first and the last of each kind of byte that UTF-8 knows.
const kinds = [0x61, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5]

function namesOf(length: number): number[][] {
  return length === 0 ? [[]] : namesOf(length - 1).flatMap(name => kinds.map(byte => [...name, byte]))
}

/** The paths that git finds to have the attribute. */
async function pathsWithAttribute(paths: readonly Buffer[]): Promise<Set<string>> {
  const input = Buffer.concat(paths.flatMap(it => [it, Buffer.from('\0')]))
  const file = join(repo().base, 'patterns')
  await repo().write('../paths', input)
  const { stdout } = await repo().run('sh', [
    '-c',
    `git -c core.attributesFile='${file}' check-attr -z --stdin wrong <../paths | od -An -v -tx1 | tr -d ' \\n'`,
  ])
  const fields = Buffer.from(stdout, 'hex').toString('latin1').split('\0')
  return new Set(fields.flatMap((path, n) => (n % 3 === 0 && fields[n + 2] === 'set' ? [path] : [])))
}

const isRight = (bytes: Buffer) => isUtf8(bytes) && !bytes.toString().includes('\uFFFD')

test.each([1, 2, 3, 4])('git finds each name of %i bytes that is no UTF-8, and no other', async length => {
  const names = namesOf(length).map(it => Buffer.from(it))
  const wrong = await pathsWithAttribute(names)
  const judgedOtherwise = names.filter(it => wrong.has(it.toString('latin1')) === isRight(it))
  expect(judgedOtherwise.map(it => it.toString('hex'))).toEqual([])
})

test.each(['src/%/a.ts', '%/a.ts', 'src/a%.ts', 'src/%'])('also as a part of the path %s', async form => {
  const parts = [
    '\xff',
    'a\xc3',
    '\xbf',
    '\xe2\x82',
    '\xed\xa0\x80',
    '\xef\xbf\xbd',
    '\xf0\x9f\x98',
    '\xe2\x82\xac\x80',
  ]
  const good = ['ü', 'a', '€', '😀', '日本', '\u{10ffff}', '\uffff', 'é\n']
  const inForm = (it: Buffer) => Buffer.from(form.replace('%', it.toString('latin1')), 'latin1')
  const paths = [...parts.map(it => Buffer.from(it, 'latin1')), ...good.map(it => Buffer.from(it))].map(inForm)
  const wrong = await pathsWithAttribute(paths)
  expect(paths.map(it => wrong.has(it.toString('latin1')))).toEqual([
    ...parts.map(() => true),
    ...good.map(() => false),
  ])
})
