import type { ComponentChildren, JSX } from 'preact'
import type { ContractLine } from '../../../core/intents/contract/intent-contract.ts'
import { constraintRuleWords } from '../../../core/report/contract-lines.ts'
import { standingText } from '../../../core/rules/chores.ts'
import type { CheckFacts, IntentFacts } from './intent-facts.ts'
import { DataText, Empty, IntentLink, PathLink, Section, Table, When } from './parts.tsx'

type Props = { readonly facts: IntentFacts }

/** What an intent is for, what it may write, what is forbidden, and how it is measured. */
export function ContractSection({ facts: { intent, contract } }: Props): JSX.Element {
  return (
    <Section title="Contract">
      <dl class="fields">
        <Field label="Goal">
          <DataText text={contract.goal} />
        </Field>
        <Field label="Scope">
          <Globs globs={intent.owned_scope} />
        </Field>
        {intent.depends_on.length > 0 && (
          <Field label="Depends on">
            {intent.depends_on.map(it => (
              <>
                <IntentLink id={it} />{' '}
              </>
            ))}
          </Field>
        )}
        {standingText(intent).map(it => (
          <Field label="Standing">
            <DataText text={it} />
          </Field>
        ))}
        <Field label="Appetite">
          <DataText text={[contract.appetite, intent.kind ?? ''].filter(Boolean).join(', ')} />
        </Field>
        {intent.related_specs.map(it => (
          <Field label="Spec">
            <DataText text={`${it.type}: ${it.url}`} />
          </Field>
        ))}
      </dl>
      <Lines title="Constraints" lines={contract.constraints} beside={it => <Rule rule={it.rule} />} />
      <Lines title="Forbidden paths" lines={contract.forbiddenPaths} />
      <Lines title="Non-goals" lines={contract.nonGoals} />
    </Section>
  )
}

function Field({ label, children }: { readonly label: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Globs({ globs }: { readonly globs: readonly string[] }): JSX.Element {
  if (globs.length === 0) return <span class="quiet">no path</span>
  return (
    <span class="scope">
      {globs.map(it => (
        <code>
          <DataText text={it} />
        </code>
      ))}
    </span>
  )
}

type LinesProps<T> = {
  readonly title: string
  readonly lines: readonly T[]
  readonly beside?: (line: T) => ComponentChildren
}

function Lines<T extends ContractLine>({ title, lines, beside }: LinesProps<T>): JSX.Element | null {
  if (lines.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="statements">
        {lines.map(it => (
          <li>
            <DataText text={it.text} /> {beside?.(it)} <Source line={it} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Rule({ rule }: Pick<IntentFacts['contract']['constraints'][number], 'rule'>): JSX.Element {
  return (
    <span class={`badge ${rule ? 'rule' : 'advice'}`}>
      {rule ? <DataText text={constraintRuleWords(rule)} /> : 'advice'}
    </span>
  )
}

function Source({ line: { source } }: { readonly line: ContractLine }): JSX.Element {
  return (
    <span class="source">
      <PathLink path={source.file} />
      {source.line !== null && `:${source.line}`}
    </span>
  )
}

/** The checks of an intent with what is known of their last results. None is run for it. */
export function CheckSection({ facts: { intent, checks, now } }: Props): JSX.Element {
  return (
    <Section isLive title="Checks">
      {checks.length === 0 ? (
        <Empty text="The intent has no check, so nothing says that it is done." />
      ) : (
        <Table
          caption={`Checks of ${intent.id}`}
          columns={['Check', 'Decided by', 'Last result', 'When']}
          rows={checks.map(it => checkCells(it, now))}
          empty=""
        />
      )}
    </Section>
  )
}

function checkCells({ text, isCommand, last }: CheckFacts, now: number) {
  return [
    isCommand ? (
      <code>
        <DataText text={text} />
      </code>
    ) : (
      <DataText text={text} />
    ),
    isCommand ? 'command' : 'a person',
    last === null ? (
      <span class="quiet">{isCommand ? 'no run recorded' : 'not attested'}</span>
    ) : (
      <>
        <span class={`badge result-${last.status}`}>{last.status}</span>
        {last.isKept && <span class="hint"> on the same files as before</span>}
      </>
    ),
    last === null ? '' : <When at={last.at} now={now} />,
  ]
}
