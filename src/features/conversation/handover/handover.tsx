// A summary of what the assistant handed over, shown until a person has written.
import { Bot } from 'lucide-react'
import { formatHour } from '#domain/format.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import type { HandoverCard } from './data.ts'
import { GIVE_BACK, useGiveBack } from './use-give-back.ts'

/** Titles of the card: `own` for the broker, `other` for an administrator who reads the conversation. */
const TITLE = { own: 'O assistente passou para você', other: 'O agente passou ao corretor' }
const FOLD = 'Recolher as mensagens'

type HandoverProps = {
  contactId: number
  handover: HandoverCard
  /** True if the reader is the broker to whom the assistant handed the conversation over. */
  isOwn: boolean
  canGiveBack: boolean
  /** Opens and closes the messages before the card; null if none of them are folded. */
  fold: { isOpen: boolean; onChange: (isOpen: boolean) => void } | null
}

export function Handover({ contactId, handover: card, isOwn, canGiveBack, fold }: HandoverProps) {
  const { give, isPending, isOnline } = useGiveBack(contactId)
  const rows = [
    ['O lead quer', card.wants],
    ['Já foi dito', card.said],
    ['Falta', card.missing],
  ].filter(([, words]) => words !== '')
  return (
    <section
      aria-label="Passagem do assistente"
      className="mt-2.5 mb-1 rounded-card bg-surface px-3.5 pt-3.5 pb-2 text-text shadow-line motion-safe:animate-rise"
    >
      <h3 className="flex items-center gap-2.5 text-15 font-semibold">
        <Icon of={Bot} size={18} className="text-primary" />
        <span className="grow">{isOwn ? TITLE.own : TITLE.other}</span>
        <span className="text-13 font-normal text-text-3 tabular-nums">{formatHour(card.at)}</span>
      </h3>
      <dl className="grid grid-cols-[6rem_1fr] gap-x-3 gap-y-1.5 py-2 text-14">
        {rows.map(([name, words]) => (
          <div key={name} className="contents">
            <dt className="text-text-2">{name}</dt>
            <dd className="whitespace-pre-wrap wrap-anywhere">{words}</dd>
          </div>
        ))}
      </dl>
      <div className="-mx-2.5 flex flex-wrap justify-between gap-x-2">
        {fold && (
          <Button
            variant="ghost"
            size="small"
            aria-expanded={fold.isOpen}
            onClick={() => fold.onChange(!fold.isOpen)}
          >
            {fold.isOpen ? FOLD : `Ver as ${card.lines} mensagens`}
          </Button>
        )}
        {canGiveBack && (
          <span className="ml-auto">
            <Button
              variant="quiet"
              size="small"
              disabled={!isOnline}
              title={isOnline ? undefined : ONLINE_ONLY}
              busy={isPending && GIVE_BACK}
              onClick={give}
            >
              {GIVE_BACK}
            </Button>
          </span>
        )}
      </div>
    </section>
  )
}
