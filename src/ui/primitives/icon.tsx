// A Lucide icon in our sizes; smaller ones have stronger lines.
import type { LucideIcon } from 'lucide-react'
import { classNames } from './class-names.ts'

const STROKE = { 14: 2.3, 16: 2.1, 18: 1.9, 20: 1.9, 24: 1.8 }

type IconProps = { of: LucideIcon; size?: keyof typeof STROKE; className?: string }

/** Hidden from screen readers, because the control or text beside it has the name. */
export function Icon({ of: Glyph, size = 20, className }: IconProps) {
  return (
    <Glyph size={size} strokeWidth={STROKE[size]} aria-hidden className={classNames('shrink-0', className)} />
  )
}
