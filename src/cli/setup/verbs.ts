import { Option } from 'commander'
import { addRepeatableOption } from '../options.ts'
import type { Verb } from '../verb.ts'

/** The verbs that bring kotef into a repository, look after it, and take it out again. */
export const setupVerbs: readonly Verb[] = [
  {
    usage: 'init',
    summary: 'govern this repository: its files and its git hooks; doing it again is harmless',
    example: 'kotef init --agent claude --agent codex',
    addOptions: command =>
      addRepeatableOption(
        command
          .option('--yes', 'do not ask')
          .addOption(new Option('--hooks <manager>', 'who runs the hooks').choices(['husky', 'git', 'config'])),
        '--agent <name>',
        'an agent to configure: claude, codex, gemini, copilot, cursor, opencode, cline or generic',
      ),
    load: () => import('./init.ts'),
  },
  {
    usage: 'uninit',
    summary: 'take kotef out of this clone: its git hooks, what they judge by, and its part in the settings of agents',
    example: 'kotef uninit',
    addOptions: command =>
      command.option('--purge', 'remove the ledger, the sessions, and every file of kotef that nobody has changed'),
    load: () => import('./uninit.ts'),
  },
  {
    usage: 'approve [request]',
    summary: 'let a person approve what is staged of the files that govern, or answer what an agent asks for',
    example: 'kotef approve --list',
    addOptions: command =>
      command
        .option('--list', 'show what waits for it, and approve nothing')
        .option('--yes', 'grant the request without a question')
        .option('--reject', 'refuse the request; takes --reason')
        .option('--reason <text>', 'why it is refused; the agent is told'),
    load: () => import('./approve.ts'),
  },
  {
    usage: 'doctor',
    summary: 'prove that everything works here, and name the fix for what does not',
    example: 'kotef doctor',
    addOptions: command => command.option('--fix', 'repair what is safe to repair, and say what that was'),
    load: () => import('./doctor.ts'),
  },
]
