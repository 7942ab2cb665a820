import { describe, expect, test } from 'vitest'
import {
  type AgentCall,
  type AgentLife,
  type AnswererFacts,
  type ProcessFacts,
  proofOfClient,
  proofOfPerson,
} from '../../../src/core/authorship/proof-of-person.ts'

// A clock of its own: the agent began at 9000, and its last call ran from 20000 to 21000.
const [CALL_FROM, CALL_TO] = [20_000, 21_000]

type Row = Partial<Omit<ProcessFacts, 'pid' | 'name'>>

/** A chain from `name`s, the answering process first; the last one's parent is the system's first process. */
function chainOf(...rows: readonly [name: string, facts?: Row][]): ProcessFacts[] {
  const plain = { isLeader: false, session: 900, terminal: null, startedAt: 0, group: '/tab', agentVariable: null }
  const above = rows.map(([name, facts = {}], n) => ({
    ...{ pid: 500 - n, parent: n === rows.length - 1 ? 1 : 499 - n, name, ...plain },
    ...facts,
  }))
  return above.concat({
    pid: 1,
    parent: 0,
    name: 'systemd',
    ...plain,
    isLeader: true,
    session: 1,
    group: '/init.scope',
  })
}

const LATER = 22_000
const tty = { terminal: 'pts/7', session: 70 }
const kotef: [string, Row] = ['node', { ...tty, startedAt: LATER }]
const shellAt = (startedAt: number, name = 'zsh'): [string, Row] => [name, { ...tty, isLeader: true, startedAt }]

const agentProcess = chainOf(['claude', { ...tty, session: 40, startedAt: 9_000 }])[0]!
const agent: AgentLife = {
  ...{ session: 's1', agent: 'claude', pid: 40, running: { ...agentProcess, pid: 40 } },
  ...{ since: 9_000, until: null, asks: false },
}
const call: AgentCall = { session: 's1', agent: 'claude', from: CALL_FROM, to: CALL_TO, group: '/tab' }
const none = { named: null, isAskerLost: false, agentVariable: null }

const known = { atTerminal: true, agents: [agent], calls: [call], ...none }

function verdict(facts: Partial<AnswererFacts> & Pick<AnswererFacts, 'chain'>): string {
  const answer = proofOfPerson({ ...known, ...facts })
  return answer.who === 'person' ? 'person' : `${answer.who} ${answer.who === 'agent' ? answer.how : answer.why}`
}

describe('on an ordinary day', () => {
  test.each<[day: string, chain: ProcessFacts[], verdict: string]>([
    ['a terminal that was open before the agent', chainOf(kotef, shellAt(5_000), ['gnome-terminal-']), 'person'],
    ['the same, by a shell in that shell', chainOf(kotef, ['bash', tty], shellAt(5_000), ['kitty']), 'person'],
    ['the same, by npx', chainOf(kotef, ['sh', tty], ['npm exec kotef', tty], shellAt(5_000), ['kitty']), 'person'],
    ['the terminal of the agent itself, which is suspended', chainOf(kotef, shellAt(5_000), ['kitty']), 'person'],
    ['a pane of tmux that was open before', chainOf(kotef, shellAt(5_000), ['tmux: server']), 'person'],
    ['a login by ssh from before', chainOf(kotef, shellAt(5_000), ['sshd'], ['sshd']), 'person'],
    ['the editor of a commit hook', chainOf(kotef, ['sh', tty], ['git', tty], shellAt(5_000), ['kitty']), 'person'],
    ['a new tab of an old terminal', chainOf(kotef, shellAt(15_000), ['gnome-terminal-']), 'unproved newer-terminal'],
    ['a new tab during a call', chainOf(kotef, shellAt(20_500), ['gnome-terminal-']), 'unproved newer-terminal'],
    ['a new pane of an old tmux', chainOf(kotef, shellAt(20_500), ['tmux: server']), 'unproved newer-terminal'],
    [
      'a new terminal of the desktop during a call',
      chainOf(kotef, shellAt(20_600), ['kitty', { startedAt: 20_500, group: '/app-kitty.scope' }]),
      'unproved newer-terminal',
    ],
    [
      'the terminal in an editor, whose extension is the agent',
      chainOf(kotef, shellAt(15_000), ['code', { startedAt: 4_000, session: 40 }]),
      'unproved newer-terminal',
    ],
    ['a login by ssh later', chainOf(kotef, shellAt(20_500), ['sshd'], ['sshd']), 'unproved newer-terminal'],
    ['a terminal of WSL', chainOf(kotef, shellAt(15_000), ['Relay(12)'], ['SessionLeader']), 'unproved newer-terminal'],
    ['a command that vim runs', chainOf(kotef, ['vim', tty], shellAt(5_000), ['kitty']), 'unproved other-program'],
  ])('%s is judged', (_, chain, expected) => {
    expect(verdict({ chain })).toBe(expected)
  })

  test('docker exec enters from outside, and is not proved', () => {
    const chain = chainOf(kotef, shellAt(20_500)).slice(0, 2)
    expect(verdict({ chain: [chain[0]!, { ...chain[1]!, parent: 0 }] })).toBe('unproved newer-terminal')
  })

  test('no agent has ever been here', () => {
    expect(verdict({ chain: chainOf(kotef, shellAt(15_000)), agents: [], calls: [] })).toBe('person')
    expect(verdict({ chain: [], agents: [], calls: [] })).toBe('person')
  })

  test('a script of a person is refused nothing, and proves nothing', () => {
    expect(verdict({ chain: chainOf(kotef, shellAt(5_000)), atTerminal: false })).toBe('unproved no-terminal')
    expect(verdict({ chain: chainOf(['node'], ['cron']), atTerminal: false })).toBe('unproved no-terminal')
  })

  test('a system that hides processes proves nothing', () => {
    expect(verdict({ chain: [] })).toBe('unproved hidden-processes')
  })
})

describe('what an agent has started is refused', () => {
  const python: [string, Row] = ['python3', { isLeader: true, session: 80, startedAt: 20_500 }]
  const ownTerminal: [string, Row] = ['sh', { terminal: 'pts/9', session: 81, isLeader: true, startedAt: LATER }]
  const inOwn: [string, Row] = ['node', { terminal: 'pts/9', session: 81, startedAt: LATER }]

  test.each<[what: string, facts: Partial<AnswererFacts> & Pick<AnswererFacts, 'chain'>, how: string]>([
    [
      'below its process',
      {
        chain: chainOf(kotef, ['bash'], ['claude', { session: 40 }], shellAt(5_000)),
        agents: [{ ...agent, pid: 498 }],
      },
      'below',
    ],
    ['that its environment names', { chain: chainOf(kotef), named: agent }, 'named'],
    ['with its variable', { chain: chainOf(kotef), agentVariable: 'CLAUDECODE' }, 'marked'],
    [
      'that has unset its variable',
      { chain: chainOf(inOwn, ['bash', { agentVariable: 'CLAUDECODE' }], shellAt(5_000)) },
      'marked',
    ],
    ['left running by a call', { chain: chainOf(inOwn, ownTerminal, python) }, 'left-running'],
    [
      'left running by the call that runs',
      { chain: chainOf(inOwn, ownTerminal, python), calls: [{ ...call, to: null }] },
      'left-running',
    ],
    [
      'left running below the systemd of the user',
      { chain: chainOf(inOwn, ownTerminal, python, ['systemd', { startedAt: 10 }]) },
      'left-running',
    ],
    [
      'left running in the session of the agent, whichever call it was',
      { chain: chainOf(['node', { session: 40, startedAt: 15_000 }]), calls: [] },
      'left-running',
    ],
  ])('%s', (_, facts, how) => {
    expect(verdict(facts)).toBe(`agent ${how}`)
  })

  // Without control groups, only the time tells it from the terminal server that a person starts meanwhile.
  describe.each<[where: string, group: string, ofFirst: string]>([
    ['one group', '0::/\n', '0::/\n'],
    ['one group in each hierarchy', '2:cpu:/\n1:name=systemd:/\n0::/\n', '/init.scope'],
    ['the group of a container', '0::/docker/1f\n', '0::/docker/1f\n'],
  ])('where all processes are in %s', (_, group, ofFirst) => {
    const inGroup = (chain: ProcessFacts[]) => chain.map(it => ({ ...it, group: it.pid === 1 ? ofFirst : group }))
    const facts = (...rows: readonly [name: string, facts?: Row][]) => ({
      ...{ chain: inGroup(chainOf(...rows)), calls: [{ ...call, group }] },
    })

    test('a terminal server that is started during a call is not proved to be a person', () => {
      const server: [string, Row] = ['tmux: server', { isLeader: true, session: 80, startedAt: 20_500 }]
      expect(verdict(facts(kotef, shellAt(20_600), server))).toBe('unproved newer-terminal')
      const last = { ...agent, session: 's2', since: 30_000 }
      expect(verdict({ ...facts(kotef, shellAt(20_600), server), agents: [last] })).toBe('unproved newer-terminal')
    })

    test('what has no terminal of its own is still refused', () => {
      expect(verdict(facts(['node', { session: 80, startedAt: LATER }], python))).toBe('agent left-running')
      expect(verdict(facts(['node', { ...tty, startedAt: LATER }], python))).toBe('agent left-running')
    })

    test('a terminal from before is proved', () => {
      expect(verdict(facts(kotef, shellAt(5_000), ['kitty', { startedAt: 4_000 }]))).toBe('person')
    })
  })

  test('below its process, which docker exec has started', () => {
    const chain = chainOf(inOwn, ['claude', { session: 40, parent: 0 }]).slice(0, 2)
    expect(verdict({ chain, agents: [{ ...agent, pid: 499 }] })).toBe('agent below')
  })

  test('but not what is below the first process of the system, as everything is', () => {
    expect(verdict({ chain: chainOf(kotef, shellAt(15_000)), agents: [{ ...agent, pid: 1 }] })).toBe(
      'unproved newer-terminal',
    )
  })

  test('what has left the call by starting again afterwards is not proved to be a person', () => {
    const again: [string, Row] = ['python3', { isLeader: true, session: 80, startedAt: 21_500 }]
    expect(verdict({ chain: chainOf(inOwn, ownTerminal, again) })).toBe('unproved newer-terminal')
  })

  test('a terminal that it opened while it lived proves nothing for a later session', () => {
    const before = { ...agent, session: 's0', running: null, since: 1_000, until: 6_000 }
    const chain = chainOf(kotef, shellAt(5_000))
    expect(verdict({ chain, agents: [before, agent] })).toBe('unproved newer-terminal')
    expect(verdict({ chain: chainOf(kotef, shellAt(7_000)), agents: [before, agent] })).toBe('person')
  })

  test('after its end the terminal still has to be older than it', () => {
    const ended = { ...agent, running: null, until: 21_500 }
    const verdictAfter = (opened: number) =>
      verdict({ chain: chainOf(kotef, shellAt(opened)), agents: [{ ...ended, asks: true }], calls: [] })
    expect([5_000, 15_000, 21_800].map(verdictAfter)).toEqual([
      'person',
      'unproved newer-terminal',
      'unproved newer-terminal',
    ])
  })

  test('an agent that has asked, and of which no file is left, hides who answers', () => {
    const chain = chainOf(kotef, shellAt(5_000))
    const lost = { chain, isAskerLost: true }
    expect(verdict({ ...lost, agents: [], calls: [] })).toBe('unproved hidden-agent')
    expect(verdict(lost)).toBe('unproved hidden-agent')
    expect(verdict({ ...lost, chain: [], agents: [] })).toBe('unproved hidden-agent')
    expect(verdict({ ...lost, named: agent })).toBe('agent named')
  })

  test('an agent that kotef does not see hides who answers', () => {
    const chain = chainOf(kotef, shellAt(5_000))
    expect(verdict({ chain, agents: [{ ...agent, pid: null, running: null }] })).toBe('unproved hidden-agent')
    expect(verdict({ chain, agents: [{ ...agent, running: null }] })).toBe('unproved hidden-agent')
  })
})

describe('an answer that the client of an agent passes on', () => {
  const client = (chain: ProcessFacts[], agents = [{ ...agent, running: { ...agentProcess, pid: 499 } }]) => {
    const { who, ...more } = proofOfClient({ ...known, chain, agents, atTerminal: false })
    return [who, 'how' in more ? more.how : 'why' in more ? more.why : null]
  }

  test('is not proved to be a person', () => {
    expect(client(chainOf(['node', { startedAt: 9_100 }], ['claude']))).toEqual(['unproved', 'client'])
    expect(client(chainOf(['node', { startedAt: 9_100 }], ['code']), [])).toEqual(['unproved', 'client'])
  })

  test('is the agent when its server was started by a call', () => {
    const server = ['node', { startedAt: 20_500 }] satisfies [string, Row]
    expect(client(chainOf(server, ['claude']))).toEqual(['agent', 'left-running'])
    expect(client(chainOf(server))).toEqual(['agent', 'left-running'])
  })
})
