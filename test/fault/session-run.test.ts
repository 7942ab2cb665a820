import { expect, test } from 'vitest'
import { disk } from '../../src/world/io/files/files.ts'
import { applyEvents, settle } from '../../src/core/runs/agent-run.ts'
import { keepStop, noteEvents, stoppedEnd } from '../../src/world/runs/run-files.ts'
import { countedRuns, startRun, updateRun } from '../../src/world/runs/run-store.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { brittleFiles } from '../rig/brittle-files.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { safely } from '../rig/safe-events.ts'

const TERMS = {
  ...{ session: 's', intent: 'INT-001', checks: ['npm test'], manual: [], appetite: null, profile: null },
  ...{ limits: {}, holdsAtStop: true },
}
const read = safely<'tool'>({ kind: 'tool', tool: 'Read', args: 'a', result: 'x', isPoll: true })
const make = safely<'tool'>({ kind: 'tool', tool: 'Bash', args: 'make', result: 'no rule', exit: 2 })

// A full disk, a disk that fails once, and a process that is killed.
test.each([{ dead: false }, { dead: true }])(
  'whichever call of the disk fails (and the next ones: $dead), events are counted once or lost',
  async ({ dead }) => {
    await using repo = await hookedRepo({ start: null })
    const workspace = await openWorkspace(repo.root)
    for (let failing = 1; ; failing++) {
      await startRun(workspace, TERMS)
      const files = brittleFiles(disk, { failing, dead })
      const brittle = { ...workspace, files }
      await noteEvents(brittle, 's', [read]).catch(() => false)
      const decision = await updateRun(brittle, 's', ({ run, at, head }) => {
        applyEvents(run, [make], head)
        return settle(run, at)
      })
      expect(decision === null || decision.status === 'running').toBe(true)
      const { runs, damaged } = await countedRuns(workspace)
      const [run, ...others] = runs
      expect([others, damaged]).toEqual([[], []])
      expect(run?.state).toMatchObject({ end: null })
      expect(run?.state.sameError?.count ?? 1).toBe(1)
      expect(await stoppedEnd(workspace, 's')).toBeNull()
      if (!files.hasFailed()) break
      await keepStop(workspace, 's', null)
    }
  },
)
