// Fields whose value is chosen, by the browser's own means: one of a list, a day. DESIGN-SYSTEM 9.
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { Icon } from './icon.tsx'

const BOX =
  'min-h-12 w-full min-w-0 rounded-md bg-surface px-3.5 text-16 text-text shadow-input outline-none focus-visible:shadow-input-focus lg:min-h-10 lg:rounded-ctl lg:text-14'

type SelectFieldProps = {
  label: string
  choices: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}

export function SelectField({ label, choices, value, onChange }: SelectFieldProps) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-13 font-medium text-text-2">
        {label}
      </label>
      <span className="relative">
        <select
          id={id}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className={`${BOX} appearance-none truncate pr-9`}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
        <Icon
          of={ChevronDown}
          size={18}
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-text-3"
        />
      </span>
    </div>
  )
}

type DateFieldProps = {
  label: string
  /** 'YYYY-MM-DD', or empty. */
  value: string
  min?: string | undefined
  max?: string | undefined
  onChange: (value: string) => void
}

export function DateField({ label, value, min, max, onChange }: DateFieldProps) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-13 font-medium text-text-2">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        min={min}
        max={max}
        onChange={({ target }) => onChange(target.value)}
        className={BOX}
      />
    </div>
  )
}
