// The field for an amount that was spent. Enter or leaving saves it, Escape cancels, and an empty field removes it.
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { formatMoney, readMoney } from '#domain/origins/costs.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { saveSpend } from './data.ts'

type SpendFieldProps = {
  /** `campaign` '': the whole origin. */
  line: { origin: string; campaign: string }
  month: string
  cents: number | null
  /** For example 'Gasto de Lançamento em novembro'. */
  label: string
  onFocus?: () => void
  /** True: a press has opened the field, so it takes the focus. */
  isOpened?: boolean
}

const SAVED_MS = 2_000
const WRONG = 'Escreva um valor como 1.250,50.'

export function SpendField({ line, month, cents, label, onFocus, isOpened = false }: SpendFieldProps) {
  const shown = cents === null ? '' : formatMoney(cents)
  const [text, setText] = useState<string | null>(null)
  const [isSaved, setSaved] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const isOnline = useIsOnline()
  const save = useMutation({
    ...saveSpend(line),
    onSuccess: () => {
      setText(null)
      setSaved(true)
    },
  })
  useEffect(() => {
    if (!isSaved) return undefined
    const timer = setTimeout(() => setSaved(false), SAVED_MS)
    return () => clearTimeout(timer)
  }, [isSaved])
  useEffect(() => {
    if (isOpened) input.current?.focus()
  }, [isOpened])
  const value = text === null ? cents : readMoney(text)
  const fault = value === undefined ? WRONG : (save.error?.message ?? null)
  const keep = () => {
    if (value === undefined || save.isPending) return
    if (value === cents) setText(null)
    else save.mutate({ month, cents: value })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') keep()
    if (event.key !== 'Escape' || text === null) return
    event.preventDefault()
    save.reset()
    setText(null)
  }
  return (
    <span className="inline-flex flex-col items-end">
      <input
        ref={input}
        value={text ?? shown}
        aria-label={label}
        aria-invalid={fault !== null && text !== null}
        placeholder="R$"
        inputMode="decimal"
        maxLength={20}
        disabled={!isOnline}
        title={isOnline ? undefined : ONLINE_ONLY}
        onFocus={onFocus}
        onChange={({ target }) => {
          save.reset()
          setText(target.value)
        }}
        onBlur={keep}
        onKeyDown={onKeyDown}
        className={classNames(
          'min-h-11 w-30 rounded-ctl bg-surface px-3 text-right text-16 text-text tabular-nums shadow-line outline-none focus-visible:shadow-input-focus disabled:text-text-3 lg:min-h-9 lg:text-14',
          fault !== null && text !== null && 'shadow-input-error',
        )}
      />
      <output className="text-12 text-text-3 empty:hidden">{isSaved && text === null && 'Salvo'}</output>
      {fault !== null && text !== null && (
        <span role="alert" className="max-w-44 text-12 text-danger">
          {fault}
        </span>
      )}
    </span>
  )
}
