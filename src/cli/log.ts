import { commitLog, type LoggedCommit } from '../git/log.ts'
import { headOid } from '../git/revisions.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import { parseWholeNumber, textOption } from './options.ts'
import type { RunVerb } from './verb.ts'

/** `kotef log`: commits with their intents, newest first. */
export const run: RunVerb = async call => {
  const { git } = await openWorkspace(call.cwd)
  const intent = textOption(call, 'intent')
  const limit = parseWholeNumber(call.options['limit'], '--limit')
  if ((await git.tryAsk(headOid)) === null) return { text: 'There are no commits yet.', json: { commits: [] } }
  // One commit more than the limit shows that there are more. With an intent there is no limit for git: its search also
  // finds commits that only mention the intent.
  const found = await git.ask(commitLog({ limit: intent === null ? limit + 1 : null, intent }))
  const all = intent === null ? found : found.filter(it => it.intents.includes(intent))
  const commits = all.slice(0, limit)
  const truncated = all.length > limit
  const lines = [...commits.map(commitLine), ...(truncated ? ['… and older commits; see more with --limit'] : [])]
  const nothing = intent === null ? 'There are no commits yet.' : `No commit cites ${intent}`
  return { text: lines.join('\n') || nothing, json: { commits, truncated } }
}

const INTENT_WIDTH = 12

function commitLine({ commit, date, intents, governance, subject }: LoggedCommit): string {
  const why = intents.length > 0 ? intents.join(' ') : governance === null ? '-' : 'governance'
  return `${commit.slice(0, 10)}  ${date.slice(0, 10)}  ${why.padEnd(INTENT_WIDTH)}  ${subject}`
}
