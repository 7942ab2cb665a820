import type { GitSettings, SettingChange } from '../../../core/git/setting-changes.ts'

/** The settings of git that a person chose, and those that are other now because an agent may have changed them. */
export type SettingsState = {
  /** The stats of git's files of settings, and the flags, when all this was found out. */
  readonly signature: string
  readonly personal: PersonalFiles
  readonly trusted: GitSettings
  readonly standing: readonly SettingChange[]
  /** Changes that are not in the ledger yet, with the intent of the oldest session of an agent. */
  readonly unreported: readonly (SettingChange & { readonly intent: string })[]
  /** So many looks at the whole tree by content are due, since a setting may have been changed and put back. */
  readonly looksDue?: number | undefined
}

/** The user's own list of what git ignores, and the user's own attributes. */
export type PersonalFiles = { readonly excludes: string; readonly attributes: string }
