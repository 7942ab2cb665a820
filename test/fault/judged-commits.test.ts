import { expect, test } from 'vitest'
import { judgeNewCommits } from '../../src/world/commits/judge-new-commits.ts'
import { disk } from '../../src/world/io/files/files.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { brittleFiles } from '../rig/brittle-files.ts'
import { governedRepo } from '../rig/governed-repo.ts'
import { bypass } from '../rig/verify-findings.ts'

// More records than one write has.
const FILES = Array.from({ length: 110 }, (_, n) => `lib/f${n}.ts`)

test('whichever disk call is the last of a judgement, the next one records each broken rule once', async () => {
  await using repo = await governedRepo()
  const whole = await openWorkspace(repo.root)
  await judgeNewCommits(whole)
  for (let k = 1; ; k++) {
    for (const path of FILES) await repo.write(path, `${k}\n`)
    const { stdout } = await repo.play(`git add lib; ${bypass('lib', 'Intent-ID: INT-001')}; git rev-parse HEAD`)
    const commit = stdout.trim()
    const files = brittleFiles(disk, { failing: k, dead: true })
    await openWorkspace(repo.root, { files })
      .then(judgeNewCommits)
      .catch(() => {})
    await judgeNewCommits(whole)
    const ledger = (await repo.read('.orchestration/agent_trace.jsonl')).split('\n')
    const broken = ledger.flatMap(it => (it.endsWith('}}}') && it.includes(`"commit":"${commit}"`) ? [pathOf(it)] : []))
    expect(broken.sort(), `call ${k}`).toEqual(FILES.toSorted())
    if (!files.hasFailed()) return
  }
})

const pathOf = (line: string): unknown => (JSON.parse(line) as { metadata: Event }).metadata['dev.kotef'].path

type Event = { readonly 'dev.kotef': { readonly path: unknown } }
