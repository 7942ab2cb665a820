import { Option } from 'commander'
import { addRepeatableOption, type Verb } from '../verb.ts'

const SESSION = ['--session <name>', 'the session; by default the only one that is open'] as const

/** The verbs of sessions in which agents hand over to each other. */
export const handoverVerbs: readonly Verb[] = [
  {
    usage: 'handover check [session]',
    summary: 'check what agents leave for each other in .agents-work/: files, decisions, states, tasks',
    example: 'kotef handover check 2026-01-31_refunds --json',
    addOptions: command => command.option('--run-checks', 'run the commands of the acceptance criteria as well'),
    load: async () => ({ run: (await import('./check.ts')).checkHandovers }),
  },
  {
    usage: 'handover status [session]',
    summary: 'show where a session is: state, tasks with their gates, questions, retries, and what is not legal',
    example: 'kotef handover status --watch',
    addOptions: command => command.option(...SESSION).option('--watch', 'show it again whenever a file changes'),
    load: async () => ({ run: (await import('./status.ts')).showHandover }),
  },
  {
    usage: 'handover new <word>',
    summary: 'begin a session, named by the day and a word',
    example: 'kotef handover new refunds --lean',
    addOptions: command => command.option('--lean', 'without design, plan and release: for small and clear work'),
    load: async () => ({ run: (await import('./new.ts')).beginHandover }),
  },
  {
    usage: 'handover ask',
    summary: 'ask the user questions, or the question of a gate; the session waits for the answers',
    example: "kotef handover ask --question 'Which currency?'",
    addOptions: command =>
      addRepeatableOption(command.option(...SESSION), '--question <text>', 'what to ask')
        .option('--security', 'only the user may end it')
        .option('--criterion <id>', 'the acceptance criterion that it is about')
        .addOption(new Option('--gate <gate>', 'the question of a gate').choices(['design', 'strategy'])),
    load: async () => ({ run: (await import('./decisions.ts')).askQuestions }),
  },
  {
    usage: 'handover answer [id] [answer]',
    summary: 'write an answer of the user; without an id, ask the user at the terminal',
    example: "kotef handover answer UD-1 'EUR'",
    addOptions: command =>
      command.option(...SESSION).option('--from <file>', 'answers as JSON, such as {"UD-1": "EUR"}; - is stdin'),
    load: async () => ({ run: (await import('./decisions.ts')).answerQuestions }),
  },
  {
    usage: 'handover cancel <id>',
    summary: 'end a question that the user does not want to answer',
    example: "kotef handover cancel UD-1 --reason 'in the next release'",
    addOptions: command => command.option(...SESSION).option('--reason <text>', 'why'),
    load: async () => ({ run: (await import('./decisions.ts')).endQuestionAs('cancelled') }),
  },
  {
    usage: 'handover skip <id>',
    summary: 'end a question that does not apply any more',
    example: "kotef handover skip UD-1 --reason 'the scope changed'",
    addOptions: command => command.option(...SESSION).option('--reason <text>', 'why'),
    load: async () => ({ run: (await import('./decisions.ts')).endQuestionAs('skipped') }),
  },
  {
    usage: 'handover advance <state>',
    summary: 'move a session to another state; on the way to DONE the acceptance checks run',
    example: 'kotef handover advance FIX_REVIEW --task T-001',
    addOptions: command =>
      command
        .option(...SESSION)
        .option('--task <id>', 'the task that a loop of repairs is for')
        .option('--agent <name>', 'the agent that corrects the design')
        .option('--reason <text>', 'what blocks the session'),
    load: async () => ({ run: (await import('./advance.ts')).advanceState }),
  },
  {
    usage: 'handover task <id> <status>',
    summary: 'set the status of a task',
    example: 'kotef handover task T-001 implemented --role Coder',
    addOptions: command => command.option(...SESSION).option('--role <agent>', 'the agent that sets it'),
    load: async () => ({ run: (await import('./advance.ts')).setTask }),
  },
  {
    usage: 'handover submit [file]',
    summary: "check an agent's answer and keep it in the session; - is stdin",
    example: 'kotef handover submit answer.json --role Reviewer --task T-001',
    addOptions: command =>
      command
        .option(...SESSION)
        .option('--role <agent>', 'the agent that answers')
        .option('--task <id>', 'the task that it is about', 'meta')
        .option('--project-type <type>', 'web, api, cli, lib or mixed'),
    load: async () => ({ run: (await import('./messages.ts')).submitMessage }),
  },
  {
    usage: 'handover message',
    summary: 'check what an agent is given to do, or what it answers; - is stdin',
    example: 'kotef handover message --in task.json --role Coder',
    addOptions: command =>
      command
        .option(...SESSION)
        .option('--in <file>', 'a message to an agent')
        .option('--out <file>', 'an answer of an agent')
        .option('--role <agent>', 'the agent that gets it, or answers')
        .option('--project-type <type>', 'web, api, cli, lib or mixed'),
    load: async () => ({ run: (await import('./messages.ts')).checkMessage }),
  },
]
