import { expect, test } from 'vitest'
import { toKotefError } from '../../../src/core/base/failure.ts'

const CODES = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EISDIR', 'EEXIST', 'ENOTDIR', 'ELOOP', 'EMFILE']

test.each(CODES)('%s of the disk is no bug of kotef: it names the file and a way out', code => {
  const thrown = Object.assign(new Error(`${code}: no, open '/x'`), { code })
  const { hint, ...failure } = toKotefError(thrown)
  expect(failure).toMatchObject({ code: 'disk-failed', exit: 3 })
  expect(toKotefError(thrown).message).toBe(`The disk refused: ${code}: no, open '/x'`)
  expect(hint).toMatch(/, and try again\.$/)
})

test('what nobody foresaw is a bug', () => {
  expect(toKotefError(Object.assign(new Error('x'), { code: 'ERR_ASSERTION' })).code).toBe('bug')
  expect(toKotefError('x').code).toBe('bug')
})
