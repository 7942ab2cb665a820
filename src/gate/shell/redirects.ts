import type { Redirection } from 'unbash'
import { type Effect, opaqueEffects, writeEffects } from './effect.ts'
import { staticText } from './word.ts'

/** The files that the redirects of a command write. */
export function redirectEffects(redirects: readonly Redirection[]): Effect[] {
  return redirects.flatMap(it => {
    if (it.type !== 'Redirect' || it.operator === '<' || it.operator === '<&') return []
    const path = it.target ? staticText(it.target) : null
    if (path === null) return opaqueEffects('it writes a file whose name is only known when it runs')
    const isDescriptor = it.operator === '>&' && /^\d*-?$/.test(path)
    return isDescriptor || isDevice(path) ? [] : writeEffects([path])
  })
}

/** True for a device that stores nothing. */
export function isDevice(path: string): boolean {
  return /^\/dev\/(null|stdout|stderr|stdin|tty|fd\/\d+)$/.test(path)
}
