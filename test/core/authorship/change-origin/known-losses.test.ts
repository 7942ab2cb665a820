import { expect, test } from 'vitest'
import { classify } from '../../../../src/core/authorship/change-origin/classify.ts'
import { losses } from './losses.ts'
import { changed } from './worlds.ts'

test.each(losses)('$situation: $rule is wrong', ({ facts, rule, truth }) => {
  const verdict = classify({ ...changed, ...facts })
  expect(verdict).toMatchObject({ rule })
  expect(verdict).not.toMatchObject({ origin: truth })
})
