import { expect, test } from 'vitest'
import { commentPlan, commentText } from '../../../../src/core/report/review/sticky-comment.ts'

const comment = (id: number, body = commentText('old'), isOwn = true) => ({ id, body, isOwn })

test.each([
  ['there is no comment', [], { kind: 'create' }],
  ['no comment has the marker', [comment(1, 'hello')], { kind: 'create' }],
  ['another account wrote the marker', [comment(1, commentText('fake'), false)], { kind: 'create' }],
  ['the marker is quoted', [comment(1, `> ${commentText('old')}`)], { kind: 'create' }],
  ['an own comment has it', [comment(1, 'hello'), comment(2)], { kind: 'update', id: 2, remove: [] }],
  ['several have it', [comment(2), comment(3), comment(4)], { kind: 'update', id: 2, remove: [3, 4] }],
])('when %s', (_, comments, plan) => {
  expect(commentPlan(comments)).toEqual(plan)
})

test('the marker is an HTML comment on a line of its own', () => {
  expect(commentText('### kotef')).toMatch(/^<!-- [a-z-]+ -->\n### kotef$/)
})
