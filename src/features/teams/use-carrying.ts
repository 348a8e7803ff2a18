// Moves a broker to another team, with the pointer, or with keys on the handle: space, arrows, space.
import type { DragEndEvent, DragOverEvent, DragStartEvent } from '@dnd-kit/core'
import { type KeyboardEvent, useState } from 'react'
import { displayName } from '#domain/broker.ts'
import { tremble } from '#ui/feedback/haptics.ts'
import { announce } from '#ui/feedback/toast.ts'
import { handleId } from './broker-row.tsx'
import type { TeamBroker, Teams } from './data.ts'
import { NONE } from './team-card.tsx'
import { NO_TEAM } from './texts.ts'
import type { MoveBroker } from './use-moves.ts'

type Carried = { broker: TeamBroker; from: string; over: string; isByKeys: boolean }

const STEP: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }
const teamIdOf = (card: string) => (card === NONE ? null : card)

export function useCarrying({ teams, others }: Teams, move: MoveBroker) {
  const [carried, setCarried] = useState<Carried | null>(null)
  const cards = [
    ...teams.map(({ id, name, brokers }) => ({ id, name, brokers })),
    { id: NONE, name: NO_TEAM, brokers: others },
  ]
  const nameOf = (card: string) => cards.find(({ id }) => id === card)?.name ?? NO_TEAM
  const cardOf = (brokerId: unknown) => cards.find(({ brokers }) => brokers.some(({ id }) => id === brokerId))
  const drop = ({ broker, from, over }: Carried) => move(broker, teamIdOf(from), teamIdOf(over))

  const onKey = (broker: TeamBroker, event: KeyboardEvent) => {
    const step = STEP[event.key]
    const name = displayName(broker.instanceName)
    const isHeld = carried?.isByKeys === true && carried.broker.id === broker.id
    if (event.key === ' ' && !event.repeat && !isHeld) {
      const from = cardOf(broker.id)?.id ?? NONE
      setCarried({ broker, from, over: from, isByKeys: true })
      announce(`${name}, na mão. Setas escolhem a equipe, espaço solta, Esc cancela.`)
    } else if (event.key === ' ' && isHeld) {
      setCarried(null)
      drop(carried)
      // The row has moved to another card, where its handle gets the focus again.
      requestAnimationFrame(() => document.getElementById(handleId(broker))?.focus())
    } else if (isHeld && step !== undefined) {
      const at = cards.findIndex(({ id }) => id === carried.over)
      const next = cards[at + step]
      if (next) setCarried({ ...carried, over: next.id })
      announce(next?.name ?? nameOf(carried.over))
    } else if (isHeld && event.key === 'Escape') {
      setCarried(null)
      announce('Cancelado.')
    } else return
    event.preventDefault()
  }
  return {
    /** Returns the carried broker if this card is where the broker would land, and not where the broker comes from. */
    landingIn: (card: string) =>
      carried && carried.over === card && carried.from !== card ? carried.broker : null,
    carriedByKeys: carried?.isByKeys === true ? carried.broker : null,
    carriedByPointer: carried?.isByKeys === false ? carried.broker : null,
    onKey,
    leave: () => setCarried((now) => (now?.isByKeys === true ? null : now)),
    drag: {
      onDragStart: ({ active }: DragStartEvent) => {
        const card = cardOf(active.id)
        const broker = card?.brokers.find(({ id }) => id === active.id)
        if (!card || !broker) return
        tremble('done')
        setCarried({ broker, from: card.id, over: card.id, isByKeys: false })
      },
      onDragOver: ({ over }: DragOverEvent) =>
        setCarried((now) => now && { ...now, over: over ? String(over.id) : now.from }),
      onDragEnd: ({ over }: DragEndEvent) => {
        setCarried(null)
        if (carried && over) drop({ ...carried, over: String(over.id) })
      },
      onDragCancel: () => setCarried(null),
    },
  }
}
