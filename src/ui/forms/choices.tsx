// A menu in which one option is selected. Each option has its hue.
import { Check } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { hueOf } from '../primitives/hue.ts'
import { Icon } from '../primitives/icon.tsx'
import { moveMenuFocus } from '../primitives/overlay/menu-keys.ts'

export type Choice = {
  value: string
  label: string
  /** The option's own hue. If undefined, the hue is derived from the value. */
  hue?: string | undefined
  /** A short text at the end of the option; screen readers read `spoken` instead. */
  note?: { text: string; spoken: string }
}

type ChoicesProps = {
  name: string
  choices: readonly Choice[]
  value: string
  onChoose: (value: string) => void
  /** Called for any choice, also of the present option. */
  onDone: () => void
}

/** A menu, because arrow keys in radio buttons would choose while moving. */
export function Choices({ name, choices, value, onChoose, onDone }: ChoicesProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus(), [])
  const choose = (chosen: string) => {
    onDone()
    if (chosen !== value) onChoose(chosen)
  }
  return (
    // Its items take the focus.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      ref={list}
      role="menu"
      aria-label={name}
      onKeyDown={(event) => moveMenuFocus(event, '[role="menuitemradio"]')}
    >
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="menuitemradio"
          aria-checked={choice.value === value}
          data-hue={hueOf(choice.value, choice.hue)}
          onClick={() => choose(choice.value)}
          className="flex min-h-14 w-full items-center gap-3.5 rounded-lg px-4 text-left text-16 transition-colors hover:bg-surface-2 aria-checked:bg-hue-bg aria-checked:font-semibold aria-checked:text-hue-fg md:min-h-10 md:pointer-coarse:min-h-11 md:gap-3 md:rounded-md md:px-3 md:text-14"
        >
          <span aria-hidden className="size-3 shrink-0 rounded-full bg-hue-dot md:size-2" />
          <span className="min-w-0 grow wrap-anywhere">{choice.label}</span>
          {choice.note && (
            <span className="tabular-nums opacity-80">
              <span aria-hidden>{choice.note.text}</span>
              <span className="sr-only">, {choice.note.spoken}</span>
            </span>
          )}
          <span className="flex w-5 shrink-0">{choice.value === value && <Icon of={Check} />}</span>
        </button>
      ))}
    </div>
  )
}
