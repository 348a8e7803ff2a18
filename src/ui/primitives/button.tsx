// Button and IconButton.
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import type { LucideIcon } from 'lucide-react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { Spinner } from '../feedback/spinner.tsx'

const BASE =
  'inline-flex items-center justify-center gap-2 font-semibold transition-colors active:not-disabled:scale-[.985] ' +
  'disabled:bg-surface-3 disabled:text-text-3 disabled:shadow-none'

const VARIANT = {
  primary: 'bg-primary text-on-primary hover:bg-primary-hover active:bg-primary-active',
  soft: 'bg-primary-soft text-on-primary-soft hover:bg-primary-soft-2',
  danger: 'bg-danger text-on-danger hover:bg-danger-hover',
  success: 'bg-success text-on-success',
  line: 'bg-surface text-text shadow-line hover:bg-surface-2',
  dangerLine: 'bg-surface text-danger shadow-line hover:bg-surface-2',
  ghost: 'text-primary hover:bg-surface-2',
  quiet: 'text-text-2 hover:bg-surface-2',
}

const SIZE = {
  normal: 'min-h-12 rounded-md px-5 py-2 text-16 lg:min-h-10 lg:rounded-ctl lg:px-4 lg:text-14',
  /** For buttons within text, a heading or a row. */
  small: 'min-h-11 rounded-md px-2.5 py-1 text-14 lg:min-h-9',
  large: 'min-h-13.5 w-full rounded-md px-5 py-2 text-16 lg:min-h-11.5 lg:rounded-ctl lg:text-15',
}

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  variant?: keyof typeof VARIANT
  size?: keyof typeof SIZE
  icon?: LucideIcon
  /** Shown with a spinner while the action runs. The button keeps its focus and ignores presses. */
  busy?: ReactNode
}

export function Button({ variant = 'primary', size = 'normal', icon, busy, children, ...rest }: ButtonProps) {
  const isBusy = Boolean(busy)
  return (
    <button
      type="button"
      {...rest}
      onClick={isBusy ? undefined : rest.onClick}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      className={classNames(BASE, VARIANT[variant], SIZE[size])}
    >
      {isBusy ? <Spinner /> : icon && <Icon of={icon} size={18} />}
      {isBusy ? busy : children}
    </button>
  )
}

const ICON_VARIANT = {
  plain: 'size-11 text-text-2 hover:bg-surface-2',
  /** In the colour of the surrounding text. */
  quiet: 'size-11 text-current hover:bg-surface-2',
  /** For dense layouts: small with a mouse, full size on touch screens. */
  quietSmall: 'size-8 text-current hover:bg-surface-2 pointer-coarse:size-11',
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'aria-label'> & {
  /** A Lucide icon, or the name of one in glyphs.css, which needs no element. */
  icon: LucideIcon | 'note' | 'move'
  label: string
  variant?: keyof typeof ICON_VARIANT
  /** Classes instead of the variant's. */
  look?: string
}

export function IconButton({ icon, label, variant = 'plain', look, ...rest }: IconButtonProps) {
  const isGlyph = typeof icon === 'string'
  return (
    <button
      type="button"
      {...rest}
      data-glyph={isGlyph ? icon : undefined}
      aria-label={label}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-md transition-colors disabled:opacity-40',
        look ?? ICON_VARIANT[variant],
      )}
    >
      {!isGlyph && <Icon of={icon} />}
    </button>
  )
}
