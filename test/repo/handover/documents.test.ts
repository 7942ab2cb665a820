import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkOutput } from '../../../src/core/handover/output-message.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { writeSession } from '../../rig/handover/handover-repo.ts'
import { SESSION, sessionIn } from '../../rig/handover/session-files.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { repositoryRoot } from '../../rig/packed-kotef.ts'

const page = readFileSync(join(repositoryRoot, 'docs/handover.md'), 'utf8')

/** The examples of the page in a language. */
function examplesIn(language: 'json' | 'yaml'): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(it => it[1] ?? '')
}

const [acceptance = '', review = '', ...moreJson] = examplesIn('json')
const [tasks = '', ...moreYaml] = examplesIn('yaml')

const repo = fixture(hookedRepo)

test('the examples of acceptance.json and tasks.yaml are valid in a session', async () => {
  const files = { 'acceptance.json': acceptance, 'tasks.yaml': tasks }
  writeSession(repo(), sessionIn('IMPLEMENT_LOOP', { lean: true, files }))
  expect(await runCli(repo(), 'handover', 'check', SESSION)).toMatchObject({ exit: 0, json: { sessions: [{}] } })
  const { json } = await runCli(repo(), 'handover', 'status')
  expect(json).toMatchObject({ tasks: [{ id: 'T-001' }, { id: 'T-002' }], problems: [] })
})

test('the example of an answer is one of a Reviewer, and the page has no other examples', () => {
  expect(checkOutput(review, { from: 'Reviewer', projectType: 'lib', blobNow: null }).problems).toEqual([])
  expect([moreJson, moreYaml]).toEqual([[], []])
})
