// The check of a list before its import: how many rows are valid, which are not and why, cells with two numbers.
import { useState } from 'react'
import { formatNumber } from '#domain/count.ts'
import { FAULT_TEXT } from '#domain/lead/list/fields.ts'
import { Button } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import type { Checked, RefusedLine } from './list-protocol.ts'
import { lineText, othersText, refusedTitle, repeatedText, severalNumbersText } from './texts.ts'

const CARD = 'rounded-lg bg-surface shadow-line'
const FIRST = 4

type FindingsProps = {
  checked: Checked
  /** How many people can become leads. */
  good: number
  /** How many of these people are leads already; undefined until the portal has answered. */
  known: number | undefined
  /** Null if the sheet has no name, or is the only one. */
  sheetName: (sheet: number) => string | null
  areaCode: string
  isDisabled: boolean
  onAreaCode: (areaCode: string) => void
}

export function Findings({
  checked,
  good,
  known,
  sheetName,
  areaCode,
  isDisabled,
  onAreaCode,
}: FindingsProps) {
  const { repeated, refused, faults, severalNumbers, usualAreaCode } = checked
  const lost = faults.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className="flex flex-col gap-3">
      <dl className={classNames(CARD, 'grid grid-cols-3 divide-x divide-border')}>
        <Figure label="Entram" value={good - (known ?? 0)} />
        <Figure label="Já existem" value={known} />
        <Figure label="Recusadas" value={lost} isBad={lost > 0} />
      </dl>
      {lost > 0 && (
        <section aria-label={refusedTitle(lost)} className={CARD}>
          <h3 className="px-4 py-3 text-15 font-semibold">{refusedTitle(lost)}</h3>
          <ul className="text-13 text-text-2">
            {faults.map(({ fault, count }) => (
              <li key={fault} className="flex items-center gap-3 border-t border-border px-4 py-2">
                <span className="min-w-0 grow">{FAULT_TEXT[fault]}</span>
                <span className="tabular-nums">{formatNumber(count)}</span>
                {fault === 'half-phone' && usualAreaCode !== null && (
                  <Button
                    variant="soft"
                    size="small"
                    disabled={isDisabled}
                    onClick={() => onAreaCode(usualAreaCode)}
                  >
                    {`Usar ${usualAreaCode}`}
                  </Button>
                )}
              </li>
            ))}
          </ul>
          <RefusedLines lines={refused} total={lost} sheetName={sheetName} />
        </section>
      )}
      {areaCode !== '' && (
        <section className={classNames(CARD, 'flex items-center gap-3 px-4 py-3 text-14')}>
          <p className="min-w-0 grow">{`Telefones sem DDD entram com o ${areaCode}.`}</p>
          <Button variant="ghost" size="small" disabled={isDisabled} onClick={() => onAreaCode('')}>
            Desfazer
          </Button>
        </section>
      )}
      {repeated > 0 && (
        <section className={classNames(CARD, 'px-4 py-3')}>
          <h3 className="text-15 font-semibold">Repetidas</h3>
          <p className="text-13 leading-body text-text-2">{repeatedText(repeated)}</p>
        </section>
      )}
      {severalNumbers > 0 && (
        <section className={classNames(CARD, 'px-4 py-3')}>
          <h3 className="text-15 font-semibold">Mais de um telefone</h3>
          <p className="text-13 leading-body text-text-2">{severalNumbersText(severalNumbers)}</p>
        </section>
      )}
    </div>
  )
}

function Figure({
  label,
  value,
  isBad = false,
}: {
  label: string
  value: number | undefined
  isBad?: boolean
}) {
  return (
    <div className="px-4 py-3">
      <dt className="text-13 text-text-2">{label}</dt>
      <dd className={classNames('text-20 font-semibold tabular-nums', isBad && 'text-danger')}>
        {value === undefined ? '–' : formatNumber(value)}
      </dd>
    </div>
  )
}

type RefusedLinesProps = {
  lines: readonly RefusedLine[]
  total: number
  sheetName: (sheet: number) => string | null
}

function RefusedLines({ lines, total, sheetName }: RefusedLinesProps) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? lines : lines.slice(0, FIRST)
  return (
    <>
      <ul className="max-h-80 overflow-y-auto">
        {shown.map(({ sheet, line, fault, shown: text }) => (
          <li key={`${sheet} ${line}`} className="border-t border-border px-4 py-2 text-14">
            <span className="block wrap-anywhere">{text === '' ? FAULT_TEXT[fault] : text}</span>
            <span className="block text-13 text-text-3 tabular-nums">{lineText(sheetName(sheet), line)}</span>
          </li>
        ))}
      </ul>
      {!isWhole && lines.length > FIRST && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="min-h-11 w-full border-t border-border px-4 text-left text-14 font-semibold text-primary"
        >
          {othersText(Math.min(lines.length, total) - FIRST)}
        </button>
      )}
    </>
  )
}
