import { parse } from 'unbash'
import { expect, test } from 'vitest'
import { coversText } from '../../../../../src/core/agents/gate/shell/covered-text.ts'

test.each([
  'ls;ls&ls # a comment: "it\'s" (fine)',
  '! ls; time -p ls | cat |& wc && ls || ls',
  'if ls\nthen ls; elif ls; then ls; else ls; fi >/dev/null 2>&1',
  'for x in a b\ndo\nls # a comment\ndone',
  'for x; do ls; done; select x in a; do ls; done',
  'for ((i=0; i<3; i++)); do ls; done; ((i++))',
  'while ls; do ls; done <x; until ls; do ls; done &>x',
  'case x in a) ls;; (b|c) ls;& *) ;; esac',
  '(ls); { ls\n} | cat',
  "echo \"${a:-'b'}\" ${a:-'b c'}",
  '[[ ! -f $x && ( a == b* || x =~ ^(a|b)$ ) ]]',
  'echo \'a\' "b $c" $\'d\\n\' $"e" f\\ g',
  'echo {a,b}{1..3} *.ts [a-z]* ?x @{u} HEAD^{tree} a$',
  'a=(1 # one\n [2]=$(ls)) b+=c d[0]=1 ls',
  'echo ${a} ${#a[@]} ${a:-b c} "${a:-(none)}" ${a##*.} "${a//\\//_}" ${a:1:2} ${a^^} ${a@Q} "${PATH//:/$\'\\n\'}"',
  'echo ${a/$(pwd)/$(ls)} ${a/"/"/b} ${a/${b}/c}',
  'echo $(ls # no parens\n) `ls` "`ls`" $((1 + $(ls) * 2)) <(ls) >(cat)',
  "cat <<'A' <<-B && ls\n$(x) `y ${z\nA\n\t$(ls) ${x}\n\tB\nls",
  'echo "$(cat <<E\n$(ls)\nE\n)"',
])('every part of %j is accounted for', line => {
  expect(parse(line).errors ?? []).toEqual([])
  expect(coversText(parse(line), line)).toBe(true)
})

test.each([
  // The parser ends a part too early.
  'echo ${a/$(ls /; rm x)/}',
  'echo ${a/`ls /; rm x`/}',
  'echo ${a/<(ls /; rm x)/}',
  'echo ${a/$(ls $(b)/; rm x)/}',
  'echo ${a[$(rm x)}]}',
  'echo ${a#${b#<(ls }; rm x)}}',
  'cat <<E\n${a/$(ls /; rm x)/}\nE',
  'cat <<E\n$(rm x\nE',
  // Shells disagree about where a part ends, or what it is.
  'echo ${ rm x; }',
  'echo ${a:-{}}',
  'echo "${a:-\'}\'}"',
  'echo "${a#\'}"; rm x; \'}"',
  'echo ${a/\\}/b}',
  'echo ${a:-*(e:rm x:)}',
  'echo "${a:-=(rm x)}"',
  'echo `a \\`b\\``',
  'echo $(ls # ); rm x\n)',
  "echo $(ls # it's\n)",
  'cat <<E""\nx\nE',
  'echo a \\\n#b; rm x',
  // Characters that only some shells skip
  'ls\r\nls',
  'ls\0',
  '\ufeffls',
])('a part of %j is not', line => {
  expect(coversText(parse(line), line)).toBe(false)
})

test('a quote anywhere in a line is noticed, whatever was there before', () => {
  const line = 'for f in "${a%.*}" $(ls `pwd`); do [[ -f $f ]] && cat <(ls "$f") 2>/dev/null; done'
  const script = parse(line)
  for (let at = 0; at < line.length; at++) {
    const other = `${line.slice(0, at)}'${line.slice(at + 1)}`
    expect(coversText(script, other), other).toBe(false)
  }
})

test('a long text is read in a time that grows with its length alone', () => {
  const timeOf = (length: number): number => {
    const line = `echo "${'a'.repeat(length)}b"`
    const script = parse(line)
    const other = `${line.slice(0, -2)}\`"`
    const start = performance.now()
    expect(coversText(script, line)).toBe(true)
    expect(coversText(script, other)).toBe(false)
    return performance.now() - start
  }
  timeOf(20)
  expect(timeOf(10_000)).toBeLessThan(100 + 20 * timeOf(1_000))
})
