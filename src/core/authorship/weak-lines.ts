/**
 * Lines that occur in any program, without the white space at their ends: they are no evidence of an author. Where only
 * hashes of lines are known, the hashes of these lines identify them.
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
