import { expect, test } from 'vitest'
import { type Anchor, anchorFollower, anchorText, parseAnchor } from '../../../src/core/ledger/anchors.ts'
import { readLedger } from '../../../src/core/ledger/read-ledger.ts'
import { seal } from '../../../src/core/ledger/seal.ts'

/** So many records of a writer, as a ledger, and the anchor of the last one. */
function ledgerOf(writer: string, count: number, version = '1.0.0') {
  let prev: string | null = null
  let text = ''
  for (let seq = 0; seq < count; seq++) {
    const stamp = { id: `${writer}${seq}`, timestamp: '2026-01-01T00:00:00Z', revision: null, version }
    const { record, line } = seal({ event: { event: 'initialised' } }, { ...stamp, writer, seq, prev })
    prev = record.metadata['dev.kotef'].hash
    text += `${line}\n`
  }
  return { text, anchor: { writer, seq: count - 1, hash: prev ?? '', commit: 'c'.repeat(40) } }
}

function found(text: string, anchors: readonly Anchor[]): string[] {
  const { follow, end } = anchorFollower(anchors)
  return [...readLedger(text).entries.flatMap(follow), ...end(null)].map(it => `${it.rule}: ${it.message}`)
}

test('a ledger that goes on where a commit was made is whole, whoever else wrote', () => {
  const [four, two] = [ledgerOf('a', 4), ledgerOf('a', 2)]
  expect(found(four.text, [two.anchor, four.anchor, ledgerOf('b', 9).anchor])).toEqual([])
})

test('an end that several commits know of is missing once, from the last record that is here', () => {
  const [four, three, two] = [ledgerOf('a', 4), ledgerOf('a', 3), ledgerOf('a', 2)]
  expect(found(two.text, [three.anchor, four.anchor])).toEqual([
    expect.stringMatching(/^ledger-truncated: .* commit cccccccccc names records 2 to 3\.$/),
  ])
})

test('a chain that was written anew, with all its links, is not what a commit names', () => {
  const [real, forged] = [ledgerOf('a', 3), ledgerOf('a', 5, '2.0.0')]
  expect(found(forged.text, [real.anchor])).toEqual([
    expect.stringMatching(/^ledger-edited: .* record 2 is not the one that commit cccccccccc names\.$/),
  ])
})

test('a trailer is read as it is written, and anything else is none', () => {
  const { commit: _, ...head } = ledgerOf('ab480bef-aedb-4f03-a6be-6bab6ca5d617', 3).anchor
  expect(parseAnchor(anchorText(head))).toEqual(head)
  for (const text of ['', 'a/1', `a/-1/${head.hash}`, `a b/1/${head.hash}`, `a/1/${head.hash}0`])
    expect(parseAnchor(text)).toBeNull()
})
