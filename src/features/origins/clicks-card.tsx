// The click ids of a month's leads. The newest are shown and can be copied; a file has them all.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Copy, Download } from 'lucide-react'
import { formatNumber } from '#domain/count.ts'
import { toCsv } from '#domain/csv.ts'
import { formatDateTime } from '#domain/format.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { sourceLabel } from '#domain/lead/source.ts'
import { copyText } from '#ui/clipboard.ts'
import { download } from '#ui/download.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { EXPORT_FAILED, EXPORTING } from '#ui/texts.ts'
import { allClicks, type Click, clicksQuery } from './data.ts'

/** How many of the newest are shown. The file has all. */
const SHOWN = 3
const HEADER = ['Recebido em', 'Lead', 'Telefone', 'Origem', 'Campanha', 'Tipo', 'Código']

export function ClicksCard({ month }: { month: string }) {
  const read = useQuery(clicksQuery(month))
  const save = useMutation({
    ...allClicks(month),
    onSuccess: (clicks) =>
      download(`cliques-${month}.csv`, toCsv(HEADER, clicks.map(rowOf)), 'text/csv;charset=utf-8'),
    onError: () => toast(EXPORT_FAILED, 'error'),
  })
  const { data } = read
  return (
    <section aria-label="Código do clique" className="overflow-hidden rounded-card bg-surface shadow-card">
      <div className="px-5 pt-4 pb-3">
        <h2 className="text-15 font-semibold">Código do clique</h2>
        <p className="text-13 text-text-3">Chegou com o lead. Use para devolver a venda ao anúncio.</p>
      </div>
      {!data &&
        (read.error ? <FailedRead of={read} isRow /> : <Skeleton className="mx-5 mb-4 h-24 rounded-md!" />)}
      {data?.count === 0 && (
        <p className="border-t border-border px-5 py-3 text-13 text-text-3">Nenhum código neste mês.</p>
      )}
      <ul>
        {data?.clicks.slice(0, SHOWN).map((click) => (
          <li
            key={`${click.id} ${click.kind} ${click.value}`}
            className="flex items-center justify-between gap-2 border-t border-border py-1 pr-2 pl-5"
          >
            <span className="min-w-0 py-1.5 text-14 font-medium">
              <span className="block truncate">{leadTitle(click)}</span>
              <span className="block font-mono text-12 font-regular text-text-3">
                {click.kind} {shortened(click.value)}
              </span>
            </span>
            <IconButton
              icon={Copy}
              label={`Copiar o código de ${leadTitle(click)}`}
              onClick={() => void copy(click.value)}
            />
          </li>
        ))}
      </ul>
      {data && data.count > 0 && (
        <div className="border-t border-border px-3 py-1.5">
          <Button
            variant="ghost"
            size="small"
            icon={Download}
            busy={save.isPending && EXPORTING}
            onClick={() => save.mutate()}
          >
            {data.count === 1 ? 'Baixar o código' : `Baixar os ${formatNumber(data.count)} códigos`}
          </Button>
        </div>
      )}
    </section>
  )
}

const shortened = (value: string) => (value.length <= 12 ? value : `${value.slice(0, 6)}…${value.slice(-3)}`)

const copy = async (value: string) =>
  toast((await copyText(value)) ? 'Código copiado' : 'Não foi possível copiar.', 'info')

const rowOf = ({ at, name, number, source, campaign, kind, value }: Click) => [
  formatDateTime(Date.parse(at)),
  name,
  number,
  sourceLabel(source),
  campaign,
  kind,
  value,
]
