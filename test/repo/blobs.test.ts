import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openBlobs } from '../../src/world/io/git/blobs.ts'
import { temporaryRepo } from '../rig/repo.ts'
import { oidOf } from '../rig/tree.ts'

const texts = Array.from({ length: 300 }, (_, n) => `text ${n}\n`)

test('each of many questions at once gets its own answer, also in other turns and beside missing blobs', async () => {
  await using repo = await temporaryRepo(Object.fromEntries(texts.map((text, n) => [`f${n}`, text])))
  await using blobs = openBlobs(repo.root)
  const names = texts.flatMap((text, n) => (n % 7 === 0 ? [oidOf(text), oidOf(`no ${text}`)] : [oidOf(text)]))
  const wanted = texts.flatMap((text, n) => (n % 7 === 0 ? [text, null] : [text]))
  const asked = names.slice(0, 200).map(it => blobs.read(it))
  await asked[0]
  const found = await Promise.all([...asked, ...names.slice(200).map(it => blobs.read(it))])
  expect(found.map(it => it?.toString() ?? null)).toEqual(wanted)
})

test('what was read once is not kept for the life of the reader', async () => {
  await using repo = await temporaryRepo({ a: 'a\n', b: 'b\n', c: 'c\n' })
  await using blobs = openBlobs(repo.root)
  const first = await weakly(blobs.read(oidOf('a\n')))
  for (const text of ['b\n', 'c\n']) await blobs.read(oidOf(text))
  collectGarbage()
  expect(first.deref()).toBeUndefined()
})

async function weakly(reading: Promise<Buffer | null>): Promise<WeakRef<Buffer>> {
  return new WeakRef((await reading) ?? Buffer.alloc(0))
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}
