import { addRepeatableOption, type Verb } from '../verb.ts'

/** The verbs of the lessons that a repository keeps. */
export const lessonVerbs: readonly Verb[] = [
  {
    usage: 'lesson add <text>',
    summary: 'record a lesson for everybody who works here; the same again raises its count',
    example: "kotef lesson add 'Amounts are cents.' --path 'src/pay/**'",
    addOptions: command =>
      addRepeatableOption(command, '--path <glob>', 'the files that it is about').option(
        '--intent <id>',
        'the intent that it was learned with; without --path it is about the scope of that one',
      ),
    load: async () => ({ run: (await import('./lessons.ts')).addLesson }),
  },
  {
    usage: 'lesson list',
    summary: 'list the lessons with their ids, the most useful first',
    example: 'kotef lesson list --json',
    load: async () => ({ run: (await import('./lessons.ts')).listLessons }),
  },
  {
    usage: 'lesson apply',
    summary: 'put the lessons that wait for a commit into their file now',
    example: 'kotef lesson apply',
    load: async () => ({ run: (await import('./lessons.ts')).applyLessons }),
  },
  {
    usage: 'lesson drop <lesson>',
    summary: 'remove a lesson, by the beginning of its id',
    example: 'kotef lesson drop 3fa9c1',
    load: async () => ({ run: (await import('./lessons.ts')).removeLesson }),
  },
]
