import { execFileSync, type StdioOptions } from 'node:child_process'

/** A tag of universal-ctags: a name at a line of a file, with the kind and the scope that ctags gives it. */
export type Tag = {
  readonly path: string
  readonly name: string
  readonly line: number
  readonly kind: string
  readonly scope: string | null
  readonly scopeKind: string | null
}

type Json = {
  _type: string
  path: string
  name: string
  line: number
  kind: string
  scope?: string
  scopeKind?: string
}

/** The tags of files of one language, which ctags calls by this name. */
export function ctagsOf(cwd: string, language: string, paths: readonly string[]): Tag[] {
  const words = [
    '--quiet=yes',
    '--options=NONE',
    '--output-format=json',
    '--fields=+neK',
    `--language-force=${language}`,
    '-L',
    '-',
  ]
  const input = paths.join('\n')
  const stdio: StdioOptions = ['pipe', 'pipe', 'ignore']
  const options = { cwd, input, stdio, encoding: 'utf8', maxBuffer: 2 ** 28 } as const
  const lines = execFileSync('ctags', [...words, '-f', '-'], options)
  return lines
    .split('\n')
    .filter(it => it !== '')
    .map(it => JSON.parse(it) as Json)
    .filter(it => it._type === 'tag')
    .map(({ path, name, line, kind, scope = null, scopeKind = null }) => ({ path, name, line, kind, scope, scopeKind }))
}

/** Throws where universal-ctags 5.9, whose errors are known, is not installed. */
export function needCtags(): void {
  const needed = 'This test compares with universal-ctags 5.9: `apt-get install universal-ctags`.'
  try {
    const version = execFileSync('ctags', ['--version'], { encoding: 'utf8' })
    if (!version.startsWith('Universal Ctags 5.9')) throw new Error(`${needed} Found: ${version.split('\n')[0]}`)
  } catch (cause) {
    throw new Error(needed, { cause })
  }
}
