import { registryMoves } from '../workspace/registry-moves.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { Run } from './verb.ts'

/** For the git hooks, which can't read YAML themselves. */
export const run: Run = async ({ cwd, args: [before, after] }) => {
  const moves = await registryMoves(await openWorkspace(cwd), String(before), String(after))
  return { text: String(moves), json: { moves } }
}
