import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../rig/packed-kotef.ts'

const folder = join(repositoryRoot, 'docs/decisions')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const notes = readdirSync(folder).filter(it => it !== 'README.md')
const titleOf = (note: string) => /^# (.+)\n/.exec(read(note))?.[1]

test('the list of decisions has each note once, in order, by its title, with a line that says the answer', () => {
  const rows = [...read('README.md').matchAll(/^\| \[(.+)\]\((.+)\) \| (.+) \|$/gm)]
  expect(rows.map(([, title, note]) => [note, title])).toEqual(notes.sort().map(it => [it, titleOf(it)]))
})

test('each note has a question as its title, then a date and a status, and says what the problem is', () => {
  const form = /^# [^\n]+\?\n\n\*2\d{3}-\d\d-\d\d[^*]* Status: [^*]+\*\n/
  const isPlain = (note: string) => note === 'why-each-dependency.md' || read(note).includes('\n**Problem.** ')
  expect(notes.filter(it => !form.test(read(it)) || !isPlain(it))).toEqual([])
})
