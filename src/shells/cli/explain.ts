import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KotefError } from '../../core/base/failure.ts'
import { packageFile } from '../../world/io/files/package.ts'
import type { RunVerb } from './verb.ts'

const PAGES = packageFile('docs/explain')

/** `kotef explain`: the page about a failure code or a rule; without a code, the list of pages. */
export const run: RunVerb = async ({ args }) => {
  const codes = (await readdir(PAGES)).filter(it => it.endsWith('.md')).map(it => it.slice(0, -3))
  const [code] = args
  if (typeof code !== 'string') return { text: codes.sort().join('\n'), json: { codes: codes.sort() } }
  if (!codes.includes(code))
    throw new KotefError('usage', `There is no page for ${code}.`, { hint: 'Run `kotef explain` to see every page.' })
  const text = await readFile(join(PAGES, `${code}.md`), 'utf8')
  return { text: text.trimEnd(), json: { code, text } }
}
