// Chips: toggles of which any number is chosen, and a filter with one active choice.
import { Check, type LucideIcon, Plus } from 'lucide-react'
import { useId } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

export type ChipChoice = { value: string; label: string; count?: number }

type ToggleChipsProps = {
  label: string
  /** The heading level of the label. */
  heading?: 'h2' | 'h3'
  choices: readonly ChipChoice[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

const CHIP =
  'inline-flex min-h-11 max-w-full items-center gap-2 rounded-ctl px-3 text-14 font-medium transition-colors pointer-fine:min-h-9 ' +
  'bg-surface text-text-2 shadow-line hover:bg-surface-2 aria-pressed:bg-primary-soft aria-pressed:text-on-primary-soft aria-pressed:shadow-chosen'

/** `onChange` gets the values in the order of the choices, not of the presses. */
export function ToggleChips({ label, heading: Heading = 'h3', choices, chosen, onChange }: ToggleChipsProps) {
  const labelId = useId()
  const isChosen = (value: string) => chosen.includes(value)
  const isAll = choices.length > 0 && choices.every(({ value }) => isChosen(value))
  const values = choices.map(({ value }) => value)
  const toggle = (value: string) =>
    onChange(values.filter((other) => (other === value ? !isChosen(value) : isChosen(other))))
  return (
    <section aria-labelledby={labelId}>
      <div className="flex min-h-11 items-center justify-between gap-3">
        <Heading id={labelId} className="text-14 font-semibold">
          {label}
        </Heading>
        <button
          type="button"
          aria-pressed={isAll}
          onClick={() => onChange(isAll ? [] : values)}
          className="min-h-11 rounded-sm px-2 text-14 font-semibold text-primary"
        >
          {`Todos (${choices.length})`}
        </button>
      </div>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ value, label: text, count }) => (
          <button
            key={value}
            type="button"
            aria-pressed={isChosen(value)}
            onClick={() => toggle(value)}
            className={CHIP}
          >
            <Icon of={isChosen(value) ? Check : Plus} size={16} />
            <span className="min-w-0 truncate">{text}</span>
            {count !== undefined && (
              <span className={classNames('tabular-nums', !isChosen(value) && 'text-text-3')}>
                {count.toLocaleString('pt-BR')}
              </span>
            )}
          </button>
        ))}
      </div>
    </section>
  )
}

export type FilterChoice<V extends string> = {
  value: V
  label: string
  count?: number | undefined
  /** The icon of a choice that lists what needs care; the chip has the colour of warnings then. */
  warning?: LucideIcon
}

type FilterChipsProps<V extends string> = {
  label: string
  choices: readonly FilterChoice<V>[]
  chosen: V
  onChoose: (value: V) => void
}

/** A list's filter, with one active choice. */
export function FilterChips<V extends string>({ label, choices, chosen, onChoose }: FilterChipsProps<V>) {
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">{label}</legend>
      {choices.map(({ value, label: text, count, warning }) => (
        <button
          key={value}
          type="button"
          aria-pressed={chosen === value}
          onClick={() => onChoose(value)}
          className={classNames(
            'min-h-9 rounded-full px-2.5 text-13 font-medium shadow-line transition-colors hover:bg-surface-2 aria-pressed:bg-primary-soft aria-pressed:text-on-primary-soft aria-pressed:shadow-none pointer-coarse:min-h-11',
            warning ? 'inline-flex items-center gap-1.5 text-warning' : 'text-text-2',
          )}
        >
          {warning && <Icon of={warning} size={16} />}
          {text}{' '}
          {count !== undefined && <span className="tabular-nums">{count.toLocaleString('pt-BR')}</span>}
        </button>
      ))}
    </fieldset>
  )
}
