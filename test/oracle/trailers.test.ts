import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanedMessage } from '../../src/trailers/clean.ts'
import { trailersOf, valuesOf } from '../../src/trailers/read.ts'
import { withTrailer } from '../../src/trailers/write.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

const line = fc.constantFrom(
  ...['', '', '', 'subject', 'prose: and more', 'plain words', '  indented', '\tindented by a tab', '# a comment', ' '],
  ...['Signed-off-by: Ada <ada@example.com>', '(cherry picked from commit 0123)', 'Intent-ID: INT-001', 'intent-id:x'],
  ...['BREAKING CHANGE: x', 'BREAKING-CHANGE: x', 'https://example.com', 'Key : value', 'Under_score: x', 'Empty:'],
  ...['Key:\xa0value\xa0', '\xa0Key: value', 'Conflicts:', '---', 'CRLF: yes\r', '\r', ':', '1: 2', 'Key=value'],
  '# ------------------------ >8 ------------------------',
)
const message = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 9 }), fc.boolean())
  .map(([lines, closed]) => `first\n${lines.join('\n')}${closed ? '\n' : ''}`)
const messages = fc.sample(message, { numRuns: 3000, seed: 1 })

test('our reading of trailers is that of git log, whatever the message', async () => {
  await using repo = await temporaryRepo()
  const theirs = await trailersByGit(repo, messages)
  messages.forEach((it, n) => expect({ it, trailers: oneLineEach(it) }).toEqual({ it, trailers: theirs[n] }))
})

test('a trailer that we add is one that git finds, after those that were there', async () => {
  await using repo = await temporaryRepo()
  const written = messages.map(it => withTrailer(it, { key: 'Intent-ID', value: 'INT-007' }, unedited))
  const theirs = await trailersByGit(repo, written)
  written.forEach((it, n) => expect({ it, last: theirs[n]?.at(-1) }).toEqual({ it, last: 'Intent-ID: INT-007' }))
})

test('a trailer that we add to an edited message is one that is there once git has cleaned it', async () => {
  await using repo = await temporaryRepo()
  const edited = messages.map(it => `${it}\n# Please enter the commit message.\n# On branch main\n`)
  const written = edited.map(it =>
    withTrailer(it, { key: 'Intent-ID', value: 'INT-007' }, { ...unedited, edited: true }),
  )
  const cleaned = written.map(it => cleanedMessage(it, { commentChar: '#', edited: true }))
  const theirs = await trailersByGit(repo, cleaned)
  cleaned.forEach((it, n) => expect({ it, last: theirs[n]?.at(-1) }).toEqual({ it, last: 'Intent-ID: INT-007' }))
})

test('cleaning is what git stripspace does', async () => {
  await using repo = await temporaryRepo()
  const some = messages.slice(0, 60)
  for (const it of some) {
    const { stdout } = await repo.run('git', ['stripspace'], { input: Buffer.from(it, 'latin1') })
    expect(Buffer.from(cleanedMessage(it, unedited), 'latin1').toString()).toBe(stdout)
  }
})

test('keys are found whatever their case', () => {
  expect(valuesOf(trailersOf('s\n\nINTENT-ID: A-1\nintent-id: A-2\n'), 'Intent-ID')).toEqual(['A-1', 'A-2'])
})

const unedited = { commentChar: '#', edited: false }

function oneLineEach(text: string): string[] {
  return trailersOf(text).map(({ key, value }) => `${key}: ${value}`)
}

async function trailersByGit(repo: Repo, texts: readonly string[]): Promise<string[][]> {
  const commits = texts.map(text => {
    const bytes = Buffer.from(text, 'latin1')
    return Buffer.concat([
      Buffer.from(`commit refs/heads/oracle\ncommitter A <a@b> 1767225600 +0000\ndata ${bytes.length}\n`),
      bytes,
      Buffer.from('\n'),
    ])
  })
  await repo.run('git', ['fast-import', '--quiet', '--force'], { input: Buffer.concat(commits) })
  const format = '%(trailers:only=true,unfold=true,separator=%x1F)'
  // Bytes can't pass through the rig's text, so git quotes them in our stead.
  const { stdout } = await repo.run('sh', [
    '-c',
    `git log --reverse -z --encoding= --format='${format}' oracle | od -An -v -tx1`,
  ])
  const out = Buffer.from(stdout.replace(/\s/g, ''), 'hex').toString('latin1')
  return out
    .split('\0')
    .slice(0, texts.length)
    .map(it => (it === '' ? [] : it.split('\x1f')))
}
