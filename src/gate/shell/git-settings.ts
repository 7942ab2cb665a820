const HARMLESS_VALUE = /^(?:color\.[\w.]+|core\.quotepath|advice\.\w+|log\.\w+)=(?:\w+|)$/i
// Any other pager is a program to run.
const HARMLESS_PAGER = /^(?:core\.pager|pager\.\w+)=(?:cat|less|more|true|false|)$/i

/** True for a setting (`key=value`) that makes git neither run a program nor write elsewhere. */
export function isHarmlessSetting(setting: string): boolean {
  return HARMLESS_VALUE.test(setting) || HARMLESS_PAGER.test(setting)
}
