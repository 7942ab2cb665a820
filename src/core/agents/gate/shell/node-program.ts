import type { Arg } from './arguments.ts'
import type { Effect } from './effect.ts'

/** The effects of `node -p` that prints a part of a file of JSON; null for any other program. */
export function nodeEffects(name: string, args: readonly Arg[]): Effect[] | null {
  const [option, script = null, ...others] = args.map(it => it.text)
  const isPrint = name === 'node' && /^(?:-p|-pe|--print)$/.test(option ?? '') && script !== null && others.length === 0
  const text = isPrint ? script.trim().replaceAll("'", '"') : ''
  const loaded = LOADED.exec(text)?.[1]
  // A folder of such a name, or a link with it, may be a program.
  if (loaded !== undefined) return [{ kind: 'load', what: 'JSON of Node', path: loaded }]
  return PARSED.test(text) ? [] : null
}

const PARTS = String.raw`(?:\??\.[A-Za-z_$][\w$]*|\[(?:\d+|"[\w@./:-]+")\])*`
const ENCODING = String.raw`(?:, ?"utf-?8")?`

/** It has no call but those named here; with one parenthesis too few or too many it is an error. */
function printed(value: string): RegExp {
  return new RegExp(String.raw`^(?:JSON\.stringify\(|Object\.keys\()?${value}${PARTS}(?:, ?null, ?\d)?\)?;?$`)
}

const LOADED = printed(String.raw`require\("(\.{0,2}/[\w./@-]+\.json)"\)`)
const FILE_TEXT = String.raw`(?:require\("(?:node:)?fs"\)|fs)\.readFileSync\("[\w./@-]+"${ENCODING}\)`
const PARSED = printed(String.raw`JSON\.parse\(${FILE_TEXT}(?:\.toString\(\))?\)`)
