// Two segmented controls: the tabs of a page, and a choice among two to four options.
import { type KeyboardEvent, useId } from 'react'

const TROUGH = 'scrollbar-none flex min-h-11 min-w-0 overflow-x-auto rounded-md bg-segments p-0.75'
const SEGMENT =
  'relative flex shrink-0 items-center justify-center rounded-seg px-3.25 text-14 font-medium text-text-2 whitespace-nowrap after:absolute after:-inset-y-0.75 after:inset-x-0 '

type Item = { value: string; label: string }

type TabsProps = {
  label: string
  items: readonly Item[]
  /** Null if no tab is chosen. */
  value: string | null
  onChoose: (value: string) => void
  /** The id of the panel that the tabs control. */
  panelId: string
}

const STEP: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** Tab reaches the tabs once; arrow keys choose among them. */
export function Tabs({ label, items, value, onChoose, panelId }: TabsProps) {
  // Closer together, five tabs fit on a phone; the last one would be out of sight.
  const room = items.length > 4 ? 'max-[27rem]:px-1.25! ' : ''
  const at = items.findIndex((item) => item.value === value)
  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = STEP[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = items.at((at + step) % items.length)
    if (!next) return
    onChoose(next.value)
    event.currentTarget.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus()
  }
  return (
    // The tabs inside take the focus.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div role="tablist" aria-label={label} onKeyDown={walk} className={TROUGH}>
      {items.map((item, index) => (
        <button
          key={item.value}
          type="button"
          role="tab"
          data-value={item.value}
          aria-selected={item.value === value}
          aria-controls={panelId}
          tabIndex={index === Math.max(at, 0) ? 0 : -1}
          onClick={() => onChoose(item.value)}
          className={`${SEGMENT}${room}aria-selected:bg-segment aria-selected:font-semibold aria-selected:text-text aria-selected:shadow-1`}
        >
          {item.label}
        </button>
      ))}
    </div>
  )
}

type SegmentsProps<T extends string> = {
  label: string
  items: readonly { value: T; label: string }[]
  value: T
  onChoose: (value: T) => void
}

/** A choice as radio buttons. In narrow windows there are two in a row. */
export function Segments<T extends string>({ label, items, value, onChoose }: SegmentsProps<T>) {
  const name = useId()
  return (
    <fieldset>
      <legend className="pb-2 text-14 font-semibold">{label}</legend>
      <div className="grid grid-cols-2 gap-y-0.75 rounded-md bg-segments p-0.75 md:flex">
        {items.map((item) => (
          <label
            key={item.value}
            className={`${SEGMENT}min-h-11 grow cursor-pointer px-2.5! has-checked:bg-segment has-checked:font-semibold has-checked:text-text has-checked:shadow-1 has-focus-visible:shadow-focus pointer-fine:min-h-9`}
          >
            <input
              type="radio"
              name={name}
              value={item.value}
              checked={item.value === value}
              onChange={() => onChoose(item.value)}
              className="sr-only"
            />
            {item.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
