import { expect, test } from 'vitest'
import { citationIn, coAuthorsIn } from '../../../../src/core/git/trailers/commits.ts'
import { squashMessage, squashObject } from '../../../../src/core/git/trailers/squash-message.ts'

const ANN = { name: 'Ann', email: 'ann@x.org' }
const COMMITS = [
  { ...ANN, subject: 'add INT-009', body: 'Governance: add INT-009\n' },
  { name: 'Bot', email: 'bot@x.org', subject: 'bump', body: 'Why.\n\nIntent-ID: INT-009\n' },
  { ...ANN, subject: 'done', body: '' },
]

test('a squash names all commits, with their trailers, and the other authors', () => {
  const message = squashMessage('Title (#7)', COMMITS)
  expect(message).toBe(`Title (#7)

* add INT-009

Governance: add INT-009

* bump

Why.

Intent-ID: INT-009

* done

---------

Co-authored-by: Bot <bot@x.org>
`)
  expect(citationIn(message)).toEqual({ cited: ['INT-009'], misplaced: [] })
  expect(coAuthorsIn(message)).toEqual(['bot@x.org'])
})

test('a commit object has one author, without what would end the line of its name', () => {
  const text = squashObject('t', 'p', [{ ...COMMITS[0]!, name: 'A <\nB>', email: 'a@x' }])
  expect(text.split('\n\n')[0]).toBe('tree t\nparent p\nauthor A B <a@x> 0 +0000\ncommitter A B <a@x> 0 +0000')
  expect(squashObject('t', 'p', [])).toContain('author unknown <> 0 +0000')
})
