// The actions for selected leads: transfer them, or clear the selection.
import { countOf } from '#domain/count.ts'
import { ArrowRightLeft, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import type { LeadToTransfer } from './receiver-list.tsx'
import { TransferDialog } from './transfer-dialog.tsx'
import { TRANSFER_SHORT } from './texts.ts'

const chosenCount = (count: number) => countOf(count, 'selecionado', 'selecionados')

type TransferBarProps = { leads: readonly LeadToTransfer[]; onClear: () => void }

export function TransferBar({ leads, onClear }: TransferBarProps) {
  const [isAsking, setAsking] = useState(false)
  const count = leads.length
  useEscape(count > 0, onClear)
  useBoardNext(count > 0)
  return (
    <>
      <output className="sr-only">{count > 0 && chosenCount(count)}</output>
      {count > 0 && (
        <section
          aria-label={chosenCount(count)}
          className="fixed inset-x-4 bottom-[calc(16px+var(--safe-bottom))] z-40 mx-auto flex max-w-max animate-rise flex-wrap max-[22rem]:max-w-none items-center justify-end gap-x-2 gap-y-1 rounded-lg bg-surface py-1.5 pr-1.5 pl-4 shadow-3"
        >
          <span aria-hidden className="flex-[1_0_auto] py-1 pr-2 text-14 font-semibold tabular-nums">
            {chosenCount(count)}
          </span>
          {/* In a narrow window or with large text, this action gets a line of its own. */}
          <span className="flex max-[22rem]:order-1 max-[22rem]:w-full max-[22rem]:pb-1 max-[22rem]:*:grow">
            <Button icon={ArrowRightLeft} onClick={() => setAsking(true)}>
              {TRANSFER_SHORT}
            </Button>
          </span>
          <IconButton icon={X} label="Limpar seleção" onClick={onClear} />
        </section>
      )}
      <TransferDialog
        isOpen={isAsking && count > 0}
        leads={leads}
        onClose={() => setAsking(false)}
        onDone={() => {
          setAsking(false)
          onClear()
        }}
      />
    </>
  )
}

/** When the bar disappears while it has the focus, the focus goes to the board's tab stop. */
function useBoardNext(isShown: boolean) {
  const wasShown = useRef(isShown)
  useEffect(() => {
    const hasGone = wasShown.current && !isShown
    wasShown.current = isShown
    if (!hasGone || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('main article[tabindex="0"]')?.focus({ preventScroll: true })
  }, [isShown])
}

/** Clears the selection on Escape, unless a dialog, a drag or a field handles the key. */
function useEscape(isOn: boolean, run: () => void) {
  const clear = useEffectEvent(run)
  useEffect(() => {
    if (!isOn) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.matches('input:not([type=checkbox]), textarea')
      const isTaken =
        event.defaultPrevented || isTyping || document.querySelector('dialog[open], [data-dragging]')
      if (event.key === 'Escape' && !isTaken) clear()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOn])
}
