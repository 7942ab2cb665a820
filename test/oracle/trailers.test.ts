import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanMessage, type MessageCleanup } from '../../src/core/git/trailers/cleanup.ts'
import { parseTrailers } from '../../src/core/git/trailers/parse-trailers.ts'
import { supportsCommentString } from '../../src/core/git/trailers/message-settings.ts'
import { withTrailer } from '../../src/core/git/trailers/add-trailer.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

const line = fc.constantFrom(
  ...['', '', '', 'subject', 'prose: and more', 'plain words', '  indented', '\tindented by a tab', '# a comment', ' '],
  ...['Signed-off-by: Ada <ada@example.com>', '(cherry picked from commit 0123)', 'Intent-ID: INT-001', 'intent-id:x'],
  ...['BREAKING CHANGE: x', 'BREAKING-CHANGE: x', 'https://example.com', 'Key : value', 'Under_score: x', 'Empty:'],
  ...['Key:\xa0value\xa0', '\xa0Key: value', 'Conflicts:', '---', 'CRLF: yes\r', '\r', ':', '1: 2', 'Key=value'],
  ...['; a comment', '// a comment', 'Folded: one', ' two', '\tthree: four', 'Ticket: 1', 'tick: 2', 'Ärger: x', '#'],
  ...['#', ';', '//'].map(it => `${it} ------------------------ >8 ------------------------`),
)
const message = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 9 }), fc.boolean())
  .map(([lines, closed]) => Buffer.from(`first\n${lines.join('\n')}${closed ? '\n' : ''}`).toString('latin1'))
const messages = fc.sample(message, { numRuns: 2000, seed: 1 })
const some = messages.slice(0, 60)

const TRAILER = { key: 'Intent-ID', value: 'INT-007' }

let repo: Repo
let comments: readonly string[]
beforeAll(async () => {
  repo = await temporaryRepo()
  comments = supportsCommentString(await repo.git('version')) ? ['#', ';', '//'] : ['#', ';']
})
afterAll(() => repo[Symbol.asyncDispose]())

test('our reading of trailers is that of git log, whatever the message and the comment character', async () => {
  for (const comment of comments) {
    const theirs = await trailersByGit(messages, comment)
    messages.forEach((it, n) =>
      expect({ it, comment, trailers: oneLineEach(it, comment) }).toEqual({ it, comment, trailers: theirs[n] }),
    )
  }
})

test('a key that trailer.* names makes a block of what is partly prose, to us as to git', async () => {
  const config = ['-c', 'trailer.ticket.key=Ticket', '-c', 'trailer.other.key=1']
  const theirs = await trailersByGit(messages, '#', config)
  const reading = { comment: '#', keys: ['ticket', 'ticket', 'other', '1'] }
  // Git tells such a trailer with the configured spelling of its key.
  const values = (trailers: readonly string[] = []) => trailers.map(it => it.replace(/^.*?: /, ''))
  const ours = messages.map(it => values(texts(parseTrailers(it, reading))))
  ours.forEach((it, n) => expect([messages[n], it]).toEqual([messages[n], values(theirs[n])]))
})

test('our reading is that of git interpret-trailers', async () => {
  for (const it of some) {
    const { stdout } = await repo.run('git', ['interpret-trailers', '--parse', '--no-divider'], { input: bytes(it) })
    const lines = texts(parseTrailers(it)).map(text => Buffer.from(`${text}\n`, 'latin1').toString())
    expect([it, lines.join('').replace(/ $/gm, '')]).toEqual([it, stdout.replace(/ $/gm, '')])
  }
})

test.each<MessageCleanup['mode']>(['verbatim', 'whitespace', 'strip', 'scissors'])(
  'when git cleans by %s, it finds the trailer that we add once, and every other as it was',
  async mode => {
    for (const comment of comments) {
      const how: MessageCleanup = { ...unedited(comment), mode, edited: mode === 'strip' || mode === 'scissors' }
      const written = messages.map(it => withTrailer(it, TRAILER, how))
      const were = await trailersByGit(
        messages.map(it => cleanMessage(it, how)),
        comment,
      )
      const are = await trailersByGit(
        written.map(it => cleanMessage(it, how)),
        comment,
      )
      messages.forEach((it, n) =>
        expect({ it, comment, trailers: meant(are[n]) }).toEqual({
          it,
          comment,
          trailers: [...meant(were[n]), 'Intent-ID: INT-007'],
        }),
      )
    }
  },
)

test('no byte of a message is another after a trailer was added', () => {
  for (const it of messages) {
    const written = withTrailer(it, TRAILER, unedited('#'))
    expect({ it, kept: isInserted(it, written) }).toEqual({ it, kept: true })
  }
})

test('cleaning is what git stripspace does, with comments and without', async () => {
  for (const comment of comments) {
    const config = ['-c', `core.commentChar=${comment}`, 'stripspace']
    for (const it of some) {
      const kept = await repo.run('git', [...config], { input: bytes(it) })
      const stripped = await repo.run('git', [...config, '-s'], { input: bytes(it) })
      const strip: MessageCleanup = { ...unedited(comment), mode: 'strip' }
      expect([it, utf8(cleanMessage(it, unedited(comment)))]).toEqual([it, kept.stdout])
      expect([it, utf8(cleanMessage(it, strip))]).toEqual([it, stripped.stdout])
    }
  }
})

function unedited(comment: string): MessageCleanup {
  return { comment, syntax: { comment, keys: [] }, mode: 'whitespace', edited: false }
}

// An address is a trailer to git, `https` being its key, and to nobody else.
function meant(trailers: readonly string[] = []): readonly string[] {
  return trailers.filter(it => !it.startsWith('https: //'))
}

/** True when one text is the other with something put in at one place. */
function isInserted(before: string, after: string): boolean {
  let front = 0
  while (front < before.length && before[front] === after[front]) front += 1
  return after.endsWith(before.slice(front)) && after.length > before.length
}

function oneLineEach(text: string, comment: string): string[] {
  return texts(parseTrailers(text, { comment, keys: [] }))
}

function texts(trailers: ReturnType<typeof parseTrailers>): string[] {
  return trailers.map(({ key, value }) => `${key}: ${value}`)
}

function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

function utf8(text: string): string {
  return bytes(text).toString()
}

async function trailersByGit(texts: readonly string[], comment = '#', config: readonly string[] = []) {
  const commits = texts.map(text => {
    const data = bytes(text)
    const head = `commit refs/heads/oracle\ncommitter A <a@b> 1767225600 +0000\ndata ${data.length}\n`
    return Buffer.concat([Buffer.from(head), data, Buffer.from('\n')])
  })
  await repo.run('git', ['update-ref', '-d', 'refs/heads/oracle'])
  await repo.run('git', ['fast-import', '--quiet', '--force'], { input: Buffer.concat(commits) })
  const format = '%(trailers:only=true,unfold=true,separator=%x1F)'
  const log = `log --reverse -z --encoding= --format='${format}' oracle`
  const settings = ['-c', `core.commentChar=${comment}`, ...config].map(it => `'${it}'`).join(' ')
  // Bytes can't pass through the rig's text, so they are spelled.
  const { stdout } = await repo.run('sh', ['-c', `git ${settings} ${log} | od -An -v -tx1`])
  const out = Buffer.from(stdout.replace(/\s/g, ''), 'hex').toString('latin1')
  const found = out.split('\0').slice(0, texts.length)
  return found.map(it => (it === '' ? [] : it.split('\x1f')))
}
