import type { Redirection } from 'unbash'
import { type Deed, opaque, writes } from './deed.ts'
import { staticText } from './word.ts'

/** What the redirects of a command write. */
export function redirectDeeds(redirects: readonly Redirection[]): Deed[] {
  return redirects.flatMap(it => {
    if (it.type !== 'Redirect' || it.operator === '<' || it.operator === '<&') return []
    const path = it.target ? staticText(it.target) : null
    if (path === null) return opaque('it writes to a file whose name shows only when it runs')
    const isDescriptor = it.operator === '>&' && /^\d*-?$/.test(path)
    return isDescriptor || isDevice(path) ? [] : writes([path])
  })
}

/** True for what is written nowhere. */
export function isDevice(path: string): boolean {
  return /^\/dev\/(null|stdout|stderr|stdin|tty|fd\/\d+)$/.test(path)
}
