import { expect, test } from 'vitest'
import { nodeEffects } from '../../../../../src/core/agents/gate/shell/node-program.ts'
import { argsOf, programOf } from './effects-fixture.ts'

test.each([
  ['node -p \'require("./package.json").version\'', './package.json'],
  ['node -p "require(\'../a/package.json\').scripts.build"', '../a/package.json'],
  ['node --print "Object.keys(require(\'./package.json\').dependencies)"', './package.json'],
  ['node -p \'JSON.stringify(require("./a.json")["@a/b"], null, 2)\'', './a.json'],
])('%s loads %s', (line, path) => {
  expect(nodeEffects(programOf(line), argsOf(line))).toEqual([{ kind: 'load', what: 'JSON of Node', path }])
})

test.each([
  'node -p \'JSON.parse(fs.readFileSync("package.json")).version\'',
  'node -p \'JSON.parse(require("fs").readFileSync("./a.json", "utf8")).a[0]\'',
])('%s only reads', line => {
  expect(nodeEffects(programOf(line), argsOf(line))).toEqual([])
})

test.each([
  'node -p 1',
  'node -p \'require("package.json").version\'',
  'node -p \'require("./a.js").version\'',
  'node -p \'require("./a.json").a()\'',
  'node -p \'require("./a.json").constructor.constructor("x")()\'',
  'node -p \'require("./a.json")[x()]\'',
  'node -p \'require("./a.json"); x()\'',
  'node -p "require(\'./$a.json\')"',
  'node -p \'require("./a.json")\' x',
  'node -r ./x -p \'require("./a.json")\'',
  'node -e \'require("./a.json")\'',
  'deno -p \'require("./a.json")\'',
])('%s may do more', line => {
  expect(nodeEffects(programOf(line), argsOf(line))).toBeNull()
})
