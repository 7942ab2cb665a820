const HARMLESS_VALUE = /^(?:color\.[\w.]+|core\.quotepath|advice\.\w+|log\.\w+)=(?:\w+|)$/i
// A pager that is named is a program.
const HARMLESS_PAGER = /^(?:core\.pager|pager\.\w+)=(?:cat|less|more|true|false|)$/i

/** True for a setting (`key=value`) that makes git run nothing, and write nowhere else. */
export function isHarmlessSetting(setting: string): boolean {
  return HARMLESS_VALUE.test(setting) || HARMLESS_PAGER.test(setting)
}
