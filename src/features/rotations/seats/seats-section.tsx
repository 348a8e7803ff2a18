// Lists a rotation's brokers in the order of their turns. They can be sorted and removed, and each one's rules edited.
import { Plus, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { displayName } from '#domain/broker.ts'
import type { SeatRules } from '#domain/rotation/rotation.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Sortable } from '#ui/motion/sortable.tsx'
import { announce } from '#ui/feedback/toast.ts'
import { leadCount, RULES_OF, seatFacts } from '../texts.ts'
import type { RotationDraft } from '../use-rotation-draft.ts'

const unseated = (name: string) => `${name} saiu da lista. A roleta muda quando você salvar.`

const unseatLabel = (name: string) => `Tirar ${name} da roleta`

const BROKERS = 'Corretores'

type SeatsSectionProps = {
  draft: RotationDraft
  leadsReceived: Readonly<Record<string, number>>
  isOff: boolean
  onPick: () => void
  onRules: (instanceName: string) => void
}

const nameOf = ({ instanceName }: SeatRules) => displayName(instanceName)

export function SeatsSection({ draft, leadsReceived, isOff, onPick, onRules }: SeatsSectionProps) {
  const headingId = useId()
  const adding = useRef<HTMLSpanElement>(null)
  const { seats } = draft.plan
  const remove = (seat: SeatRules) => {
    draft.unseat(seat.instanceName)
    announce(unseated(nameOf(seat)))
    // The removed row had the focus, so the add button gets it.
    adding.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id={headingId} className="text-15 font-semibold">
          {BROKERS} <span className="font-regular text-text-3">({seats.length})</span>
        </h3>
        <span ref={adding}>
          <Button variant="soft" size="small" icon={Plus} disabled={isOff} onClick={onPick}>
            Adicionar Corretor
          </Button>
        </span>
      </div>
      {seats.length === 0 && <p className="py-3 text-14 text-text-2">Nenhum corretor nesta roleta.</p>}
      <Sortable
        label={BROKERS}
        rows={seats}
        keyOf={({ instanceName }) => instanceName}
        nameOf={nameOf}
        isOff={isOff}
        onMove={draft.moveSeat}
      >
        {(seat) => (
          <>
            <Avatar name={nameOf(seat)} size={36} />
            <button
              type="button"
              aria-haspopup="dialog"
              disabled={isOff}
              onClick={() => onRules(seat.instanceName)}
              className="min-h-11 min-w-0 grow cursor-[inherit] rounded-sm px-1 text-left"
            >
              <span className="block truncate text-15 leading-snug font-semibold">
                <span className="sr-only">{RULES_OF} </span>
                {nameOf(seat)}
              </span>
              <span className="block text-13 leading-snug text-text-3 tabular-nums">
                {[leadCount(leadsReceived[seat.instanceName] ?? 0), ...seatFacts(seat)].join(' · ')}
              </span>
            </button>
            <span className="max-[26rem]:hidden">
              <Button
                variant="ghost"
                size="small"
                aria-hidden
                tabIndex={-1}
                disabled={isOff}
                onClick={() => onRules(seat.instanceName)}
              >
                Regras
              </Button>
            </span>
            {draft.isNew(seat.instanceName) && <Badge tone="info">Novo</Badge>}
            {!seat.isActive && <Badge tone="neutral">Desativado</Badge>}
            <IconButton
              icon={X}
              label={unseatLabel(nameOf(seat))}
              disabled={isOff}
              onClick={() => remove(seat)}
            />
          </>
        )}
      </Sortable>
    </section>
  )
}
