// A labelled on/off setting.
import { useId } from 'react'
import { classNames } from '../primitives/class-names.ts'

type SwitchProps = {
  label: string
  hint?: string
  isOn: boolean
  /** True if only screen readers get the label, because the row around the switch has it as text. */
  isBare?: boolean
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}

export function Switch({ label, hint, isOn, isBare = false, isDisabled = false, onChange }: SwitchProps) {
  const hintId = useId()
  return (
    <label
      className={classNames(
        'relative flex items-center rounded-lg has-focus-visible:shadow-focus',
        !isDisabled && 'cursor-pointer',
        isBare ? 'min-h-11 px-2' : 'min-h-14 gap-3.5 px-4 py-2',
      )}
    >
      <span className={isBare ? 'sr-only' : 'min-w-0 grow'}>
        <span className={classNames('block text-16', isDisabled && 'text-text-3')}>{label}</span>
        {hint && (
          <span id={hintId} className="mt-0.5 block text-13 leading-snug text-text-3">
            {hint}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-describedby={hint && hintId}
        aria-checked={isOn}
        checked={isOn}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
        className="peer sr-only"
      />
      <span
        aria-hidden
        className="relative h-6 w-10 shrink-0 rounded-full bg-border-strong transition-colors peer-checked:bg-primary after:absolute after:top-0.75 after:left-0.75 after:size-4.5 after:rounded-full after:bg-surface after:transition-transform peer-checked:after:translate-x-4 peer-disabled:opacity-50 forced-colors:border"
      />
    </label>
  )
}
