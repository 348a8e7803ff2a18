// One entry that its author must decide: it conflicts with another change, was refused, or is an outdated message.
import { formatRelative, formatHour } from '#domain/format.ts'
import type { ReactNode } from 'react'
import { discard, retry } from '#data/decisions.ts'
import { useSession } from '#data/session.ts'
import type { Command, Entry } from '#domain/outbox/command.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import type { Stage } from '#domain/stage.ts'
import { Button } from '#ui/primitives/button.tsx'
import { useDeviceNow } from '#ui/now.ts'
import { RETRY } from '#ui/texts.ts'
import { askToDiscard, copy, run } from './discarding.ts'
import { capitalised, joined, stageName, titleOf, wordsOf } from './entry-words.ts'
import { DISCARD } from './texts.ts'
import { EntryHead } from './entry-row.tsx'
import { RefusedVisit } from './refused-visit.tsx'

const othersMoved = (who: string | null, stage: string, atMs: number | null) =>
  `${who === null ? 'No outro aparelho foi' : `${who} moveu`} para ${stage}${atMs === null ? '' : ` às ${formatHour(atMs)}`}.`

const whereToStay = (name: string) => `Onde ${name} deve ficar?`

type DecisionProps = { entry: Entry; stages: readonly Stage[] }

export function Decision({ entry, stages }: DecisionProps) {
  const { command, state } = entry
  return (
    <li className="rounded-lg bg-warning-soft p-3.5 text-text">
      {entry.problem?.code === 'taken' && command.kind === 'visit.save' ? (
        <RefusedVisit entry={entry} command={command} />
      ) : state !== 'conflict' || command.kind === 'lead.fields' || command.kind === 'lead.add' ? (
        <Refused entry={entry} stages={stages} />
      ) : command.kind === 'lead.move' ? (
        <MovedElsewhere entry={entry} command={command} stages={stages} />
      ) : (
        <WrittenElsewhere entry={entry} stages={stages} />
      )}
    </li>
  )
}

type MoveProps = DecisionProps & { command: Extract<Command, { kind: 'lead.move' }> }

function MovedElsewhere({ entry, command, stages }: MoveProps) {
  const who = useOther(entry.problem?.changedBy ?? null)
  const mine = stageName(stages, command.toSlug)
  const theirs = stageName(stages, entry.problem?.theirs ?? command.fromSlug)
  return (
    <>
      <EntryHead entry={entry} title={whereToStay(leadTitle(command.lead))} />
      <p className="mt-1 text-14 leading-body text-text-2">
        {`Você moveu para ${mine} às ${formatHour(entry.createdAtMs)}.`}{' '}
        {othersMoved(who, theirs, entry.problem?.changedAtMs ?? null)}
      </p>
      <Choices>
        <Button variant="line" onClick={() => run(discard(entry))}>
          {`Manter em ${theirs}`}
        </Button>
        <Button variant="soft" onClick={() => run(retry(entry))}>
          {`Mover para ${mine}`}
        </Button>
      </Choices>
    </>
  )
}

/** Returns the name of the person who made the other change; null if it was the same user on another device. */
function useOther(changedBy: string | null): string | null {
  const session = useSession()
  const own = session.status === 'in' ? session.user.username : null
  return changedBy === null || changedBy === own ? null : capitalised(changedBy)
}

function WrittenElsewhere({ entry, stages }: DecisionProps) {
  const mine = wordsOf(entry.command) ?? ''
  const theirs = entry.problem?.theirs ?? ''
  const isName = entry.command.kind === 'lead.rename'
  return (
    <>
      <EntryHead entry={entry} title={titleOf(entry, stages)} />
      <p className="mt-1 text-14 leading-body text-text-2">
        {isName
          ? 'O nome mudou enquanto você estava sem conexão.'
          : 'A nota mudou enquanto você estava sem conexão.'}
      </p>
      {!isName && (
        <dl className="mt-2 flex flex-col gap-2 text-14">
          <Version label="A sua" text={mine} />
          <Version label="A outra" text={theirs} />
        </dl>
      )}
      <Choices>
        {!isName && <Button onClick={() => run(retry(entry, joined(mine, theirs)))}>Juntar as duas</Button>}
        <Button variant="line" onClick={() => run(retry(entry))}>
          {isName ? `Usar “${mine}”` : 'Usar a minha'}
        </Button>
        <Button variant="line" onClick={() => run(discard(entry))}>
          {isName ? `Manter “${theirs}”` : 'Usar a outra'}
        </Button>
      </Choices>
    </>
  )
}

function Version({ label, text }: { label: string; text: string }) {
  return (
    <div className="rounded-md bg-surface px-3 py-2">
      <dt className="text-13 font-semibold text-text-2">{label}</dt>
      <dd className="max-h-40 overflow-y-auto leading-body wrap-anywhere whitespace-pre-wrap">
        {text || '(em branco)'}
      </dd>
    </div>
  )
}

function Refused({ entry, stages }: DecisionProps) {
  const nowMs = useDeviceNow()
  const words = wordsOf(entry.command)
  const isStale = entry.state === 'stale'
  // The conversation can send it anew; this list cannot read the record.
  const where = entry.problem?.isOutdated ? ' Abra a conversa para enviar o que vale agora.' : ''
  const why = isStale
    ? `Escrita ${formatRelative(entry.createdAtMs, nowMs)} e ainda não enviada. Enviar mesmo assim?`
    : (entry.problem?.reason ??
      'O servidor não conseguiu receber. Nada foi perdido: tente de novo ou descarte.')
  return (
    <>
      <EntryHead entry={entry} title={titleOf(entry, stages)} />
      <p className="mt-1 text-14 leading-body text-text-2">{why + where}</p>
      {words && (
        <p className="mt-2 max-h-40 overflow-y-auto rounded-md bg-surface px-3 py-2 text-14 leading-body wrap-anywhere whitespace-pre-wrap">
          {words}
        </p>
      )}
      <Choices>
        {!entry.problem?.isOutdated && (
          <Button onClick={() => run(retry(entry))}>{isStale ? 'Enviar' : RETRY}</Button>
        )}
        {words && (
          <Button variant="line" onClick={() => void copy(words)}>
            Copiar texto
          </Button>
        )}
        <Button variant="line" onClick={() => askToDiscard(entry)}>
          {DISCARD}
        </Button>
      </Choices>
    </>
  )
}

function Choices({ children }: { children: ReactNode }) {
  return (
    <div className="mt-3 grid grid-cols-[repeat(auto-fit,minmax(min(100%,10.5rem),1fr))] gap-2">
      {children}
    </div>
  )
}
