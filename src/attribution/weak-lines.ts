/**
 * Lines that say nothing of who wrote them, without the white space at their ends: what any program has many of. Where
 * only hashes are known, these are how such lines are told.
 */
export function weakLines(): string[] {
  const signs = '{}()[];,:'.split('')
  const pairs = signs.flatMap(one => signs.map(other => one + other))
  const triples = pairs.flatMap(pair => signs.map(sign => pair + sign))
  return ['', ...signs, ...pairs, ...triples, ...WEAK_WORDS]
}

const WEAK_WORDS = [
  ...['else', 'else {', '} else {', 'end', 'fi', 'done', 'esac', 'pass', 'break', 'break;', 'continue', 'continue;'],
  ...['return', 'return;', 'try:', 'try {', '} catch {', '} finally {', 'do', 'then', 'begin', 'default:', '/**', '*/'],
  ...[
    '*',
    '/*',
    '//',
    '#',
    '---',
    '...',
    '"""',
    "'''",
    '```',
    '<div>',
    '</div>',
    '<br>',
    '<p>',
    '</p>',
    'end;',
    '})();',
  ],
]
