import type { ChangeClass } from './mutation-class.ts'
import type { TracedFile, TraceRecord } from './record.ts'

/** The class of an uncommitted change that left a file as a write did; null while none is known. */
export type WorkingClassLookup = (file: Pick<TracedFile, 'path' | 'kotef'>) => ChangeClass | null

/** Finds the classes of uncommitted changes in records. Of several changes to one content the last one counts. */
export function workingClasses(records: readonly TraceRecord[]): WorkingClassLookup {
  const classes = new Map<string, ChangeClass>()
  for (const { metadata } of records) {
    const own = metadata['dev.kotef']
    if (own.event === 'classified') classes.set(`${own.after} ${own.path}`, own)
  }
  return ({ path, kotef }) => classes.get(`${kotef.after} ${path}`) ?? null
}
