import tab from '@bomb.sh/tab/commander'
import { Command } from 'commander'
import { runProgram } from '../io/process/run.ts'
import { packageFile } from '../io/files/package.ts'
import { KotefError } from '../findings/failure.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import { firstArgument, type RunVerb, type VerbCall } from './verb.ts'

const COMPLETION_SHELLS = ['bash', 'zsh', 'fish', 'powershell']

/** `kotef completion`: a script that makes a shell complete kotef's command lines. The library prints it. */
export const run: RunVerb = async call => {
  const shell = firstArgument(call)
  if (!COMPLETION_SHELLS.includes(shell))
    throw new KotefError('usage', `${shell} is not one of ${COMPLETION_SHELLS.join(', ')}`)
  if (call.options['json']) return { text: '', json: { script: await scriptOf(shell, call) } }
  completerOf(call).setup('kotef', 'kotef', shell)
  return null
}

// The library can only print the script, so `--json` captures it from a child process.
async function scriptOf(shell: string, { cwd, env }: VerbCall): Promise<string> {
  const main = packageFile('dist/main.cjs')
  const { exit, stdout, stderr } = await runProgram(process.execPath, [main, 'completion', shell], { cwd, env })
  if (exit === 0) return stdout
  throw new KotefError('bug', `kotef completion ${shell} exited with ${exit}: ${stderr}`)
}

/** `kotef complete --`: completions for the last word of a command line; the script calls it for each tab key. */
export const suggestCompletions: RunVerb = async call => {
  const completer = completerOf(call)
  const intents = await knownIntents(call)
  for (const command of completer.commands.values()) {
    for (const it of [...command.arguments.values(), ...command.options.values()]) {
      const takesIntent = it instanceof Object && ('name' in it ? it.name === 'id' : it.value === 'intent')
      if (takesIntent) it.handler = complete => intents.forEach(({ id, name }) => complete(id, name))
    }
  }
  const [words] = call.args
  completer.parse(Array.isArray(words) ? words.map(String) : [])
  return null
}

// The library adds a `complete` command of its own, so it gets a program without ours.
function completerOf({ program }: VerbCall): ReturnType<typeof tab> {
  const ours = new Command('kotef')
  for (const it of program.commands.filter(it => it.name() !== 'complete')) ours.addCommand(it)
  return tab(ours, { completionCommandName: 'completion-script' })
}

// Completion must not print errors: without a readable registry there are no suggestions.
async function knownIntents({ cwd }: VerbCall): Promise<readonly { id: string; name: string }[]> {
  const { intents } = await openWorkspace(cwd)
    .then(loadRegistry)
    .catch(() => ({ intents: [] }))
  return intents
}
