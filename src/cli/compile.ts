import { compile } from '../workspace/compile.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { Run } from './verb.ts'

/** For the git hooks, when the policy has changed since they last knew it. */
export const run: Run = async ({ cwd }) => {
  await compile(await openWorkspace(cwd))
  return { text: '', json: { compiled: true } }
}
