/** Words that mislead a reader, each with its replacement: the language of comments, messages and documents. */
const misleadingWords: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again'],
  [/\bwhoever\b/i, 'the caller, a person, any process'],
  [/\bheed(s|ed|ing)?\b/i, 'obey, apply'],
  [/\b(take|takes|taken|took) down\b/i, 'record'],
  [/\b(take|takes|taken|took) up\b/i, 'load, resume'],
  [/\b(comes?|came) to\b/i, 'equal, result in'],
  [/\b(has|have|had) the (last )?word\b/i, 'win, decide'],
  [/\bhand(s|ed|ing)? on\b/i, 'forward'],
  [/(?<!\bthere )\bis no (?!longer\b|such\b|more\b)/i, 'is not a'],
  [/\bwhat (stands|stood)\b|\b(stands|stood) there\b/i, "the file's current content"],
  [/\bwhose (it|they) (is|are)\b|\bwhose each\b/i, 'its author, its owner'],
  [/\b(tell|tells|told|telling)\b/i, 'print, report, say'],
  [/\b(asks?|asking) (for )?leave\b|\bleave to (do|write|read|use)\b/i, 'permission'],
  [
    /\b(tidings|pulse|deed|kin|knock(s|ed|ing)?|hear|hears|heard|hearing)\b/i,
    'the thing itself: event, report, announcement',
  ],
]

/** The misleading words of a text, each as a sentence. */
export function misleadingIn(text: string): string[] {
  return misleadingWords.flatMap(([word, instead]) => {
    const [found] = word.exec(text) ?? []
    return found === undefined ? [] : [`says "${found}": write ${instead}.`]
  })
}

const misleadingNames = /^((un)?(tell|tells|telling|told)|anew|whoever|heed|tidings|pulse|deed|kin|knocks?|heard|news)$/

/** True when a word of the name, such as `told` in `toldOnce`, misleads a reader as it would in a sentence. */
export function isMisleadingName(name: string): boolean {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .some(it => misleadingNames.test(it))
}
