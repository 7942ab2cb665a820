import type { Request } from '../intents/request.ts'
import { KotefError } from '../report/failure.ts'

type Called = { readonly name: string; readonly args: Readonly<Record<string, unknown>> }

/** What a call asks a person for; null for a call of another kind. */
export function wantedBy({ name, args }: Called): Pick<Request, 'kind' | 'wants' | 'reason'> | null {
  if (name === 'request_approval') {
    return { kind: 'approval', wants: [textIn(args['what'], 'what')], reason: textIn(args['reason'], 'reason') }
  }
  if (name !== 'request_scope_expansion') return null
  const globs = Array.isArray(args['globs']) ? args['globs'] : []
  if (globs.length === 0) throw new KotefError('usage', 'globs is missing.')
  return { kind: 'scope', wants: globs.map(it => textIn(it, 'globs')), reason: textIn(args['reason'], 'reason') }
}

function textIn(value: unknown, name: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new KotefError('usage', `${name} is missing, or is no text.`)
}
