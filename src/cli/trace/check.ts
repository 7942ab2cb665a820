import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { findingLines } from '../../report/finding-lines.ts'
import { catchUpLedger } from '../../commits/judge-new-commits.ts'
import { ledgerFindings } from '../../verify/ledger-findings.ts'
import { plural } from '../../text/printable.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import type { RunVerb } from '../verb.ts'
import { type AgentTraceFault, validateAgentTrace } from '../../ledger/agent-trace.ts'
import { systemErrorCode } from '../../io/files/files.ts'
import { KotefError } from '../../findings/failure.ts'

/** `kotef trace verify`: checks that no record of the ledger was changed, removed or inserted. */
export const verifyLedger: RunVerb = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  await catchUpLedger(workspace)
  const { records, findings } = await ledgerFindings(workspace)
  const blocking = findings.some(it => it.level === 'block')
  const recordCount = plural(records, 'record')
  const text =
    findings.length === 0 ? `Ledger OK: ${recordCount}.` : findingLines(`The ledger has ${recordCount}`, findings)
  return { text, json: { records, findings }, exit: blocking ? 1 : 0 }
}

/** `kotef trace validate`: checks whether a file, made by any tool, is Agent Trace 0.1.0, and lists each fault. */
export const validateTrace: RunVerb = async ({ cwd, args }) => {
  const file = String(args[0])
  const { records, faults } = validateAgentTrace(await readInput(cwd, file))
  const json = { file, records, faults }
  if (records === 0) return { text: `${file} has no record.`, json, exit: 1 }
  if (faults.length === 0) return { text: `${file} is Agent Trace 0.1.0: ${plural(records, 'record')}.`, json }
  const lines = faults.map(it => `${faultPosition(file, it)} ${it.message}`)
  return { text: [`${file} is not Agent Trace 0.1.0:`, ...lines].join('\n'), json, exit: 1 }
}

function faultPosition(file: string, { line, at }: AgentTraceFault): string {
  return `  ${file}${line === null ? '' : `:${line}`}: ${at || 'the whole record'}`
}

async function readInput(cwd: string, file: string): Promise<string> {
  if (file === '-') return textOf(process.stdin)
  return readFile(resolve(cwd, file), 'utf8').catch((cause: unknown) => {
    throw new KotefError('usage', `${file} can't be read (${systemErrorCode(cause) ?? String(cause)}).`, {
      hint: 'Name a file, or `-` for standard input: `kotef trace validate traces.jsonl`',
      cause,
    })
  })
}
