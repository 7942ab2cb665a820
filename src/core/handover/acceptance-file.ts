import * as z from 'zod'
import type { Problem } from '../base/finding.ts'
import { readJsonFile } from './read-json-file.ts'
import { filledText } from './schema-parts.ts'

export const ACCEPTANCE_FILE = 'acceptance.json'

/** The content of acceptance.json. Keys that the contract does not know are kept. */
export type AcceptanceFile = z.output<typeof acceptanceFile>

export type AcceptanceCriterion = AcceptanceFile['acceptance_criteria'][number]

/** Reads the text of an acceptance.json, with all problems. Never throws. */
export function readAcceptance(
  file: string,
  text: string,
): { readonly value: AcceptanceFile | null; readonly problems: readonly Problem[] } {
  const { value, problems } = readJsonFile(file, text, acceptanceFile)
  const ids = value?.acceptance_criteria.map(it => it.id) ?? []
  const repeated = ids.filter((it, n) => ids.indexOf(it) < n)
  const twice = repeated.map(it => ({ file, line: null, expected: 'each criterion once', found: `a second ${it}` }))
  return { value: twice.length === 0 ? value : null, problems: [...problems, ...twice] }
}

/** The command lines that verify a criterion, and what only a person can verify. */
export function verificationsOf({ verify }: AcceptanceCriterion): { commands: string[]; manual: string[] } {
  const all = typeof verify === 'string' ? [verify] : verify
  const commands = all.flatMap(it => /^cmd:\s*([^]*)$/.exec(it)?.[1] ?? [])
  return { commands, manual: all.filter(it => !it.startsWith('cmd:')) }
}

const criterion = z.looseObject(
  {
    id: filledText,
    description: filledText,
    verify: z.union([filledText, z.array(filledText).min(1)], { error: 'a text, or a list of at least one text' }),
  },
  { error: 'a criterion' },
)

const acceptanceFile = z.looseObject(
  {
    acceptance_criteria: z
      .array(criterion, { error: 'a list of criteria' })
      .min(1, { error: 'at least one criterion' }),
  },
  { error: 'an object with `acceptance_criteria`' },
)
