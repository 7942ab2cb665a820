import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { normalise, playTranscript, readPage, readTranscript } from './rig/transcript.ts'

const folder = join(import.meta.dirname, 'script')

for (const name of readdirSync(folder).filter(it => it.endsWith('.txt'))) {
  const transcript = readTranscript(readFileSync(join(folder, name), 'utf8'))
  test(`${name}: ${transcript.title}`, () => playTranscript(transcript))
}

const played = (text: string) => playTranscript(readTranscript(`# A story.\n${text}`))

test('a transcript fails where a command ends otherwise than it says', async () => {
  await expect(played('$ exit 1')).rejects.toThrow('exit 1')
  await expect(played('! exit 0')).rejects.toThrow('exit 0')
  await played('$ exit 0\n! exit 7')
})

test('output that is told is the whole of it, and dots stand for what is left out', async () => {
  const seq = '$ seq 12'
  await expect(played(`${seq}\n  1> 1\n  1> 2`)).rejects.toThrow('seq 12')
  await expect(played(`${seq}\n  1> ...\n  1> 11`)).rejects.toThrow('seq 12')
  await played(`${seq}\n  1> 1\n  1> ...\n  1> 5\n  1> ...\n  1> 12`)
  await played('$ echo a. b c >&2\n  2> a. ... c')
  await expect(played('$ echo abc\n  1> a.c')).rejects.toThrow('abc')
  await expect(played('$ printf ""\n  1> a')).rejects.toThrow('printf')
})

test('a command goes on in lines that start with >, and finds the files that the transcript brings', async () => {
  await played('$ cat <<end | cat - a/b.txt\n> one\n> end\n  1> one\n  1> two\n-- a/b.txt --\ntwo\n')
})

test('a transcript that makes no sense is refused with the number of its line', () => {
  expect(() => readTranscript('$ true')).toThrow('line 1: expected `# `')
  expect(() => readTranscript('# A story.\n1> out')).toThrow('line 2: expected a command')
  expect(() => readTranscript('# A story.\n  1> out')).toThrow('line 2: expected a command')
})

test('a page is groups of rows, and a line outside of a row is refused with its number', () => {
  const { groups, functions } = readPage('== a\n# one\n$ f\n  1> x\n== b\n# two\n$ h\n-- functions --\nf() { :; }\n')
  expect(groups.map(it => [it.title, ...it.rows.map(row => row.title)])).toEqual([
    ['a', 'one'],
    ['b', 'two'],
  ])
  expect(functions).toBe('f() { :; }\n')
  expect(() => readPage('# one')).toThrow('line 1: expected `== `')
  expect(() => readPage('== a\n$ f')).toThrow('line 2: expected `== `')
  expect(() => readPage('== a\n# one\n  1> x')).toThrow('line 3: expected a command')
})

test.each([
  ['[main 1234567890123456789012345678901234567890] x', '[main <oid>] x'],
  ['at /r/repo/a.ts', 'at <repo>/a.ts'],
  ['2026-01-01T00:00:00.123Z and 10:11:12', '<time> and <time>'],
  ['pid 123, {"pid":45}', 'pid <pid>, {"pid":<pid>}'],
  ['id 00000000-0000-4000-8000-000000000001', 'id <uuid>'],
  ['1048576 bytes', '1048576 bytes'],
])('%s is told as %s', (text, reported) => {
  expect(normalise(text, '/r/repo')).toBe(reported)
})
