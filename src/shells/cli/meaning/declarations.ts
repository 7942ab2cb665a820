import { resolve } from 'node:path'
import { KotefError } from '../../../core/base/failure.ts'
import { systemErrorCode } from '../../../world/io/files/files.ts'
import { readRegularFile } from '../../../world/io/files/regular-file.ts'
import { streamLines } from '../../../world/io/process/run.ts'
import { type DeclarationsOfText, openParser, type Parser, TEXT_CHARS_MAX } from '../../../world/code/meaning/parser.ts'
import { declarationJson, declarationLines } from '../../../core/report/declaration-lines.ts'
import type { RunVerb, VerbCall } from '../verb.ts'
import { jsonLine, textsOf } from './json-lines.ts'

/** `kotef declarations`: the functions, classes, methods, types and constants of files, with their lines. */
export const run: RunVerb = async call => {
  using parser = openParser()
  const files = call.args[0] as readonly string[]
  if (call.options['jsonl'] && files.length === 0) return printForEachLine(call, parser)
  if (files.length === 0) throw new KotefError('usage', 'Name a file: `kotef declarations src/a.ts`')
  const found = []
  for (const path of files) {
    const text = await readText(call.cwd, path)
    const of = text === null ? TOO_LARGE : await parser.declarationsOf(path, text)
    if (call.options['jsonl']) call.print(jsonLine(declarationJson(of.declarations)))
    else found.push({ path, ...of })
  }
  if (call.options['jsonl']) return null
  const json = { files: found.map(it => ({ ...it, declarations: declarationJson(it.declarations) })) }
  return { text: found.flatMap(declarationLines).join('\n'), json, forReading: 'list' }
}

const TOO_LARGE: DeclarationsOfText = { declarations: null, reason: 'it is larger than 1 MiB' }

async function printForEachLine({ print }: VerbCall, parser: Parser): Promise<null> {
  for await (const lines of streamLines(process.stdin)) {
    for (const line of lines) {
      const { path, text } = textsOf(line.toString('utf8'), { texts: ['path', 'text'] })
      print(jsonLine(declarationJson((await parser.declarationsOf(path, text)).declarations)))
    }
  }
  return null
}

async function readText(cwd: string, path: string): Promise<string | null> {
  try {
    return (await readRegularFile(resolve(cwd, path), TEXT_CHARS_MAX)).toString('utf8')
  } catch (cause) {
    const why = systemErrorCode(cause)
    if (why === 'EFBIG') return null
    throw new KotefError('usage', `${path} can't be read (${why ?? String(cause)}).`, { cause })
  }
}
