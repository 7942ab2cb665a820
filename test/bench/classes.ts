import { openParser, type Parser } from '../../src/world/code/meaning/parser.ts'
import { packedKotef } from '../rig/packed-kotef.ts'
import { join } from 'node:path'
import { progress, type Row } from './row.ts'
import { quantile } from './statistics.ts'

const LINES = 1_000
const CHANGE_MS_MAX = 150

/** A function of each language, `N` for a number, and what is around all of them. */
const SAMPLES: Readonly<Record<string, string>> = {
  'a.ts': `export function sumN(values: readonly number[], { from = 0 }: { from?: number }): number {
  let total = from
  for (const it of values) {
    if (it > 10 && it !== N) total += it * 2
    else total -= it
  }
  return total
}
`,
  'a.tsx': `export function ViewN({ items }: { items: readonly string[] }) {
  const shown = items.filter(it => it !== 'N' && it.length > 10)
  return (
    <ul className="list">
      {shown.map(it => (
        <li key={it}>{it}</li>
      ))}
    </ul>
  )
}
`,
  'a.js': `function sumN(values, from) {
  let total = from
  for (const it of values) {
    if (it > 10 && it !== N) total += it * 2
    else total -= it
  }
  return total
}
`,
  'a.py': `def sumN(values, start):
    total = start
    for it in values:
        if it > 10 and it != N:
            total += it * 2
        else:
            total -= it
    return total
`,
  'a.go': `func sumN(values []int, from int) int {
	total := from
	for _, it := range values {
		if it > 10 && it != N {
			total += it * 2
		} else {
			total -= it
		}
	}
	return total
}
`,
  'a.rs': `fn sumN(values: &[i32], from: i32) -> i32 {
    let mut total = from;
    for it in values {
        if *it > 10 && *it != N {
            total += it * 2;
        } else {
            total -= it;
        }
    }
    total
}
`,
  'a.java': `class SumN {
  int sum(int[] values, int from) {
    int total = from;
    for (int it : values) {
      if (it > 10 && it != N) total += it * 2;
      else total -= it;
    }
    return total;
  }
}
`,
  'a.c': `int sumN(const int *values, int length, int from) {
  int total = from;
  for (int i = 0; i < length; i++) {
    if (values[i] > 10 && values[i] != N) total += values[i] * 2;
    else total -= values[i];
  }
  return total;
}
`,
  'a.cc': `template <typename T> T sumN(const std::vector<T> &values, T from) {
  T total = from;
  for (const auto &it : values) {
    if (it > 10 && it != N) total += it * 2;
    else total -= it;
  }
  return total;
}
`,
  'a.cs': `class SumN {
  int Sum(int[] values, int from) {
    var total = from;
    foreach (var it in values) {
      if (it > 10 && it != N) total += it * 2;
      else total -= it;
    }
    return total;
  }
}
`,
  'a.rb': `def sumN(values, from)
  total = from
  values.each do |it|
    if it > 10 && it != N
      total += it * 2
    else
      total -= it
    end
  end
  total
end
`,
  'a.php': `function sumN(array $values, int $from): int {
  $total = $from;
  foreach ($values as $it) {
    if ($it > 10 && $it !== N) $total += $it * 2;
    else $total -= $it;
  }
  return $total;
}
`,
}

/** How long the class of a change takes, in a file of each language, by a parser that is warm. */
export async function measureClasses(isQuick: boolean): Promise<Row[]> {
  using parser = openParser({ program: join(packedKotef().root, 'dist/parser.cjs') })
  const rows: Row[] = []
  for (const [path, sample] of Object.entries(SAMPLES)) {
    progress(`the class of a change of ${path}`)
    rows.push(await classRow(parser, { path, text: textOf(path, sample), rounds: isQuick ? 5 : 21 }))
  }
  return rows
}

function textOf(path: string, sample: string): string {
  const count = Math.ceil(LINES / (sample.split('\n').length - 1))
  const parts = Array.from({ length: count }, (_, n) => sample.replace(/N\b/g, String(n)))
  const head = path.endsWith('.php') ? '<?php\n' : path.endsWith('.go') ? 'package a\n' : ''
  return head + parts.join('\n')
}

type Sample = { readonly path: string; readonly text: string; readonly rounds: number }

// Every other change is one of layout, which is compared to the end.
async function classRow(parser: Parser, { path, text, rounds }: Sample): Promise<Row> {
  const times: number[] = []
  for (let round = -4; round < rounds; round++) {
    const isLayout = round % 2 === 0
    const after = isLayout ? `${text}\n` : text.replace('> 10', `> ${round + 100}`)
    const from = performance.now()
    const { mutationClass } = await parser.classify({ path, before: text, after })
    const ms = performance.now() - from
    if (mutationClass !== (isLayout ? 'FORMAT' : 'INTENT_EVOLUTION')) throw new Error(`${path} is ${mutationClass}.`)
    if (round >= 0) times.push(ms)
  }
  const p50 = quantile(times, 0.5)
  const goal = `at most ${CHANGE_MS_MAX} ms`
  const result = `${p50.toFixed(0)} ms (p99 ${quantile(times, 0.99).toFixed(0)})`
  return { measure: `class of a change in ${LINES} lines of ${path}`, result, goal, met: p50 <= CHANGE_MS_MAX }
}
