import type { Target } from '../agents/target.ts'
import { targetsIn } from '../agents/tool-targets.ts'
import type { ToolUse } from '../agents/tool-use.ts'
import { objectOrNull } from '../text/payload.ts'

/** The files whose content a tool has shown to an agent; none for a tool that only searches, or that does not read. */
export function filesShownBy({ class: kind, tool, input }: Pick<ToolUse, 'class' | 'tool' | 'input'>): Target[] {
  const fields = objectOrNull(input)
  return fields && kind === 'read' && SHOWING_TOOLS.test(tool) ? targetsIn(fields) : []
}

const SHOWING_TOOLS =
  /^(?:read|view|show)(?:_?(?:many_)?files?)?$|^NotebookRead$|^str_replace_(?:based_edit_tool|editor)$/i
