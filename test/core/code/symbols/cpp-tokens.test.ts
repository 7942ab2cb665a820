import { expect, test } from 'vitest'
import { directiveText, tokensOf } from '../../../../src/core/code/symbols/languages/cpp-tokens.ts'

test.each([
  ['#  include   <a.h>\n', '#include <a.h>'],
  ['#define A(x , y)\\\n  x  +  y // z\r\n', '#define A(x,y) x + y // z'],
  ['#define A a+b', '#define A a+b'],
  ['#define A (a)', '#define A (a)'],
  ['#define A "b  c"', '#define A "b  c"'],
  ['#define A b\\\nc', '#define A b\\\nc'],
  ['# error a  b \n', '#error a  b'],
])('the directive %j is %j', (source, text) => {
  expect(directiveText(source)).toBe(text)
})

const tokens = (part: string): string | null => tokensOf(part, it => /^[A-Z]+$/.test(it))?.replaceAll('\n', '¦') ?? null

test.each([
  ['a=b ;', 'a¦=¦b¦;'],
  ['a+ +b', 'a¦+¦+¦b'],
  ['a++b', 'a¦++¦b'],
  ['x = "a  b" \'c\'', 'x¦=¦"a  b"¦\'c\''],
  ['R"x(a  )" )x" 1\'000u', 'R"x(a  )" )x"¦1\'000u'],
  ['a // b  c\nd', 'a¦// b c¦d'],
  ['a \\\n b', 'a¦b'],
  ['f(a + b)', 'f¦(¦a¦+¦b¦)'],
  ['F( a + b,c )', 'F¦(¦a¦ ¦+¦ ¦b¦,¦c¦)'],
  ['F(g (a))', 'F¦(¦g¦ ¦(¦a¦)¦)'],
  ['a\n# if  B // "\nc', 'a¦#if B // "¦c'],
  // What may be another token than it seems.
  ['a<::b', null],
  ['a ??= b', null],
  ['/* a */ #define B', null],
])('the tokens of %j are %j', (part, expected) => {
  expect(tokens(part)).toBe(expected)
})

test('a line end within a token is kept', () => {
  expect(tokens('a\\\nb')).not.toBe(tokens('ab'))
  expect(tokens('a\\\nb')).not.toBe(tokens('a b'))
})
