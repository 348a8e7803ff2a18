// 'Prometido, sem data': lists promises in our messages to leads that have no next action.
import type { KeyboardEvent } from 'react'
import { leadTitle } from '#domain/lead/lead.ts'
import { dateParts } from '#domain/zone.ts'
import { weekdayOf } from '#domain/next-action/words.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import type { Promised } from './after-today.ts'
import { RowDeed, Section } from './section.tsx'
import type { TaskActions } from './today-actions.ts'
import { useSwipeRow } from './use-swipe-row.ts'

type PromisedProps = Pick<TaskActions, 'onOpen' | 'onChange'> & {
  promises: readonly Promised[]
  /** Called when the broker says that the message was no promise. */
  onDrop: (key: string) => void
}

export function PromisedSection({ promises, ...actions }: PromisedProps) {
  return (
    <Section title="Prometido, sem data" count={promises.length}>
      {promises.map((promise) => (
        <PromisedRow key={promise.key} promise={promise} {...actions} />
      ))}
    </Section>
  )
}

type PromisedRowProps = Omit<PromisedProps, 'promises'> & { promise: Promised }

function PromisedRow({
  promise: { lead, sentence, saidAtMs, key },
  onOpen,
  onChange,
  onDrop,
}: PromisedRowProps) {
  const { row, bind } = useSwipeRow(null, () => onDrop(key))
  const { day, month } = dateParts(saidAtMs)
  const dropByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Delete') return
    event.preventDefault()
    onDrop(key)
  }
  return (
    <li
      {...bind()}
      ref={row}
      className="swipe-row flex min-h-16 items-center gap-3 bg-surface py-2 pr-1 pl-3.5"
    >
      <button
        type="button"
        data-row
        aria-keyshortcuts="Delete"
        onKeyDown={dropByKey}
        onClick={() => onOpen(lead.id)}
        className="flex min-w-0 grow items-center gap-3 text-left"
      >
        <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={36} />
        <span className="min-w-0 grow">
          <span className="block truncate text-15 font-semibold">{leadTitle(lead)}</span>
          <span className="promised">{`“${sentence}”`}</span>
          <span className="block text-12 text-text-3">{`você, ${weekdayOf(saidAtMs)} ${day}/${month}`}</span>
        </span>
      </button>
      <RowDeed onPress={() => onChange(lead.id)}>Marcar</RowDeed>
    </li>
  )
}
