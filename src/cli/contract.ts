import { loadContract } from '../intent-lifecycle/saved-contract.ts'
import { contractLines } from '../report/contract-lines.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import { intentInQuestion } from './intent-in-question.ts'
import { type RunVerb, textOption } from './verb.ts'

/** `kotef contract`: what a run of an intent works for and is measured by, and where each line is from. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const intent = await intentInQuestion(call, workspace, 'contract')
  const saved = await loadContract(workspace, { intent, ticket: textOption(call, 'ticket'), cwd: call.cwd })
  return { text: contractLines(saved.contract).join('\n'), json: saved }
}
