// A file's sheets as chips: which are imported, and which one is previewed.
import { Check, Plus } from 'lucide-react'
import { formatNumber } from '#domain/count.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import type { Choices } from './plan.ts'
import { noContactsText } from './texts.ts'

const CHIP =
  'inline-flex min-h-11 max-w-full items-center gap-2 rounded-ctl px-3 text-14 font-medium transition-colors pointer-fine:min-h-9 ' +
  'bg-surface text-text-2 shadow-line hover:bg-surface-2 disabled:bg-surface-3 disabled:text-text-3 disabled:shadow-none ' +
  'aria-pressed:bg-primary-soft aria-pressed:text-on-primary-soft aria-pressed:shadow-chosen'

type SheetChipsProps = {
  choices: Choices
  isDisabled: boolean
  onTake: (index: number, isTaken: boolean) => void
  onShow: (index: number) => void
}

/** The chips are hidden if the file has only one sheet. */
export function SheetChips({ choices: { sheets, shown }, isDisabled, onTake, onShow }: SheetChipsProps) {
  if (sheets.length < 2) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <fieldset className="flex min-w-0 grow flex-wrap items-center gap-2">
        <legend className="float-left pr-2 text-14">Planilhas</legend>
        {sheets.map(({ head, isTaken }, n) => (
          <button
            // The index is the key, because two sheets may have the same name.
            key={n}
            type="button"
            aria-pressed={isTaken}
            disabled={isDisabled || (!head.hasContacts && !isTaken)}
            onClick={() => onTake(n, !isTaken)}
            className={CHIP}
          >
            {(head.hasContacts || isTaken) && <Icon of={isTaken ? Check : Plus} size={16} />}
            <span className="min-w-0 truncate">
              {head.name}
              {head.isHidden && ' · oculta'}
              {!head.hasContacts && noContactsText(head.total)}
            </span>
            {head.hasContacts && <span className="tabular-nums">{formatNumber(head.total)}</span>}
          </button>
        ))}
      </fieldset>
      <label className="flex items-center gap-2 text-14 text-text-2">
        Vendo:
        <select
          value={shown}
          onChange={({ target }) => onShow(Number(target.value))}
          className="min-h-11 max-w-48 truncate rounded-ctl bg-surface px-2 text-16 text-text shadow-input pointer-fine:min-h-9 lg:text-14"
        >
          {sheets.map(({ head }, n) => (
            <option key={n} value={n}>
              {head.name}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
