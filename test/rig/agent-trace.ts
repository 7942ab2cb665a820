import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const ajv = new Ajv2020({ allErrors: true })
addFormats.default(ajv)
const schema = readFileSync(join(import.meta.dirname, 'agent-trace-0.1.0.schema.json'), 'utf8')
const validate = ajv.compile(JSON.parse(schema) as object)

/** What the Agent Trace 0.1.0 schema has against a record: one line each, none when it is valid. */
export function validateRecord(record: unknown): string[] {
  if (validate(record)) return []
  return (validate.errors ?? []).map(it => `${it.instancePath || '/'} ${it.message}`)
}
