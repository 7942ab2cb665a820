import { join } from 'node:path'
import { finished } from '../io/finished.ts'
import type { Complaint } from './complaint.ts'
import { type Hook, HOOKS } from './hook-block.ts'
import { INSTALLED, packaged } from './install.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

/** Proves that git runs each hook in this worktree, and that what it runs is what this package brings. */
export async function diagnoseHooks(workspace: Workspace): Promise<Complaint[]> {
  const runs = await Promise.all(HOOKS.map(async hook => ((await answersProbe(workspace, hook)) ? [] : [silent(hook)])))
  return [...runs.flat(), ...(await outdated(workspace))]
}

// The exit code of a hook that is asked whether it is kotef's. It stops a commit, so nobody can pass a check with it.
const PROBED = 86

async function answersProbe({ root }: Workspace, hook: Hook): Promise<boolean> {
  const env = { ...withoutGit(process.env), KOTEF_PROBE: '1' }
  const { exit } = await finished('git', ['hook', 'run', hook], { cwd: root, env })
  return exit === PROBED
}

function silent(hook: Hook): Complaint {
  return { what: `git does not run kotef's ${hook} hook in this worktree`, fix: 'Run `kotef init` again.' }
}

async function outdated(workspace: Workspace): Promise<Complaint[]> {
  const { shared } = placesOf(workspace)
  const same = await Promise.all(
    INSTALLED.map(async ({ name, from }) => {
      const installed = await workspace.files.read(join(shared, name))
      return installed?.equals(await packaged(workspace, from)) ?? false
    }),
  )
  const fix = 'Run `kotef init` again.'
  return same.every(Boolean) ? [] : [{ what: 'the installed hooks are not those of this version of kotef', fix }]
}

function withoutGit(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|OBJECT_DIRECTORY)$/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.test(name)))
}
