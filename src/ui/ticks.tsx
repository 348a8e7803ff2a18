// The small sign of how far something sent went: a clock, one tick, two, two in colour. DESIGN-SYSTEM 7, 10.
import { Check, CheckCheck, CircleAlert, CircleQuestionMark, Clock3 } from 'lucide-react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

const SIGN = {
  queued: { icon: Clock3, className: '' },
  sent: { icon: Check, className: '' },
  delivered: { icon: CheckCheck, className: '' },
  read: { icon: CheckCheck, className: 'text-primary' },
  failed: { icon: CircleAlert, className: 'text-danger' },
  unknown: { icon: CircleQuestionMark, className: '' },
}

/** Decoration: what it says stands beside it in words, or in the name of what it is part of. */
export function Ticks({ of, className }: { of: keyof typeof SIGN; className?: string }) {
  const sign = SIGN[of]
  return <Icon of={sign.icon} size={16} className={classNames(sign.className, className)} />
}
