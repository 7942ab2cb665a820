import { loadContract } from '../../world/lifecycle/saved-contract.ts'
import { contractLines } from '../../core/report/contract-lines.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import { intentInQuestion } from './intent-in-question.ts'
import { type RunVerb, textOption } from './verb.ts'

/** `kotef contract`: what a run of an intent works for and is measured by, and where each line is from. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const intent = await intentInQuestion(call, workspace, 'contract')
  const saved = await loadContract(workspace, { intent, ticket: textOption(call, 'ticket'), cwd: call.cwd })
  if (saved.wasChanged) call.notify('kotef: the saved contract was changed by another program, and is built again.')
  return { text: contractLines(saved.contract).join('\n'), json: saved }
}
