import { expect, test } from 'vitest'
import { named } from '../../../../src/core/code/symbols/declaration.ts'
import { findDeclarations } from '../../../../src/core/code/symbols/find-declarations.ts'
import { languageOf } from '../../../../src/core/code/symbols/languages.ts'
import { csharpDeclarations, javaDeclarations } from '../../../../src/core/code/symbols/languages/class-declarations.ts'
import { cppDeclarations } from '../../../../src/core/code/symbols/languages/cpp-declarations.ts'
import {
  goDeclarations,
  phpDeclarations,
  pythonDeclarations,
  rubyDeclarations,
  rustDeclarations,
} from '../../../../src/core/code/symbols/languages/script-declarations.ts'
import { typescriptDeclarations } from '../../../../src/core/code/symbols/languages/typescript-declarations.ts'
import { walkTree } from '../../../../src/core/code/symbols/syntax-node.ts'
import { parseHere } from '../../../rig/parse.ts'

// Each declaration as `kind container.name line start-end`.
test.each<[path: string, text: string, declarations: string]>([
  ['a.ts', 'export const a = 1, f = () => 2\nlet b = 3', 'constant a 1 1-1, function f 1 1-1'],
  ['a.ts', '@D()\nexport class A {\n  @I()\n  m() {}\n}', 'class A 2 1-5, method A.m 4 3-4'],
  ['a.ts', 'namespace N {\n  export type T = 1\n  const c = 1\n}', 'module N 1 1-4, type N.T 2 2-2'],
  [
    'a.ts',
    'declare function f(): void\nfunction g(a: 1): 1\nfunction g(a: 2) {}',
    'function f 1 1-1, function g 3 3-3',
  ],
  ['a.tsx', 'export default function App() {\n  return <a>{1}</a>\n}', 'function App 1 1-3'],
  ['a.js', 'const o = { m() {}, get x() { return 1 } }\nfunction* g() {}', 'constant o 1 1-1, function g 2 2-2'],
  ['a.jsx', 'const C = class {}', 'class C 1 1-1'],
  [
    'a.py',
    '@d\ndef f():\n  def g(): pass\nLIMIT = 1\nother = 2',
    'function f 2 1-3, function f.g 3 3-3, constant LIMIT 4 4-4',
  ],
  ['a.py', 'class A:\n  @p\n  async def m(self):\n    pass\n', 'class A 1 1-4, method A.m 3 2-4'],
  [
    'a.go',
    'package a\n\ntype (\n\tT int\n\tU = T\n)\n\nfunc (t T) M() {}',
    'type T 4 4-4, type U 5 5-5, method T.M 8 8-8',
  ],
  [
    'a.go',
    'package a\nconst (\n\tA, B = 1, 2\n)\nfunc f() { const c = 1 }',
    'constant A 3 3-3, constant B 3 3-3, function f 5 5-5',
  ],
  [
    'a.rs',
    '#[test]\nfn f() {}\nmod m {\n  impl T { fn g() {} }\n}',
    'function f 2 1-2, module m 3 3-5, method T.g 4 4-4',
  ],
  ['a.rs', 'pub struct S;\nenum E { A }\nconst C: i32 = 1;', 'type S 1 1-1, type E 2 2-2, constant C 3 3-3'],
  [
    'a.go',
    'package a\nfunc (q *Queue[T]) Push(t T) {\n\ttype local int\n}\nfunc (Queue[T]) Len() int { return 1 }',
    'method Queue.Push 2 2-4, type Push.local 3 3-3, method Queue.Len 5 5-5',
  ],
  [
    'a.rs',
    'impl<T: Ord> fmt::Display for m::Queue<T> {\n  const N: u8 = 1;\n  fn fmt(&self) { fn inner() {} }\n}\nfn f() {}',
    'constant Queue.N 2 2-2, method Queue.fmt 3 3-3, function fmt.inner 3 3-3, function f 5 5-5',
  ],
  ['a.rs', "impl T for &'a S {\n fn a() {}\n}\nimpl u8 {\n fn b() {}\n}", 'method S.a 2 2-2, method u8.b 5 5-5'],
  [
    'a.cc',
    'template <class T>\nvoid n::Queue<T>::push(T t) {}\nint f() {}',
    'method Queue.push 2 1-2, function f 3 3-3',
  ],
  ['a.java', '@A\nclass K {\n  K() {}\n  @B\n  void m() {}\n}', 'class K 2 1-6, method K.K 3 3-3, method K.m 5 4-5'],
  ['a.c', 'static int *f(int a) { return 0; }\ntypedef struct { int a; } P;', 'function f 1 1-1, type P 2 2-2'],
  [
    'a.cc',
    'template <class T>\nstruct V { T g() { return 1; } };\nint A::B::h() {}',
    'type V 2 1-2, method V.g 2 2-2, method B.h 3 3-3',
  ],
  [
    'a.cs',
    'namespace N { record R(int A); class K { K() {} int M() => 1; } }',
    'class R 1 1-1, class K 1 1-1, method K.K 1 1-1, method K.M 1 1-1',
  ],
  [
    'a.rb',
    'K = 1\nmodule M\n  class A::B\n    def self.m; end\n  end\nend\ndef f; end',
    'constant K 1 1-1, module M 2 2-6, class M.A::B 3 3-5, method A::B.m 4 4-4, function f 7 7-7',
  ],
  [
    'a.php',
    '<?php\nconst A = 1;\nclass K { const B = 2; function m() {} }\nfunction f() {}',
    'constant A 2 2-2, class K 3 3-3, constant K.B 3 3-3, method K.m 3 3-3, function f 4 4-4',
  ],
  ['a.ts', 'declare const a: unique symbol\nexport declare const b: 1', 'constant a 1 1-1, constant b 2 2-2'],
  ['a.ts', 'function f() { const a = 1 }\nnamespace N { export const b = 1 }', 'function f 1 1-1, module N 2 2-2'],
  ['a.py', '_LIMIT = 1\n__all__ = []', 'constant _LIMIT 1 1-1'],
  ['a.rs', 'trait T {\n  type A;\n  fn f(&self);\n}', 'type T 1 1-4, type T.A 2 2-2, method T.f 3 3-3'],
  [
    'a.cs',
    'class A {\n~A() {}\nbool operator ==(A a, A b) => true;\nstatic explicit operator int[](A a) => null;\n}',
    'class A 1 1-5, method A.~A 2 2-2, method A.operator == 3 3-3, method A.operator int[] 4 4-4',
  ],
  [
    'a.rb',
    'class A\n  B = 1\n  unless C\n    D ||= 1\n    E = 2\n  end\n  def m; self.class::F = 1; end\nend\ng { H = 1 }',
    'class A 1 1-8, constant A.B 2 2-2, constant A.E 5 5-5, method A.m 7 7-7',
  ],
  ['a.c', 'int f(void) {\n  each(list, it) {\n    g(it);\n  }\n}', 'function f 1 1-5'],
  [
    'a.c',
    'const S *f(void) {\n  const struct s a[] = {\n#if defined(X)\n    { .b = 1, },\n#endif\n    { .b = 2, },\n' +
      '  };\n  return a;\n}\n',
    'function f 1 1-7',
  ],
  [
    'a.cc',
    'class EXPORT A : public B {\npublic:\n  int f() { return 1; }\n};\nstruct EXPORT S { int a; };',
    'class A 1 1-4, function A.f 3 3-3, type S 5 5-5',
  ],
  [
    'a.cc',
    'struct A {\n  operator T*() const { return 0; }\n  bool operator==(A b) { return 1; }\n};\nA::operator x() {}',
    'type A 1 1-4, method A.operator T* 2 2-2, method A.operator== 3 3-3, method A.operator x 5 5-5',
  ],
  [
    'a.cc',
    'struct A {\n  OLD inline v8::Local<T> operator()(\n    int a) const { return 1; }\n' +
      '  OLD inline v8::Local<T>\n  f(int a) { return 1; }\n};',
    'type A 1 1-6, method A.operator() 2 2-3, method A.f 5 4-5',
  ],
  ['a.h', '#endif\ncatch (A a) { b(); }', ''],
])('the declarations of %s: %j', async (path, text, declarations) => {
  const found = findDeclarations(await parseHere(path, text), languageOf(path)!.declarations)
  const lines = found.map(it => {
    const name = it.container === null ? it.name : `${it.container}.${it.name}`
    return `${it.kind} ${name} ${it.line} ${it.startLine}-${it.endLine}`
  })
  expect(lines.join(', ')).toBe(declarations)
})

test.each([
  ['a.mts', typescriptDeclarations],
  ['a.CJS', typescriptDeclarations],
  ['a.pyi', pythonDeclarations],
  ['a.go', goDeclarations],
  ['a.rs', rustDeclarations],
  ['a.java', javaDeclarations],
  ['a.h', cppDeclarations],
  ['a.cs', csharpDeclarations],
  ['lib/a.rake', rubyDeclarations],
  ['a.php', phpDeclarations],
  ['a.md', null],
  ['ts', null],
  ['a.ts/b', null],
])('the language of %s', (path, rules) => {
  expect(languageOf(path)?.declarations ?? null).toBe(rules)
})

test('a walk visits each node after its ancestors, and may skip what is in one', async () => {
  const { root } = await parseHere('a.go', 'package a\nfunc f() { g() }\n')
  const seen: string[] = []
  walkTree(root, (node, ancestors) => {
    if (node.isNamed) seen.push([...ancestors, node].map(it => it.type).join('/'))
    return node.type !== 'block'
  })
  expect(seen.at(-1)).toBe('source_file/function_declaration/block')
  expect(seen.length).toBe(7)
})

test('a node without a name declares nothing', async () => {
  const { root } = await parseHere('a.ts', 'x')
  expect(named('type')(root, { text: 'x', ancestors: [] })).toEqual({ kind: 'type', names: [] })
})
