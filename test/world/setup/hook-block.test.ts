import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  GIT_HOOKS,
  isShellScript,
  blockOrigin,
  withBlock,
  withoutBlock,
} from '../../../src/world/setup/hooks/hook-block.ts'

const line = fc.constantFrom('#!/bin/sh', '#!/usr/bin/env bash', 'exit 0', '', '# <<< kotef', 'npm test', '\xff')
const script = fc
  .array(line, { maxLength: 6 })
  .chain(lines => fc.boolean().map(closed => lines.join('\n') + (closed ? '\n' : '')))

test('taking the block out gives back every byte, also when it was put in twice', () => {
  fc.assert(
    fc.property(script.filter(isShellScript), fc.constantFrom(...GIT_HOOKS), (text, hook) => {
      const once = withBlock(text, hook, 'joined')
      expect(withoutBlock(once)).toBe(text)
      expect(withBlock(once, hook, 'joined')).toBe(once)
      expect(blockOrigin(once)).toBe('joined')
    }),
  )
})

test('the block stands after the shebang and before all else', () => {
  expect(withBlock('#!/bin/sh\nexit 0\n', 'pre-commit', 'joined')).toMatch(
    /^#!\/bin\/sh\n# >>> kotef .*\n[^]*\nexit 0\n$/,
  )
})

test.each([
  ['#!/bin/sh\n', true],
  ['#!/usr/bin/env bash\nx', true],
  ['#!/bin/sh -e\n', true],
  ['no shebang\n', true],
  ['#!/usr/bin/env python3\n', false],
  ['#!/usr/bin/env node\n', false],
  ['#!/bin/zsh\n', false],
  ['#!/bin/sh', false],
  ['#!/bin/sh\r\n', false],
  ['\x7fELF\0', false],
])('%j is run by sh: %s', (text, expected) => expect(isShellScript(text)).toBe(expected))
