import { expect, test } from 'vitest'
import { pastedCommand, withTypedName } from '../../../src/core/base/kotef-command.ts'

test('only commands to paste are changed', () => {
  expect(withTypedName('See `kotef doctor`: kotef is here, `kotef-watch` and kotef show', 'npx kotef-watch')).toBe(
    'See `npx kotef-watch doctor`: kotef is here, `kotef-watch` and kotef show',
  )
  expect(withTypedName('`git add x && kotef approve && git commit`', 'npx kotef-watch')).toBe(
    '`git add x && npx kotef-watch approve && git commit`',
  )
})

test('a call as kotef is answered as kotef', () => {
  expect(withTypedName('See `kotef doctor`', 'kotef')).toBe('See `kotef doctor`')
})

test('a command to paste runs in every clone', () => {
  expect(pastedCommand('kotef runs show 1')).toBe('npx kotef-watch runs show 1')
  expect(pastedCommand('git commit -m kotef')).toBe('git commit -m kotef')
})
