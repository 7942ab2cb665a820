import tab from '@bomb.sh/tab/commander'
import { Command } from 'commander'
import { runProgram } from '../../world/io/process/run.ts'
import { packageFile } from '../../world/io/files/package.ts'
import { KotefError } from '../../core/base/failure.ts'
import { COMPLETION_SHELLS, completionsOf, positionIn } from './completions.ts'
import { firstArgument, type RunVerb, type VerbCall } from './verb.ts'

/** `kotef completion`: a script that makes a shell complete kotef's command lines. */
export const run: RunVerb = async call => {
  const shell = firstArgument(call)
  if (!COMPLETION_SHELLS.includes(shell))
    throw new KotefError('usage', `${shell} is not one of ${COMPLETION_SHELLS.join(', ')}`)
  if (shell === 'bash') return { text: BASH_SCRIPT, json: { script: `${BASH_SCRIPT}\n` } }
  if (call.options['json']) return { text: '', json: { script: await scriptOf(shell, call) } }
  // The library prints the script.
  tab(new Command('kotef'), { completionCommandName: 'completion-script' }).setup('kotef', 'kotef', shell)
  return null
}

// It can only print, so `--json` captures it from a child process.
async function scriptOf(shell: string, { cwd, env }: VerbCall): Promise<string> {
  const main = packageFile('dist/main.cjs')
  const { exit, stdout, stderr } = await runProgram(process.execPath, [main, 'completion', shell], { cwd, env })
  if (exit === 0) return stdout
  throw new KotefError('bug', `kotef completion ${shell} exited with ${exit}: ${stderr}`)
}

// That of the library needs the package bash-completion, and can be read only once.
const BASH_SCRIPT = `# bash completion for kotef
__kotef_complete() {
    local cur=\${COMP_WORDS[COMP_CWORD]} files=4 line
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :*) files=\${line#:} ;;
            *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
        esac
    done < <(kotef complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    if [ "$files" = 0 ]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
    fi
}
complete -F __kotef_complete kotef`

/** `kotef complete --`: completions for the last word of a command line; the script calls it for each tab key. */
export const suggestCompletions: RunVerb = async call => {
  const [words] = call.args
  const position = positionIn(call.program, Array.isArray(words) ? words.map(String) : [])
  const { items, takesFiles } = await completionsOf(position, call)
  const lines = items.map(({ value, about }) => (about === '' ? value : `${value}\t${about}`))
  // The number is the scripts' own: 4 forbids the names of files, 0 asks for them.
  return { text: [...lines, takesFiles ? ':0' : ':4'].join('\n'), json: { items, takesFiles } }
}
