import tab from '@bomb.sh/tab/commander'
import { Command } from 'commander'
import { runProgram } from '../io/process/run.ts'
import { packageFile } from '../io/files/package.ts'
import { KotefError } from '../findings/failure.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import { firstArgument } from './options.ts'
import type { VerbCall, RunVerb } from './verb.ts'

const COMPLETION_SHELLS = ['bash', 'zsh', 'fish', 'powershell']

/** `kotef completion`: the script that makes a shell complete kotef's words. The library prints it. */
export const run: RunVerb = async call => {
  const shell = firstArgument(call)
  if (!COMPLETION_SHELLS.includes(shell))
    throw new KotefError('usage', `${shell} is not one of ${COMPLETION_SHELLS.join(', ')}`)
  if (call.options['json']) return { text: '', json: { script: await scriptOf(shell, call) } }
  completerOf(call).setup('kotef', 'kotef', shell)
  return null
}

// The library prints and does not answer, so its words are taken from a process of their own.
async function scriptOf(shell: string, { cwd, env }: VerbCall): Promise<string> {
  const main = packageFile('dist/main.cjs')
  const { exit, stdout, stderr } = await runProgram(process.execPath, [main, 'completion', shell], { cwd, env })
  if (exit === 0) return stdout
  throw new KotefError('bug', `kotef completion ${shell} exited with ${exit}: ${stderr}`)
}

/** `kotef complete --`: what could stand at the end of a command line. The script above asks it at each tab. */
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

// The library adds its own `complete` command to what it is given, so it is given a program without ours.
function completerOf({ program }: VerbCall): ReturnType<typeof tab> {
  const ours = new Command('kotef')
  for (const it of program.commands.filter(it => it.name() !== 'complete')) ours.addCommand(it)
  return tab(ours, { completionCommandName: 'completion-script' })
}

// A tab key is no place for an error: without a registry there is nothing to suggest.
async function knownIntents({ cwd }: VerbCall): Promise<readonly { id: string; name: string }[]> {
  const { intents } = await openWorkspace(cwd)
    .then(loadRegistry)
    .catch(() => ({ intents: [] }))
  return intents
}
