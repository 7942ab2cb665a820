import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { writeSession } from '../../rig/handover/handover-repo.ts'
import { SESSION, sessionIn } from '../../rig/handover/session-files.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { repositoryRoot } from '../../rig/packed-kotef.ts'

const page = readFileSync(join(repositoryRoot, 'docs/handover.md'), 'utf8')

/** The only example of the page in a language. */
function exampleIn(language: 'json' | 'yaml'): string {
  const [example, second] = [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))]
  expect(second).toBeUndefined()
  return example?.[1] ?? ''
}

const repo = fixture(hookedRepo)

test('the examples of acceptance.json and tasks.yaml are valid in a session', async () => {
  const files = { 'acceptance.json': exampleIn('json'), 'tasks.yaml': exampleIn('yaml') }
  writeSession(repo(), sessionIn('IMPLEMENT_LOOP', { lean: true, files }))
  expect(await runCli(repo(), 'handover', 'check', SESSION)).toMatchObject({ exit: 0, json: { sessions: [{}] } })
  const { json } = await runCli(repo(), 'handover', 'status')
  expect(json).toMatchObject({ tasks: [{ id: 'T-001' }, { id: 'T-002' }], problems: [] })
})
