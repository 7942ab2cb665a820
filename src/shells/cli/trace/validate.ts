import { resolve } from 'node:path'
import { KotefError } from '../../../core/base/failure.ts'
import { systemErrorCode } from '../../../world/io/files/files.ts'
import { openRegularFile } from '../../../world/io/files/regular-file.ts'
import { streamLines } from '../../../world/io/process/run.ts'
import { type AgentTraceFault, agentTraceValidator } from '../../../core/ledger/agent-trace.ts'
import { plural } from '../../../core/base/printable.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef trace validate`: checks whether a file, made by any tool, is Agent Trace 0.1.0, and lists each fault. */
export const run: RunVerb = async ({ cwd, args }) => {
  const file = String(args[0])
  const validator = agentTraceValidator()
  try {
    for await (const lines of streamLines(await openInput(cwd, file)))
      for (const line of lines) validator.line(line.toString('utf8'))
  } catch (cause) {
    throw unreadable(file, cause)
  }
  const { records, faults, more } = validator.end()
  const json = { file, records, faults, ...(more > 0 ? { more } : {}) }
  if (records === 0) return { text: `${file} has no record.`, json, exit: 1 }
  if (faults.length === 0) return { text: `${file} is Agent Trace 0.1.0: ${plural(records, 'record')}.`, json }
  const lines = faults.map(it => `${faultPosition(file, it)} ${it.message}`)
  const rest = more > 0 ? [`  … ${plural(more, 'more fault')}`] : []
  return { text: [`${file} is not Agent Trace 0.1.0:`, ...lines, ...rest].join('\n'), json, exit: 1 }
}

function faultPosition(file: string, { line, at }: AgentTraceFault): string {
  return `  ${file}${line === null ? '' : `:${line}`}: ${at || 'the whole record'}`
}

async function openInput(cwd: string, file: string): Promise<AsyncIterable<Buffer>> {
  return file === '-' ? process.stdin : (await openRegularFile(resolve(cwd, file))).createReadStream()
}

function unreadable(file: string, cause: unknown): KotefError {
  const why = systemErrorCode(cause) ?? String(cause)
  const hint = 'Name a file, or `-` for standard input: `kotef trace validate traces.jsonl`'
  return new KotefError('usage', `${file} can't be read (${why}).`, { hint, cause })
}
