import { objectOrNull } from '../text/payload.ts'
import { toolClassOf } from '../agents/tool-classes.ts'
import type { Target } from '../agents/target.ts'
import { targetsIn } from '../agents/tool-targets.ts'

/** The files that a tool has shown to an agent; none for one that only searches, or that does something else. */
export function filesShownBy(tool: string, input: unknown): Target[] {
  const given = objectOrNull(input)
  return given && SHOWING_TOOLS.test(tool) && toolClassOf(tool, given) === 'read' ? targetsIn(given) : []
}

const SHOWING_TOOLS =
  /^(?:read|view|show)(?:_?(?:many_)?files?)?$|^NotebookRead$|^str_replace_(?:based_edit_tool|editor)$/i
