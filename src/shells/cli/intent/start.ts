import { KotefError } from '../../../core/base/failure.ts'
import { startIntent } from '../../../world/lifecycle/start-intent.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import { type HooksRefresh, refreshHooks } from '../../../world/setup/install-hooks.ts'
import { adviceForUncommitted } from '../../../world/intents/registry/commit-registry.ts'
import { VERSION } from '../../../world/io/files/package.ts'
import { startedLines } from './started-lines.ts'
import { newerHooksLine } from '../setup/init.ts'
import { requirePerson } from '../person.ts'
import { firstArgument, lineOption, type RunVerb } from '../verb.ts'

/** `kotef intent start`: starts a session of a person, or of a declared agent, on an intent in this worktree. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  // An agent without hooks declares itself.
  const agent = lineOption(call, 'agent')
  if (agent?.trim() === '') throw new KotefError('usage', '--agent takes the name of the agent.')
  const isDeclared = agent !== null
  await requirePerson({ env: isDeclared ? {} : call.env }, workspace, {
    what: 'start an intent',
    declaresAgent: isDeclared,
  })
  const request = {
    intent: firstArgument(call),
    agent,
    model: lineOption(call, 'model'),
    steal: call.options['steal'] === true,
  }
  const refresh = await refreshHooks(workspace)
  const started = await startIntent(workspace, request)
  const { intent, session, ended, claim, stolen, overlaps, elsewhere, watcher } = started
  const advice = await adviceForUncommitted(workspace, intent.id)
  return {
    text: [...startedLines(started, workspace.clock.now()), ...refreshLines(refresh), ...advice].join('\n'),
    json: { intent, session, ended: ended.map(it => it.id), claim, stolen, overlaps, elsewhere, watcher },
  }
}

function refreshLines({ found, version, restored }: HooksRefresh): string[] {
  const before = version === null ? 'an earlier kotef' : `kotef ${version}`
  const older = `  Updated the git hooks from ${before} to ${VERSION}.`
  return [
    ...(found === 'older' ? [older] : []),
    ...(found === 'newer' && version !== null ? [`  ${newerHooksLine(version)}`] : []),
    ...restored.map(it => `  Restored: ${it}`),
  ]
}
