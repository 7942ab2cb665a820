import { claude } from './claude.ts'
import type { AgentClient } from './client.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'

/** All that are run, by the name that `kotef init --agent` knows. */
export const CLIENTS: Readonly<Record<string, AgentClient>> = { claude, codex, gemini, copilot, opencode }
