// Shows what a reading would change: four figures, and the changes by kind. Nothing changes before the user presses
// 'Aplicar'.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { countOf } from '#domain/count.ts'
import { shortReais } from '#domain/development/price-words.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { FilterChips } from '#ui/primitives/chips.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { Table, type Column } from '#ui/primitives/table.tsx'
import { SAVE_ONLINE } from '../texts.ts'
import { applyRun, changesQuery, type ChangeKind, type FeedChange, type WaitingRun } from './feed-data.ts'

const KIND = {
  gone: { label: 'Sumiu', tone: 'warning' },
  changed: { label: 'Mudou', tone: 'info' },
  new: { label: 'Novo', tone: 'success' },
} as const
const FIELD: Record<string, string> = { price: 'Preço', text: 'Texto', photos: 'Fotos', data: 'Dados' }
const KEPT = 'kept-'
/** For example 'Texto, preço mantido'. */
const fieldWords = (field: string) =>
  field.startsWith(KEPT) ? `${FIELD[field.slice(KEPT.length)] ?? field} mantido` : (FIELD[field] ?? field)

function whatChanges({ kind, fields, development }: FeedChange): string {
  if (kind === 'gone') return 'Não está mais no feed'
  if (fields.includes('back')) return 'Voltou ao feed'
  if (kind === 'new') return development === null ? 'Imóvel novo' : `Imóvel novo de ${development}`
  return fields.map(fieldWords).join(', ')
}

export type ShownKind = ChangeKind | 'all'

type PreviewCardProps = { run: WaitingRun; kind: ShownKind; onKind: (kind: ShownKind) => void }

/** The field in which an administrator confirms a refused reading. */
export const CONFIRM_ID = 'feed-confirm'

export function PreviewCard({ run, kind, onKind }: PreviewCardProps) {
  const { added, changed, gone, total } = run
  // Listings that the feed no longer has are removed only if the user ticks them.
  const [flipped, setFlipped] = useState<ReadonlySet<string>>(new Set())
  const [takesGone, setTakesGone] = useState(false)
  const isTaken = (change: FeedChange) =>
    (change.kind === 'gone' ? takesGone : true) !== flipped.has(change.code)
  const flip = ({ code }: FeedChange) =>
    setFlipped((before) => {
      const after = new Set(before)
      if (!after.delete(code)) after.add(code)
      return after
    })
  const all = added + changed + gone
  return (
    <section aria-label="O que muda" className="overflow-hidden rounded-lg bg-surface shadow-card">
      <dl className="grid grid-cols-2 min-[48rem]:grid-cols-4">
        <Figure
          label="Novos"
          count={added}
          note={
            run.newDevelopments > 0
              ? countOf(run.newDevelopments, 'empreendimento novo', 'empreendimentos novos')
              : 'ainda não estão no portal'
          }
        />
        <Figure label="Mudaram" count={changed} note="preço, texto, fotos ou dados" />
        <Figure label="Iguais" count={total - added - changed} note="sem diferença" />
        <Figure label="Sumiram" count={gone} note="desmarcados: confira" isWarning={gone > 0} />
      </dl>
      <div className="flex flex-wrap items-center gap-3 border-t border-border px-4 py-2.5 lg:px-5">
        <FilterChips
          label="Mudanças"
          chosen={kind}
          onChoose={onKind}
          choices={[
            { value: 'all', label: 'Tudo que muda', count: all },
            { value: 'new', label: 'Novos', count: added },
            { value: 'changed', label: 'Mudaram', count: changed },
            { value: 'gone', label: 'Sumiram', count: gone },
          ]}
        />
        {gone > 0 && (
          <label className="ml-auto flex min-h-11 cursor-pointer items-center gap-2 text-13 text-text-2">
            <input
              type="checkbox"
              className="size-4.5 accent-primary"
              checked={takesGone}
              onChange={({ target }) => setTakesGone(target.checked)}
            />
            Marcar os que sumiram
          </label>
        )}
      </div>
      <Changes run={run} kind={kind === 'all' ? null : kind} isTaken={isTaken} onFlip={flip} />
      <ApplyBar run={run} flipped={flipped} takesGone={takesGone} />
    </section>
  )
}

type FigureProps = { label: string; count: number; note: string; isWarning?: boolean }

const Figure = ({ label, count, note, isWarning = false }: FigureProps) => (
  <div className="border-l border-border px-4 py-3 first:border-l-0 lg:px-5">
    <dt className="text-14 text-text-2">{label}</dt>
    <dd>
      <span className={classNames('block text-24 font-semibold tabular-nums', isWarning && 'text-warning')}>
        {count.toLocaleString('pt-BR')}
      </span>
      <span className="block text-13 text-text-3">{note}</span>
    </dd>
  </div>
)

type ChangesProps = {
  run: WaitingRun
  kind: ChangeKind | null
  isTaken: (change: FeedChange) => boolean
  onFlip: (change: FeedChange) => void
}
type Row = FeedChange & { isTaken: boolean; flip: () => void }

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Aplicar', place: 'mark', cell: (row) => <Take {...row} /> },
  { title: 'Imóvel', place: 'head', cell: (row) => <Named {...row} /> },
  {
    title: 'O que muda',
    place: 'words',
    cell: (row) => <span className="text-text-2">{whatChanges(row)}</span>,
  },
  { title: 'No portal e no feed', isNumber: true, cell: (row) => <Prices {...row} /> },
]

function Changes({ run, kind, isTaken, onFlip }: ChangesProps) {
  const read = useInfiniteQuery(changesQuery(run.id, kind))
  const changes = read.data?.pages.flat() ?? []
  if (changes.length === 0) return null
  const rows = changes.map((change) => ({ ...change, isTaken: isTaken(change), flip: () => onFlip(change) }))
  return (
    <div className="border-t border-border">
      <div className="max-h-140 overflow-y-auto">
        <Table label="Mudanças do feed" columns={COLUMNS} rows={rows} keyOf={({ code }) => code} />
      </div>
      {read.hasNextPage && (
        <p className="border-t border-border px-5 py-2">
          <Button
            variant="ghost"
            busy={read.isFetchingNextPage && 'Carregando…'}
            onClick={() => void read.fetchNextPage()}
          >
            Ver mais
          </Button>
        </p>
      )}
    </div>
  )
}

const Take = ({ title, isTaken, flip }: Row) => (
  <label className="flex min-h-11 min-w-11 cursor-pointer items-center">
    <input
      type="checkbox"
      className="size-4.5 accent-primary"
      aria-label={`Aplicar ${title}`}
      checked={isTaken}
      onChange={flip}
    />
  </label>
)

const Named = ({ kind, title, code }: Row) => (
  <span className="flex items-center gap-2.5">
    <Badge tone={KIND[kind].tone}>{KIND[kind].label}</Badge>
    <span className="min-w-0">
      <span className="block font-medium wrap-anywhere">{title}</span>
      <span className="block text-13 text-text-3">{code}</span>
    </span>
  </span>
)

function Prices({ kind, fields, beforeCents, afterCents }: FeedChange) {
  if (kind === 'changed' && !fields.includes('price')) return <span className="text-text-3">–</span>
  const words = (cents: number | null) => (cents === null ? '–' : shortReais(cents))
  return (
    <span className="inline-flex items-center justify-end gap-1.5 tabular-nums whitespace-nowrap">
      <span className="text-text-2">{words(beforeCents)}</span>
      <Icon of={ArrowRight} size={14} />
      <span className="sr-only">passa a</span>
      <span className="font-medium">{words(kind === 'gone' ? null : afterCents)}</span>
    </span>
  )
}

type ApplyBarProps = { run: WaitingRun; flipped: ReadonlySet<string>; takesGone: boolean }

/**
 * Returns the codes that 'Aplicar' leaves out: unticked changes, and listings that the feed no longer has, unless
 * ticked.
 */
function useExcept({ run, flipped, takesGone }: ApplyBarProps) {
  const gone = useInfiniteQuery({ ...changesQuery(run.id, 'gone'), enabled: run.gone > 0 })
  const codes = gone.data?.pages.flat().map(({ code }) => code) ?? []
  const isComplete = run.gone === 0 || (gone.data !== undefined && !gone.hasNextPage)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = gone
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const untaken = codes.filter((code) => takesGone === flipped.has(code))
  const others = [...flipped].filter((code) => !codes.includes(code))
  return { except: [...untaken, ...others], isComplete }
}

function ApplyBar(props: ApplyBarProps) {
  const { run } = props
  const isOnline = useIsOnline()
  const { except, isComplete } = useExcept(props)
  const [typed, setTyped] = useState('')
  // The hook's callbacks run even after the card has vanished; callbacks of the `mutate` call would not.
  const apply = useMutation({
    ...applyRun(run.id),
    onSuccess: (done) => toast(`${countOf(done, 'mudança aplicada', 'mudanças aplicadas')}.`, 'success'),
    onError: (error) => toast(error.message, 'error'),
  })
  const count = run.added + run.changed + run.gone - except.length
  const isRefused = run.state === 'refused'
  const isConfirmed = !isRefused || Number(typed) === run.gone
  const start = () => apply.mutate({ except, confirmed: isRefused ? Number(typed) : null })
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-border px-4 py-3 lg:px-5">
      <p className="min-w-50 grow text-13 text-text-2">
        {isRefused
          ? `Se está certo, digite ${run.gone} para aplicar: o número dos que sumiram.`
          : 'Nada muda até você aplicar. O que você editou à mão fica.'}
      </p>
      {isRefused && (
        <input
          id={CONFIRM_ID}
          aria-label="Número de imóveis que sumiram"
          inputMode="numeric"
          placeholder={String(run.gone)}
          value={typed}
          onChange={({ target }) => setTyped(target.value.trim())}
          className="h-11 w-24 rounded-ctl bg-surface px-3 text-15 shadow-input focus:shadow-input-focus"
        />
      )}
      <Button
        variant={isRefused ? 'line' : 'primary'}
        disabled={!isOnline || !isComplete || count === 0 || !isConfirmed}
        title={isOnline ? undefined : SAVE_ONLINE}
        busy={apply.isPending && 'Aplicando…'}
        onClick={start}
      >
        {isRefused ? 'Aplicar mesmo assim' : `Aplicar ${countOf(count, 'mudança', 'mudanças')}`}
      </Button>
    </div>
  )
}
