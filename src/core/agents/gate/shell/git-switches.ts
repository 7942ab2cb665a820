import { isRiskySection, namesRefs, runsProgram, switchesHooks } from '../../../git/risky-settings.ts'
import { type Arg, plainSource } from './arguments.ts'
import { changesOwnRefs, isOwnRefsSetting } from './git-refs.ts'

/**
 * The parts of a changing git command that would switch governance off. `isNamed`: kotef knows the command, so it is
 * not an alias.
 */
export function governanceSwitches(verb: string, rest: readonly Arg[], isNamed: boolean): string[] {
  const words = rest.map(it => it.text ?? '')
  const bans: string[] = []
  if (isHooked(verb) && skipsHooks(verb, rest)) bans.push('git without its hooks')
  // An unknown command with a message is probably an alias of `commit`.
  const isMessage = words.some(it => /^-[a-z]*[mF]$|^--(?:message|file|amend)\b/.test(it))
  if (!isNamed && !isHooked(verb) && isMessage && skipsHooks('commit', rest)) bans.push('an alias that skips the hooks')
  if (verb === 'config') bans.push(...configSwitches(rest.map(plainSource)))
  if (verb === 'update-index') bans.push(...words.filter(it => /^--(?:no-)?(?:as|sk|fsmonitor-v)/.test(it)))
  if (changesOwnRefs(verb, rest)) bans.push("kotef's refs")
  const [, , what] = WITHOUT_HOOKS.find(([name, use]) => name.test(verb) && use.test(words.join(' '))) ?? []
  return what === undefined ? bans : [...bans, what]
}

/** The part of a setting for one command (`git -c name=value`) that would switch governance off; null for none. */
export function settingSwitch(setting: string): string | null {
  const [name = '', ...value] = setting.split('=')
  if (switchesHooks(setting)) return shownName(name)
  // A name alone means `true`.
  const text = value.length === 0 ? 'true' : value.join('=')
  if (namesRefs(name) && isOwnRefsSetting(name, text)) return "kotef's refs"
  return isSkippingAlias([setting]) ? 'an alias that skips the hooks' : null
}

/** True for a git command that runs the hooks which judge its commits. */
export function isHooked(verb: string): boolean {
  return HOOKED_COMMANDS.includes(verb)
}

const HOOKED_COMMANDS = ['commit', 'push', 'merge', 'rebase', 'am', 'pull', 'cherry-pick', 'revert']

const COMMIT = 'a commit that passes no hook'

// Git's commands that change history, or push, without a hook of kotef's, and those that replace what it answers from.
const WITHOUT_HOOKS: readonly (readonly [verb: RegExp, words: RegExp, what: string])[] = [
  [/^(?:commit-tree|fast-import|update-ref|filter-branch|quiltimport|cvsimport|archimport)$/, /^/, COMMIT],
  // "does not execute any githooks": git-history, LIMITATIONS. git-replay moves references by itself since 2.54.
  [/^(?:history|replay)$/, /^/, COMMIT],
  [/^refs$/, /^(?:create|update|rename|delete|migrate)\b/, COMMIT],
  [/^(?:send-pack|http-push|receive-pack)$/, /^/, 'a push that passes no hook'],
  [/^replace$/, /^(?!(?:-l|--list)\b)\S/, 'another object in the place of one'],
  [/^reflog$/, /^(?:expire|delete|drop|write)\b/, "git's record of its moves"],
]

/** What the words of `git config` would switch off. */
function configSwitches(words: readonly string[]): string[] {
  const isSection = words.some(it => /^--re[nm]|^(?:rename|remove)-section$/.test(it))
  const names = words.filter(it => switchesHooks(it) || runsProgram(it) || (isSection && isRiskySection(it)))
  const isOfRefs = words.some((it, n) => namesRefs(it) && isOwnRefsSetting(it, words[n + 1] ?? ''))
  return [
    ...names.map(shownName),
    ...(isOfRefs ? ["kotef's refs"] : []),
    ...(isSkippingAlias(words) ? ['an alias that skips the hooks'] : []),
    ...(words.some(it => /^(?:-e|--edi?t?|edit)$/.test(it)) ? ["an editor for git's configuration"] : []),
  ]
}

function shownName(name: string): string {
  return /^core(?:\.hookspath)?$/i.test(name) ? 'core.hooksPath' : name
}

function isSkippingAlias(words: readonly string[]): boolean {
  return words.some(it => /^alias\./i.test(it)) && /no-veri|\s-\w*n|hookspath|KOTEF|HUSKY/i.test(words.join(' '))
}

function skipsHooks(verb: string, rest: readonly Arg[]): boolean {
  for (let i = 0; i < rest.length; i++) {
    const text = rest[i]?.text ?? ''
    if (text === '--') return false
    if (/^--no-v(?:$|e$|er(?!b)|i)/.test(text)) return true
    // `git push -n` is a dry run, and `git merge -n` omits the summary.
    if (/^-\w/.test(text) && (verb === 'commit' || verb === 'am') && clusterHas(text, 'n')) return true
    if (takesValue(text)) i += 1
  }
  return false
}

// After a letter that takes a value, the rest of the cluster is the value.
function clusterHas(cluster: string, letter: string): boolean {
  return (
    cluster
      .slice(1)
      .split(/[mFCctSu]/, 1)[0]
      ?.includes(letter) ?? false
  )
}

function takesValue(text: string): boolean {
  if (/^-[a-zA-Z]*[mFCct]$/.test(text)) return /^-[^mFCctSu]*[mFCct]$/.test(text)
  return /^--(?:message|file|author|date|template|reuse-message|reedit-message|fixup|squash|cleanup|trailer)$/.test(
    text,
  )
}
