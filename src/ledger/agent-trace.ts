import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { jsonOrUndefined, parseObject } from '../text/payload.ts'
import schema from './agent-trace-0.1.0.schema.json' with { type: 'json' }

/** Something that keeps a text from being Agent Trace. */
export type AgentTraceFault = {
  /** The line of the record, 1-based; null where one document has all the records. */
  readonly line: number | null
  /** Where in the text, or in its record: a JSON pointer (RFC 6901), empty for all of it. */
  readonly at: string
  readonly message: string
}

const ajv = new Ajv2020({ allErrors: true })
addFormats.default(ajv)
const matchesSchema = ajv.compile(schema)

/** What the Agent Trace 0.1.0 schema has against a record: a pointer and a message each. */
export function schemaFaults(record: unknown): Omit<AgentTraceFault, 'line'>[] {
  if (matchesSchema(record)) return []
  return (matchesSchema.errors ?? []).map(it => ({ at: it.instancePath, message: it.message ?? it.keyword }))
}

/** Whether a text is Agent Trace, by whatever tool: one record, an array of records, or a record a line. */
export function validateAgentTrace(text: string): {
  readonly records: number
  readonly faults: readonly AgentTraceFault[]
} {
  const lines = text.split('\n')
  const isByLine = parseObject(lines.find(it => it.trim() !== '') ?? '') !== null
  return isByLine ? validateLines(lines) : validateDocument(text)
}

function validateLines(lines: readonly string[]): { records: number; faults: AgentTraceFault[] } {
  const records = lines.flatMap((text, n) =>
    text.trim() === '' ? [] : [{ line: n + 1, value: jsonOrUndefined(text) }],
  )
  const faults = records.flatMap(({ line, value }) => faultsOf(value).map(it => ({ line, ...it })))
  return { records: records.length, faults }
}

function validateDocument(text: string): { records: number; faults: AgentTraceFault[] } {
  const value = jsonOrUndefined(text)
  if (!Array.isArray(value)) return { records: 1, faults: faultsOf(value).map(it => ({ line: null, ...it })) }
  const faults = value.flatMap((record: unknown, n) =>
    faultsOf(record).map(({ at, message }) => ({ line: null, at: `/${n}${at}`, message })),
  )
  return { records: value.length, faults }
}

function faultsOf(value: unknown): Omit<AgentTraceFault, 'line'>[] {
  if (value === undefined) return [{ at: '', message: 'is not JSON' }]
  const faults = schemaFaults(value)
  return faults.length > 0 ? faults : [...semanticFaults(value as Shape)]
}

type Shape = {
  readonly files: readonly {
    readonly path: string
    readonly conversations: readonly {
      readonly ranges: readonly { readonly start_line: number; readonly end_line: number }[]
    }[]
  }[]
}

/** What the schema can't say, and nobody could look up. */
function* semanticFaults({ files }: Shape): Generator<Omit<AgentTraceFault, 'line'>> {
  for (const [f, { path, conversations }] of files.entries()) {
    if (/^\/|^[A-Za-z]:|(^|\/)\.\.(\/|$)/.test(path))
      yield { at: `/files/${f}/path`, message: 'must be relative to the top of the repository, and lie in it' }
    for (const [c, { ranges }] of conversations.entries())
      for (const [r, { start_line, end_line }] of ranges.entries())
        if (end_line < start_line)
          yield { at: `/files/${f}/conversations/${c}/ranges/${r}/end_line`, message: `must be >= ${start_line}` }
  }
}
