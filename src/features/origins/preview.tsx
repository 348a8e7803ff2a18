// The preview of a file with spend: the lines that were read and those that are refused.
import { countOf } from '#domain/count.ts'
import { formatMoney, monthName, originLabel } from '#domain/origins/costs.ts'
import type { SpendFile, SpendLine } from '#domain/origins/spend-file.ts'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { KIND_NAME, LINE_FAULT } from './texts.ts'

/** Further lines are only counted. */
const SHOWN = 100

export function SpendPreview({ file, today }: { file: SpendFile; today: string }) {
  const { lines, refused, skipped, kind } = file
  const empty = skipped.filter(({ why }) => why === 'empty').length
  return (
    <>
      <p className="text-14 text-text-2">
        {`${KIND_NAME[kind]}. ${sumsText(lines)}${totalText(file)}`}
        {empty > 0 && ` ${countOf(empty, 'linha sem valor ficou', 'linhas sem valor ficaram')} de fora.`}
      </p>
      {lines.length > 0 && (
        <div className="max-h-80 overflow-y-auto rounded-md shadow-line">
          <Table
            label="Gastos do arquivo"
            columns={columnsOf(today)}
            rows={lines.slice(0, SHOWN)}
            keyOf={({ origin, campaign, campaignId, month, currency }) =>
              JSON.stringify([origin, campaign, campaignId, month, currency])
            }
          />
        </div>
      )}
      {lines.length > SHOWN && <p className="text-13 text-text-3">{`E mais ${lines.length - SHOWN}.`}</p>}
      {refused.length > 0 && (
        <section aria-label="Linhas recusadas">
          <h3 className="pb-1 text-14 font-semibold text-on-warning-soft">
            {countOf(refused.length, 'linha recusada', 'linhas recusadas')}
          </h3>
          <ul className="flex max-h-40 flex-col gap-1 overflow-y-auto text-13 text-text-2">
            {refused.slice(0, SHOWN).map(({ line, why, shown }) => (
              <li key={`${line} ${shown}`} className="wrap-anywhere">
                {`Linha ${line}: ${LINE_FAULT[why]}. ${shown}`}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const columnsOf = (today: string): Column<SpendLine>[] => [
  {
    title: 'Campanha',
    place: 'head',
    cell: ({ origin, campaign, campaignId }) => (
      <span className="font-medium">
        {campaign || `${originLabel(origin)}, inteira`}
        <span className="block text-12 font-regular text-text-3">
          {[originLabel(origin), campaignId].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  { title: 'Mês', isPlain: true, cell: ({ month }) => monthName(month, today) },
  { title: 'Gasto', isNumber: true, cell: ({ cents, currency }) => formatMoney(cents, currency) },
]

/** The number of lines, and their sum in each currency. */
function sumsText(lines: readonly SpendLine[]): string {
  const sums = new Map<string, number>()
  for (const { currency, cents } of lines) sums.set(currency, (sums.get(currency) ?? 0) + cents)
  const shown = [...sums].map(([currency, cents]) => formatMoney(cents, currency)).join(' e ')
  return `${countOf(lines.length, 'gasto', 'gastos')}${shown && `, ${shown}`}.`
}

/** Warns if the file's own total differs from the sum of its lines, as when a campaign is missing. */
function totalText({ lines, total }: SpendFile): string {
  const sum = lines.reduce((all, { cents }) => all + cents, 0)
  if (total === null || Math.abs(total - sum) <= lines.length) return ''
  return ` O total do arquivo é ${formatMoney(total, lines[0]?.currency)}: confira se falta alguma campanha.`
}
