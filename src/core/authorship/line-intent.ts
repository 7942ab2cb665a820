/** The intent of a line: one, or `either` of several that its commit cites, where nothing says which of them. */
export type LineIntent = { readonly intent: string | null; readonly either?: readonly string[] | undefined }

/** The intent of a line in words; null where no commit and no record names one. An id has no space. */
export function intentName({ intent, either = [] }: LineIntent): string | null {
  return intent ?? (either.length === 0 ? null : either.join(EITHER))
}

/** The ids in such a name. */
export function idsOfName(name: string): string[] {
  return name.split(EITHER)
}

const EITHER = ' or '
