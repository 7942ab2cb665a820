import { expect, test } from 'vitest'
import { openCodePlugin } from '../../../src/core/agents/opencode-plugin.ts'

test('the command is a string of JavaScript, whatever is in it', () => {
  for (const command of ["sh -c 'kotef'", '"$&" $1 \\ `x` ${y} {{patience}}', 'a\nb'])
    expect(openCodePlugin(command)).toContain(`const COMMAND = ${JSON.stringify(command)}\n`)
})

test('a hook has 20 seconds, or as long as is said', () => {
  expect(openCodePlugin('kotef')).toContain('const PATIENCE_MS = 20000\n')
  expect(openCodePlugin('kotef', 5)).toContain('const PATIENCE_MS = 5\n')
})

test('the plugin names each of OpenCode’s hooks, and no placeholder is left', () => {
  const text = openCodePlugin('kotef')
  for (const hook of [
    "'tool.execute.before'",
    "'tool.execute.after'",
    "'experimental.chat.system.transform'",
    'event',
    'dispose',
  ])
    expect(text).toContain(`    ${hook}: async`)
  expect(text).not.toContain('{{')
})
