// A chip or field with the chosen option in its hue. It opens the others as a menu, on phones as a sheet.
import { ChevronDown } from 'lucide-react'
import { type ToggleEvent, useId, useRef, useState } from 'react'
import { type Choice, Choices } from './choices.tsx'
import { Dialog } from '../primitives/overlay/dialog.tsx'
import { hueOf } from '../primitives/hue.ts'
import { Icon } from '../primitives/icon.tsx'
import { useMedia, WIDE } from '../media.ts'

type ChoiceChipProps = {
  /** The field's name, such as 'Status'. */
  name: string
  /** The title of the sheet. */
  title: string
  choices: readonly Choice[]
  value: string
  onChoose: (value: string) => void
  look?: keyof typeof VARIANTS
  /** Shown while no option is chosen. */
  placeholder?: string
}

const VARIANTS = {
  chip:
    'relative inline-flex h-9 min-w-0 items-center gap-1.5 rounded-full bg-hue-bg pr-2.5 pl-3 text-14 font-semibold text-hue-fg ' +
    'after:absolute after:-inset-y-1 after:inset-x-0',
  field:
    'flex min-h-13 w-full items-center gap-3.5 rounded-md bg-surface pr-3 pl-4 text-left text-16 shadow-input lg:min-h-11.5 lg:rounded-ctl lg:text-15',
}

export function ChoiceChip(props: ChoiceChipProps) {
  const isWide = useMedia(WIDE)
  return isWide ? <MenuChip {...props} /> : <SheetChip {...props} />
}

const hueOfChosen = ({ choices, value }: ChoiceChipProps) =>
  hueOf(value, choices.find((choice) => choice.value === value)?.hue)

function SheetChip(props: ChoiceChipProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button
        type="button"
        aria-haspopup="menu"
        data-hue={hueOfChosen(props)}
        onClick={() => setOpen(true)}
        className={VARIANTS[props.look ?? 'chip']}
      >
        <ChipWords {...props} />
      </button>
      <Dialog isOpen={isOpen} onClose={close} title={props.title}>
        <Choices {...props} onDone={close} />
      </Dialog>
    </>
  )
}

/** A native popover, because it closes on a press outside, and on Escape without closing the dialog around it. */
function MenuChip(props: ChoiceChipProps) {
  const id = useId()
  const chip = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)

  const place = ({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) => {
    const box = chip.current?.getBoundingClientRect()
    if (newState !== 'open' || !box) return
    currentTarget.style.top = `${box.bottom + 6}px`
    currentTarget.style.right = `${document.documentElement.clientWidth - box.right}px`
    currentTarget.style.minWidth = `${box.width}px`
  }
  const follow = ({ newState }: ToggleEvent<HTMLDivElement>) => {
    setOpen(newState === 'open')
  }

  return (
    <>
      <button
        ref={chip}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        data-hue={hueOfChosen(props)}
        className={VARIANTS[props.look ?? 'chip']}
      >
        <ChipWords {...props} />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        onBeforeToggle={place}
        onToggle={follow}
        className="fixed inset-auto m-0 max-h-[60dvh] w-60 overflow-y-auto rounded-lg bg-surface p-1.5 text-text shadow-3"
      >
        {isOpen && <Choices {...props} onDone={() => menu.current?.hidePopover()} />}
      </div>
    </>
  )
}

/** With large text, a field's note wraps to the next line. */
const WORDS = 'flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-3 py-1'

function ChipWords({ name, choices, value, look = 'chip', placeholder }: ChoiceChipProps) {
  const chosen = choices.find((choice) => choice.value === value)
  const label = chosen?.label ?? placeholder ?? value
  return (
    <>
      <span aria-hidden className="size-2 shrink-0 rounded-full bg-hue-dot" />
      <span className={look === 'chip' ? 'truncate' : WORDS}>
        <span className="sr-only">{name}: </span>
        <span className="wrap-anywhere">{label}</span>
        {look === 'field' && chosen?.note && (
          <span className="text-14 text-text-3 tabular-nums">{chosen.note.spoken}</span>
        )}
      </span>
      <Icon of={ChevronDown} size={16} />
    </>
  )
}
