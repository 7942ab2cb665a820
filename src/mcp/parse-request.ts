import type { AgentRequest } from '../intents/request.ts'
import { KotefError } from '../findings/failure.ts'

type RequestCall = { readonly name: string; readonly args: Readonly<Record<string, unknown>> }

/** The request to a person in a call; null for a call of another tool. */
export function parseRequest({ name, args }: RequestCall): Pick<AgentRequest, 'kind' | 'wants' | 'reason'> | null {
  if (name === 'request_approval') {
    return {
      kind: 'approval',
      wants: [requiredText(args['what'], 'what')],
      reason: requiredText(args['reason'], 'reason'),
    }
  }
  if (name !== 'request_scope_expansion') return null
  const globs = Array.isArray(args['globs']) ? args['globs'] : []
  if (globs.length === 0) throw new KotefError('usage', 'globs is missing.')
  return {
    kind: 'scope',
    wants: globs.map(it => requiredText(it, 'globs')),
    reason: requiredText(args['reason'], 'reason'),
  }
}

function requiredText(value: unknown, name: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new KotefError('usage', `${name} is missing, or is not a text.`)
}
