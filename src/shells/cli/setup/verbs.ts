import { Option } from 'commander'
import { ENFORCEMENTS } from '../../../core/intents/enforcement.ts'
import { addRepeatableOption, type Verb } from '../verb.ts'

/** The verbs that set up kotef in a repository, check it, and remove it. */
export const setupVerbs: readonly Verb[] = [
  {
    usage: 'init',
    summary: 'set up kotef in this repository: files and git hooks; running it again changes nothing',
    example: 'kotef init --agent claude --agent codex',
    addOptions: command =>
      addRepeatableOption(
        command
          .option('--yes', 'do not ask')
          .addOption(new Option('--mode <mode>', 'what becomes of a broken rule').choices(ENFORCEMENTS))
          .option('--block-from <day>', 'the day from which on a broken rule is refused, with --mode warn or observe')
          .option('--team', 'keep each intent in a file of its own, so that branches do not conflict')
          .addOption(new Option('--hooks <manager>', 'what runs the hooks').choices(['husky', 'git', 'config'])),
        '--agent <name>',
        'an agent to configure: claude, codex, gemini, copilot, cursor, opencode, cline or generic',
      ),
    load: async () => ({ run: (await import('./init.ts')).initRepository }),
  },
  {
    usage: 'uninit',
    summary: 'remove kotef from this clone: daemon, sessions, git hooks, and its entries in the settings of agents',
    example: 'kotef uninit',
    addOptions: command =>
      command.option(
        '--purge',
        'also remove the ledger, the notes, the sessions, and each file of kotef that was not edited',
      ),
    load: () => import('./uninit.ts'),
  },
  {
    usage: 'approve [request]',
    summary: "let a person approve staged changes of governance files, or answer an agent's request",
    example: 'kotef approve --list',
    addOptions: command =>
      command
        .option('--list', 'show what waits for approval, and approve nothing')
        .option('--yes', 'grant the request without a question')
        .option('--reject', 'refuse the request; takes --reason')
        .option('--reason <text>', 'why it is refused; the agent sees it'),
    load: () => import('./approve.ts'),
  },
  {
    usage: 'doctor',
    summary: 'check that everything works here, and name the fix for each problem',
    example: 'kotef doctor',
    addOptions: command => command.option('--fix', 'repair what is safe to repair, and print what was repaired'),
    load: () => import('./doctor.ts'),
  },
]
