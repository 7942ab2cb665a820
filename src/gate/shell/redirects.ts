import type { Redirection } from 'unbash'
import { type Effect, opaqueEffects, writeEffects } from './effect.ts'
import { staticText } from './word.ts'

/** What the redirects of a command write. */
export function redirectEffects(redirects: readonly Redirection[]): Effect[] {
  return redirects.flatMap(it => {
    if (it.type !== 'Redirect' || it.operator === '<' || it.operator === '<&') return []
    const path = it.target ? staticText(it.target) : null
    if (path === null) return opaqueEffects('it writes to a file whose name shows only when it runs')
    const isDescriptor = it.operator === '>&' && /^\d*-?$/.test(path)
    return isDescriptor || isDevice(path) ? [] : writeEffects([path])
  })
}

/** True for what is written nowhere. */
export function isDevice(path: string): boolean {
  return /^\/dev\/(null|stdout|stderr|stdin|tty|fd\/\d+)$/.test(path)
}
