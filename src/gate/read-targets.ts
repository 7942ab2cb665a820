import { objectIn } from '../agents/payload.ts'
import { classOf } from './tool-classes.ts'
import type { Target } from './target.ts'
import { targetsIn } from './tool-targets.ts'

/** The files that a tool has shown to an agent; none for one that only searches, or that does something else. */
export function shownBy(tool: string, input: unknown): Target[] {
  const given = objectIn(input)
  return given && SHOWING.test(tool) && classOf(tool, given) === 'read' ? targetsIn(given) : []
}

const SHOWING = /^(?:read|view|show)(?:_?(?:many_)?files?)?$|^NotebookRead$|^str_replace_(?:based_edit_tool|editor)$/i
