import fc from 'fast-check'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseTrailers } from '../../src/core/git/trailers/parse-trailers.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'

const line = fc.constantFrom(
  ...['', '', '', 'subject', 'prose: and more', 'plain words', '  indented', '\tby a tab', '# a comment', ' ', ':x'],
  ...['Signed-off-by: Ada <ada@example.com>', '(cherry picked from commit 0123)', 'Intent-ID: INT-001', 'intent-id:x'],
  ...['BREAKING CHANGE: x', 'BREAKING-CHANGE: x', 'https://example.com', 'Key : value', 'Under_score: x', 'Empty:'],
  ...['Key:\xa0value', '\xa0Key: value', 'Conflicts:', '---', 'CRLF: yes\r', ':', '1: 2', 'Key=value', 'Key:value'],
  ...['; a comment', '// a comment', 'Governance: why', '# ------------------------ >8 ------------------------'],
)
const message = fc
  .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom('', '\n', '\n', '\n\n'))
  .map(([lines, end]) => `first\n${lines.join('\n')}${end}`)
const messages = fc.sample(message, { numRuns: 600, seed: 3 })

// Node is a program that says nothing here, so whatever is written was written by the shell alone.
const STAMP = `
for file in ../m/*; do
  (kotef=../shell; GIT_EDITOR=:; set -- "$file" message; . "$kotef/prepare-commit-msg") >>../out 2>&1
done`

test('what the shell adds to a message by itself, git finds once, and every other trailer as it was', async () => {
  await using repo = await hookedRepo()
  await repo.run('sh', ['-c', 'cp -R .git/kotef ../shell; cd ../shell; echo "$PWD/mute" >node'])
  await repo.write('../shell/mute', '#!/bin/sh\n', 0o755)
  const folder = join(repo.base, 'm')
  await mkdir(folder)
  const files = messages.map((_, n) => join(folder, String(n).padStart(4, '0')))
  for (const [n, file] of files.entries()) await writeFile(file, messages[n] ?? '', 'latin1')
  await repo.run('sh', ['-c', STAMP])
  const written = await Promise.all(files.map(it => readFile(it, 'latin1')))
  const stamped = written.flatMap((after, n) => (after === messages[n] ? [] : [{ before: messages[n] ?? '', after }]))
  for (const { before, after } of stamped)
    expect({ after, trailers: parseTrailers(after) }).toEqual({
      after,
      trailers: [...parseTrailers(before), { key: 'Intent-ID', value: 'INT-001' }],
    })
  // Most of these messages are odd on purpose; the plain ones among them are left to the shell.
  expect(stamped.length).toBeGreaterThan(100)
  expect(stamped.filter(it => !it.after.startsWith(it.before))).toEqual([])
})
