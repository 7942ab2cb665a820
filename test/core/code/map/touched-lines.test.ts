import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LineWrite, touchesNow } from '../../../../src/core/code/map/touched-lines.ts'

const lines = (text: string) =>
  text
    .split(' ')
    .flatMap(it => (it === '' ? [] : [it.split('-').map(Number)]))
    .map(([first = 0, last = first]) => ({ first, last }))
const write = (session: string | null, added: string, removed = '', after = 'blob'): LineWrite => ({
  ...{ session, after, added: lines(added), removed: lines(removed) },
})
const reported = (writes: readonly LineWrite[], head: string | null = 'head') =>
  touchesNow(writes, head)
    .map(it => `${it.session} ${it.isInside ? 'between' : 'at'} ${it.first}-${it.last}`)
    .join(', ')

test.each<[title: string, writes: readonly LineWrite[], touches: string]>([
  ['a new file', [write('a', '1-9')], 'a at 1-9'],
  ['lines above push them down', [write('a', '5-6', '5'), write('b', '1-3')], 'a at 8-9, b at 1-3'],
  ['lines removed above pull them up', [write('a', '5-6'), write('b', '', '1-2')], 'a at 3-4, b between 0-1'],
  ['lines within divide them', [write('a', '5-6'), write('b', '6-7')], 'a at 5-5, a at 8-8, b at 6-7'],
  [
    'what was written over is theirs only around it',
    [write('a', '5-6'), write('b', '5', '5-6')],
    'a between 4-6, b at 5-5',
  ],
  ['the rest of what was written over is', [write('a', '5-8'), write('b', '4', '4-6')], 'a at 5-6, b at 4-4'],
  ['removed lines', [write('a', '', '5-7')], 'a between 4-5'],
  ['lines between push removed ones apart', [write('a', '', '5-7'), write('b', '5-6')], 'a between 4-7, b at 5-6'],
  ['replaced lines', [write('a', '5-6', '5-7')], 'a at 5-6'],
  ['two places at once', [write('a', '2-3 12', '2 9')], 'a at 2-3, a at 12-12, a between 9-10'],
  ['nobody', [write('a', '5'), write(null, '1')], 'a at 6-6'],
  ['a commit', [write('a', '5', '', 'head'), write('b', '1')], 'b at 1-1'],
  ['a deletion', [write('a', '5'), { ...write('b', '', '1-9'), after: null }], ''],
])('%s', (_, writes, touches) => {
  expect(reported(writes)).toBe(touches)
})

test('touched lines have the text that the session wrote, whatever others write around them', () => {
  const edits = fc.array(fc.record({ at: fc.nat(30), remove: fc.nat(3), add: fc.nat(3) }), { maxLength: 8 })
  fc.assert(
    fc.property(edits, all => {
      let text = Array.from({ length: 10 }, () => 'old')
      const writes = all.map(({ at, remove, add }, n): LineWrite => {
        const first = Math.min(at, text.length) + 1
        const gone = Math.min(remove, text.length - first + 1)
        const session = n % 2 === 0 ? 'even' : 'odd'
        text = [
          ...text.slice(0, first - 1),
          ...Array.from({ length: add }, () => session),
          ...text.slice(first - 1 + gone),
        ]
        return {
          ...{ session, after: 'blob' },
          added: add > 0 ? [{ first, last: first + add - 1 }] : [],
          removed: gone > 0 ? [{ first, last: first + gone - 1 }] : [],
        }
      })
      const written = touchesNow(writes, null).filter(it => !it.isInside)
      for (const session of ['even', 'odd']) {
        const own = written.filter(it => it.session === session)
        const covered = text.filter((_, n) => own.some(it => it.first <= n + 1 && n + 1 <= it.last))
        expect(covered.filter(it => it === session)).toEqual(text.filter(it => it === session))
        for (const it of own) expect([text[it.first - 1], text[it.last - 1]]).toEqual([session, session])
      }
    }),
  )
})
