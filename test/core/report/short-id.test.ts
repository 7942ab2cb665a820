import { expect, test } from 'vitest'
import { shortOid, shortSession, withShortOids } from '../../../src/core/report/short-id.ts'

const OID = '0123456789abcdef0123456789abcdef01234567'

test('an oid has ten letters in text, within a range as well (look B14)', () => {
  expect(shortOid(OID)).toBe('0123456789')
  expect(withShortOids(`${OID}..${OID}`)).toBe('0123456789..0123456789')
  expect(withShortOids('main..HEAD~1')).toBe('main..HEAD~1')
})

test.each([
  ['833c7e1e-9842-4dd1-83a0-ddfe82c17b7d', '833c7e1e'],
  ['ses_4c1b2d3e4f5a', 'ses_4c1b2d3e4f5a'],
  ['s-1', 's-1'],
])('the session %s is %s in text (look B14)', (id, wanted) => expect(shortSession(id)).toBe(wanted))
