// How far an outgoing line went: queued, sent, delivered, read, failed, unknown. PRODUCT.md 4.3; DESIGN-SYSTEM 10.
import { Check, CheckCheck, CircleAlert, CircleQuestionMark, Clock3, type LucideIcon } from 'lucide-react'
import { DELIVERY_LABEL, type Delivery } from '#domain/message.ts'
import { Icon } from '#ui/icon.tsx'

const SIGN = {
  queued: { icon: Clock3, className: '', isSpelt: true },
  sent: { icon: Check, className: '', isSpelt: false },
  delivered: { icon: CheckCheck, className: '', isSpelt: false },
  read: { icon: CheckCheck, className: 'text-primary', isSpelt: false },
  failed: { icon: CircleAlert, className: 'text-on-danger-soft', isSpelt: true },
  unknown: { icon: CircleQuestionMark, className: '', isSpelt: false },
} satisfies Record<Delivery, { icon: LucideIcon; className: string; isSpelt: boolean }>

/** What needs a word gets one; a mark alone carries its name in title and for screen readers. */
export function DeliveryMark({ delivery }: { delivery: Delivery }) {
  const { icon, className, isSpelt } = SIGN[delivery]
  const label = DELIVERY_LABEL[delivery]
  return (
    <span title={label} className={`inline-flex items-center gap-1 ${className}`}>
      <span className={isSpelt ? 'first-letter:uppercase inline-block' : 'sr-only'}>{label}</span>
      <Icon of={icon} size={16} />
    </span>
  )
}
