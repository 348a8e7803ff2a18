// A cell of the tables of plans and units: a field of text or a choice, with its fault below.
import type { ClipboardEvent, InputHTMLAttributes, KeyboardEvent } from 'react'
import { classNames } from '#ui/primitives/class-names.ts'
import type { Place } from './use-sheet.ts'

type SheetCellProps<Column extends string> = {
  /** Names the cell in `faults`. */
  id: string
  place: Place<Column>
  label: string
  value: string
  fault: string | undefined
  isOff: boolean
  onValue: (value: string) => void
  onKey: (event: KeyboardEvent, place: Place<Column>) => void
  onPaste: (event: ClipboardEvent, place: Place<Column>) => void
  onBlur?: (() => void) | undefined
  placeholder?: string | undefined
  inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode']
  /** Makes the cell a native select of these texts. */
  options?: readonly string[]
  className?: string | undefined
}

export function SheetCell<Column extends string>(props: SheetCellProps<Column>) {
  const { id, place, label, value, fault, isOff, onValue, onKey, onPaste, options, className } = props
  const shared = {
    'data-cell': `${place.row}.${place.cell}`,
    'aria-label': label,
    'aria-invalid': fault !== undefined,
    'aria-describedby': fault === undefined ? undefined : id,
    value,
    onBlur: props.onBlur,
    onKeyDown: (event: KeyboardEvent) => onKey(event, place),
    onPaste: (event: ClipboardEvent) => onPaste(event, place),
    className: classNames(
      'min-h-9 rounded-ctl px-2.5 tabular-nums outline-none focus-visible:shadow-input-focus pointer-coarse:min-h-11 pointer-coarse:text-16',
      fault === undefined ? 'shadow-line' : 'shadow-input-error',
      className,
    ),
  }
  return (
    <>
      {options ? (
        <select {...shared} disabled={isOff} onChange={({ target }) => onValue(target.value)}>
          {(options.includes(value) ? options : [...options, value]).map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          className={classNames('bg-surface', shared.className)}
          placeholder={props.placeholder}
          readOnly={isOff}
          autoComplete="off"
          inputMode={props.inputMode}
          maxLength={80}
          onChange={({ target }) => onValue(target.value)}
        />
      )}
      {fault !== undefined && (
        <span id={id} role="alert" className="block pt-1 text-12 text-danger">
          {fault}
        </span>
      )}
    </>
  )
}
