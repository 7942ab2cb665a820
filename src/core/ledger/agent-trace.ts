import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { jsonOrUndefined, withoutMark } from '../base/payload.ts'
import schema from './agent-trace-0.1.0.schema.json' with { type: 'json' }

/** A violation of the Agent Trace format. */
export type AgentTraceFault = {
  /** The line of the record, 1-based; null in a text that is one JSON document. */
  readonly line: number | null
  /** The position in the document or in the line's record: a JSON pointer (RFC 6901), empty for the whole. */
  readonly at: string
  readonly message: string
}

const ajv = new Ajv2020({ allErrors: true })
addFormats.default(ajv)
const matchesSchema = ajv.compile(schema)

/** The violations of the Agent Trace 0.1.0 schema in a record, each with pointer and message. */
export function schemaFaults(record: unknown): Omit<AgentTraceFault, 'line'>[] {
  if (matchesSchema(record)) return []
  return (matchesSchema.errors ?? []).map(it => ({ at: it.instancePath, message: it.message ?? it.keyword }))
}

/** What a validation found. Of very many faults only the first ones are listed. */
export type AgentTraceReport = {
  readonly records: number
  readonly faults: readonly AgentTraceFault[]
  /** The number of faults that are not listed. */
  readonly more: number
}

/**
 * Validates a text of any tool as Agent Trace, line by line: a record on each line, of which none is kept, or one JSON
 * document, a record or an array of records, which is parsed at the end.
 */
export function agentTraceValidator(): { line(text: string): void; end(): AgentTraceReport } {
  let number = 0
  let records = 0
  let more = 0
  let document: string[] | null = null
  const faults: AgentTraceFault[] = []
  const note = (found: readonly AgentTraceFault[]): void => {
    for (const fault of found)
      if (faults.length < FAULTS_MAX) faults.push(fault)
      else more++
  }
  return {
    line(read) {
      number++
      const text = withoutMark(read)
      if (number === 1 && text !== read) note([{ line: 1, at: '', message: BYTE_ORDER_MARK }])
      if (document) document.push(text)
      if (document || text.trim() === '') return
      const value = jsonOrUndefined(text)
      if (records === 0 && !isRecord(value)) document = [text]
      else {
        records++
        note(faultsOf(value).map(it => ({ line: number, ...it })))
      }
    },
    end() {
      if (document) {
        const whole = validateDocument(document.join('\n'))
        records = whole.records
        note(whole.faults)
      }
      return { records, faults, more }
    },
  }
}

const BYTE_ORDER_MARK = 'begins with a byte order mark, which JSON does not have: save the file as UTF-8 without it'

// Nobody reads on.
const FAULTS_MAX = 1_000

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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

/** Violations that the schema can't express: paths outside of the repository, ranges that end before they begin. */
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
