import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { type Operation, operationRepo } from '../../rig/operation-repo.ts'

const operated = fixture(operationRepo)

/** What kotef gets wrong today, as docs/decisions/git-or-person.md says. One that comes out right may leave both. */
const wrong: Readonly<Record<string, Operation>> = {
  'a restored file that is edited at once has all its lines recorded, not the edited ones': {
    run: 'git restore --source=other src/b; line 2 TEXT b',
    writes: [['modify', 'b', [2, 2], [10, 10]]],
  },
  'and so is one that a reset brought, and that is edited and staged at once': {
    run: 'git reset -q --hard other; line 2 TEXT b; git add -A',
    writes: [['modify', 'b', [2, 2], [10, 10]]],
  },
}

test.each(Object.entries(wrong))('%s', async (_, operation) => {
  expect(await operated().recordsOf(operation)).toEqual(operation.writes)
})
