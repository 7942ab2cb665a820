import { expect, test } from 'vitest'
import { ticketItems, ticketPath, withTicketCriteria } from '../../../../src/core/intents/contract/ticket.ts'
import { readRegistry } from '../../../../src/core/intents/registry.ts'

const [intent] = readRegistry(`version: 1
active_intents:
  - { id: INT-001, name: a, owned_scope: [a], acceptance_criteria: [{ cmd: npm test }, b] }
`).intents

test.each([
  ['docs/7.md', 'docs/7.md'],
  ['./a.markdown', './a.markdown'],
  ['https://example.com/7.md', null],
  ['/etc/7.md', null],
  ['../7.md', null],
  ['docs/7.txt', null],
])('the ticket at %s is the file %s', (url, file) => {
  expect(
    ticketPath({
      related_specs: [
        { type: 'spec', url: 'x.md' },
        { type: 'ticket', url },
      ],
    }),
  ).toBe(file)
})

const TICKET = '## Definition of Done\n\n- [ ] `npm test` passes\n- [ ] `rm -rf x`\n- [x] b\n- [ ] c\n- d\n'

test('the tasks of the definition of done are its items, and some are commands', () => {
  expect(ticketItems(TICKET).map(it => [it.statement.text, it.command])).toEqual([
    ['`npm test` passes', 'npm test'],
    ['`rm -rf x`', 'rm -rf x'],
    ['b', null],
    ['c', null],
  ])
})

test('a person attests what the registry does not run; nothing is wanted twice', () => {
  if (!intent) throw new Error('The registry has an intent.')
  const criteria = withTicketCriteria(intent, TICKET).acceptance_criteria
  expect(criteria).toEqual([...intent.acceptance_criteria, '`rm -rf x`', 'c'])
  expect(withTicketCriteria(intent, null)).toBe(intent)
  expect(withTicketCriteria(intent, '# No items')).toBe(intent)
})
