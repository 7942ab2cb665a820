import * as promises from 'node:fs/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as atOnce from '../../src/shells/boot/sync-fs-promises.ts'

type Disk = Pick<typeof promises, keyof typeof atOnce>

/** What each of the two is asked in a folder of its own; every answer, also a refusal, must be the same. */
const questions: readonly ((fs: Disk, at: (name: string) => string) => Promise<unknown>)[] = [
  (fs, at) => fs.mkdir(at('a/b'), { recursive: true }).then(it => it?.endsWith('a')),
  (fs, at) => fs.mkdir(at('a')),
  (fs, at) => fs.open(at('a/x'), 'wx', 0o600).then(it => it.writeFile('hello').then(() => it.close())),
  (fs, at) => fs.open(at('a/x'), 'wx', 0o600),
  (fs, at) => fs.readFile(at('a/x')),
  (fs, at) => fs.readFile(at('a/x'), 'latin1'),
  (fs, at) => fs.readFile(at('a')),
  (fs, at) => fs.readFile(at('none')),
  (fs, at) => fs.open(at('none'), 'r'),
  (fs, at) =>
    fs.open(at('a/x'), 'a+').then(async it => {
      const written = await it.write(Buffer.from(' world'))
      const buffer = Buffer.alloc(20)
      const { bytesRead } = await it.read(buffer, 0, 20, 2)
      const { size } = await it.stat()
      await it.close()
      return [written.bytesWritten, bytesRead, buffer.toString(), size]
    }),
  (fs, at) => fs.access(at('a/x')),
  (fs, at) => fs.access(at('none')),
  (fs, at) => fs.chmod(at('a/x'), 0o400),
  (fs, at) => fs.lstat(at('a/x')).then(it => [it.size, it.mode, it.isFile()]),
  (fs, at) => fs.lstat(at('a/x/y')),
  (fs, at) => fs.link(at('a/x'), at('a/y')),
  (fs, at) => fs.link(at('none'), at('a/z')),
  (fs, at) => fs.rename(at('a/y'), at('a/z')),
  (fs, at) => fs.rename(at('none'), at('a/z')),
  (fs, at) => fs.readdir(at('a')),
  (fs, at) => fs.readdir(at('a'), { withFileTypes: true }).then(all => all.map(it => [it.name, it.isDirectory()])),
  (fs, at) => fs.readdir(at('a/x')),
  (fs, at) => fs.readlink(at('a/x')),
  (fs, at) => fs.readlink(at('none')),
  (fs, at) => fs.realpath(at('a/../a/x')).then(it => it.endsWith('/a/x')),
  (fs, at) => fs.realpath(at('none')),
  (fs, at) => fs.rm(at('a')),
  (fs, at) => fs.rm(at('none'), { force: true }),
  (fs, at) => fs.rm(at('none')),
  (fs, at) => fs.rm(at('a'), { recursive: true, force: true }),
]

test('what is done at once does what the promises of Node do', async () => {
  const [one, other] = [await answersOf(atOnce as unknown as Disk), await answersOf(promises)]
  expect(one).toEqual(other)
  expect(one.filter(it => it.startsWith('refused')).length).toBeGreaterThan(10)
})

async function answersOf(fs: Disk): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kotef-'))
  const answers: string[] = []
  for (const ask of questions) {
    const answer = ask(fs, name => join(folder, name)).then(
      it => `told ${JSON.stringify(it)}`,
      (thrown: unknown) => `refused ${(thrown as { code?: string }).code} ${(thrown as { syscall?: string }).syscall}`,
    )
    answers.push(await answer)
  }
  await rm(folder, { recursive: true, force: true })
  return answers
}
