// The delivery state of an outgoing message: queued, sent, delivered, read, failed, unknown.
import { useIsOnline } from '#data/connectivity.ts'
import { changeLabel } from '#domain/message/change.ts'
import { DELIVERY_LABEL, type Delivery, type Message, type MessageChange } from '#domain/message/message.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { useNow } from '#ui/now.ts'
import { Ticks } from '#ui/feedback/ticks.tsx'
import { isOnItsWay } from './message-groups.ts'

/** Only these states have a text; everybody knows the tick icons of the others. */
const SPELT: readonly Delivery[] = ['queued', 'failed', 'unknown']

export function DeliveryMark({ message }: { message: Message }) {
  if (message.change?.state === 'queued') return <Changing change={message.change} />
  if (message.delivery === 'queued') return <Queued message={message} />
  return message.delivery && <Mark delivery={message.delivery} label={DELIVERY_LABEL[message.delivery]} />
}

/** Shows 'enviando…' or 'enviando 2 de 3…' while the message should be sent within moments, 'Na fila' after that. */
function Queued({ message }: { message: Message }) {
  const isOnline = useIsOnline()
  const nowMs = useNow()
  const { sending } = message
  const label =
    isOnline && isOnItsWay(message, nowMs)
      ? `enviando${sending === undefined ? '' : ` ${sending}`}…`
      : DELIVERY_LABEL.queued
  return <Mark delivery="queued" label={label} />
}

function Changing({ change }: { change: MessageChange }) {
  return <Mark delivery="queued" label={changeLabel(change, useIsOnline())} />
}

/** Some states have a visible text; an icon alone has its name as title and for screen readers. */
function Mark({ delivery, label }: { delivery: Delivery; label: string }) {
  const isSpelt = SPELT.includes(delivery)
  return (
    <span
      title={label}
      className={classNames('inline-flex items-center gap-1', delivery === 'failed' && 'text-on-danger-soft')}
    >
      <span className={isSpelt ? 'first-letter:uppercase inline-block' : 'sr-only'}>{label}</span>
      <Ticks of={delivery} />
    </span>
  )
}
