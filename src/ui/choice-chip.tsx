// A chip in the hue of what is chosen; opens the other choices as a menu, on phones as a sheet. DESIGN-SYSTEM 9.
import { ChevronDown } from 'lucide-react'
import { type ToggleEvent, useId, useRef, useState } from 'react'
import { type Choice, Choices } from './choices.tsx'
import { Dialog } from './dialog.tsx'
import { hueOf } from './hue.ts'
import { Icon } from './icon.tsx'
import { useMedia, WIDE } from './media.ts'

type ChoiceChipProps = {
  /** What is chosen here: 'Status'. */
  name: string
  /** Heads the sheet. */
  title: string
  choices: readonly Choice[]
  value: string
  onChoose: (value: string) => void
}

const CHIP =
  'relative inline-flex h-9 min-w-0 items-center gap-1.5 rounded-full bg-hue-bg pr-2.5 pl-3 text-14 font-semibold text-hue-fg ' +
  'after:absolute after:-inset-y-1 after:inset-x-0'

export function ChoiceChip(props: ChoiceChipProps) {
  const isWide = useMedia(WIDE)
  return isWide ? <MenuChip {...props} /> : <SheetChip {...props} />
}

function SheetChip(props: ChoiceChipProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button
        type="button"
        aria-haspopup="menu"
        data-hue={hueOf(props.value)}
        onClick={() => setOpen(true)}
        className={CHIP}
      >
        <ChipWords {...props} />
      </button>
      <Dialog isOpen={isOpen} onClose={close} title={props.title}>
        <Choices {...props} onDone={close} />
      </Dialog>
    </>
  )
}

/** The native popover closes by itself on Escape, which then leaves the dialog around it open, and on a press beside it. */
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
        data-hue={hueOf(props.value)}
        className={CHIP}
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

function ChipWords({ name, choices, value }: ChoiceChipProps) {
  return (
    <>
      <span aria-hidden className="size-2 shrink-0 rounded-full bg-hue-dot" />
      <span className="truncate">
        <span className="sr-only">{name}: </span>
        {choices.find((choice) => choice.value === value)?.label ?? value}
      </span>
      <Icon of={ChevronDown} size={16} />
    </>
  )
}
