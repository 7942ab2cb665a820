import { expect, test } from 'vitest'
import { indexPlaces, openIndex } from '../../../../src/core/code/map/place-index.ts'
import { findPlaces } from '../../../../src/core/code/map/where.ts'
import { askedWords, wordsOf } from '../../../../src/core/code/map/words.ts'

test.each([
  ['chargeCard_v2', 'charg card v 2'],
  ['HTTPServer.listenOn', 'http server listen on'],
  ['src/pay/refund-all.ts', 'src pay refund all ts'],
  ['charges charged charging charge', 'charg charg charg charg'],
  ['stopped stopping stops stop', 'stop stop stop stop'],
  ['policies policy', 'policy policy'],
  ['class status address', 'class status address'],
  ['billing bills', 'bill bill'],
  ['größeÄndern', 'größ ändern'],
  ['constructor __proto__', 'constructor proto'],
])('the words of %s', (text, words) => {
  expect(wordsOf(text).join(' ')).toBe(words)
})

test('words that every question has are left out, unless there are no others', () => {
  expect(askedWords('where is the billing logic?').map(it => it.word)).toEqual(['billing'])
  expect(askedWords('where is the code').map(it => it.word)).toEqual(['where', 'is', 'the', 'code'])
})

const declaration = (name: string, line: number, intents: readonly string[] = []) => ({
  ...{ name, kind: 'function', line, intents },
})
const index = openIndex(
  indexPlaces(
    [
      { id: 'INT-001', name: 'billing', description: 'invoices of customers' },
      { id: 'INT-002', name: 'login', description: '' },
    ],
    [
      { path: 'src/auth/login.ts', intents: ['INT-002'], declarations: [declaration('checkPassword', 3, ['INT-002'])] },
      {
        path: 'src/pay/charge.ts',
        intents: ['INT-001'],
        declarations: [
          declaration('chargeCard', 1, ['INT-001']),
          declaration('Card.rechargeable', 9, ['INT-001']),
          declaration('refund', 20, []),
        ],
      },
      {
        path: 'src/pay/cardholder.ts',
        intents: [],
        declarations: [declaration('cardholder', 1), declaration('constructor', 2)],
      },
    ],
  ),
  ['Never log card numbers.'],
)
const found = (question: string, limit = 20) =>
  findPlaces(index, question, limit).map(
    it => `${it.kind} ${it.name || it.path} (${it.reasons.map(of => `${of.word} ${of.how} ${of.field}`).join(', ')})`,
  )

test.each<[question: string, ...places: string[]]>([
  [
    'where is the billing logic?',
    'intent billing (billing exact intent)',
    'file src/pay/charge.ts (billing exact intent)',
  ],
  [
    'charging a card',
    'function chargeCard (charging exact name, card exact name)',
    'function Card.rechargeable (charging exact path, card exact container)',
    'lesson Never log card numbers. (card exact lesson)',
    'file src/pay/charge.ts (charging exact path)',
    'function cardholder (card prefix name)',
    'file src/pay/cardholder.ts (card prefix path)',
  ],
  ['password', 'function checkPassword (password exact name)'],
  ['passw', 'function checkPassword (passw prefix name)'],
  ['assword', 'function checkPassword (assword part name)'],
  ['constructor', 'function constructor (constructor exact name)'],
  ['customers', 'intent billing (customers exact description)', 'file src/pay/charge.ts (customers exact description)'],
  [
    'billing refund',
    'function refund (refund exact name)',
    'intent billing (billing exact intent)',
    'file src/pay/charge.ts (billing exact intent)',
  ],
  ['nothing like it'],
])('where is: %s', (question, ...places) => {
  expect(found(question)).toEqual(places)
})

test('the limit cuts the end of the list', () => {
  expect(found('card', 2)).toEqual(found('card').slice(0, 2))
})
