// Auditoria: who did what and when, filtered by person, area and day, with an export.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Download, ScrollText, SearchX } from 'lucide-react'
import { type AuditFilter, auditQuery, exportAudit } from '#data/audit.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { Button } from '#ui/primitives/button.tsx'
import { download } from '#ui/download.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { EXPORTING, LOADING } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditTable } from './audit-table.tsx'
import { isFaulty } from './filter-fault.ts'
import { TITLE } from './texts.ts'

const SKELETONS = 8

type AuditPageProps = { filter: AuditFilter; onFilter: (filter: AuditFilter) => void }

export function AuditPage({ filter, onFilter }: AuditPageProps) {
  usePageTitle(TITLE)
  const clear = () => onFilter({})
  const isOnline = useIsOnline()
  // The hook's callback downloads the file even if the user left the page meanwhile; one of the `mutate` call would
  // not.
  const { mutate, isPending } = useMutation({
    ...exportAudit(),
    onSuccess: (file) => download('auditoria.csv', file, 'text/csv;charset=utf-8'),
    onError: ({ message }) => toast(`Erro ao exportar: ${message}`, 'error'),
  })
  return (
    <>
      <header className="flex flex-wrap items-center gap-3 pb-5">
        <div className="mr-auto">
          <h1 className="text-24 font-semibold tracking-heading">{TITLE}</h1>
          <p className="text-14 text-text-2">
            Quem fez o quê, e quando. Nada aqui pode ser alterado ou excluído.
          </p>
        </div>
        <Button
          variant="line"
          icon={Download}
          disabled={!isOnline || isFaulty(filter)}
          busy={isPending && EXPORTING}
          onClick={() => mutate(filter)}
        >
          Exportar CSV
        </Button>
      </header>
      <AuditFilters filter={filter} onFilter={onFilter} />
      {isFaulty(filter) ? <NoneFound onClear={clear} /> : <Lines filter={filter} onClear={clear} />}
    </>
  )
}

function Lines({ filter, onClear }: { filter: AuditFilter; onClear: () => void }) {
  const read = useInfiniteQuery(auditQuery(filter))
  const { data, isFetchingNextPage, hasNextPage, fetchNextPage } = read
  const entries = data?.pages.flatMap((page) => page.entries)
  if (!entries)
    return read.error ? (
      <FailedRead of={read} />
    ) : (
      <div className="flex flex-col gap-2" aria-busy>
        {Array.from({ length: SKELETONS }, (_, index) => (
          <Skeleton key={index} className="h-12 rounded-lg!" />
        ))}
      </div>
    )
  if (entries.length === 0) {
    const isFiltered = Object.values(filter).some((value) => value !== undefined)
    return isFiltered ? (
      <NoneFound onClear={onClear} />
    ) : (
      <State kind="empty" icon={ScrollText} title="Nada foi registrado ainda." />
    )
  }
  return (
    <>
      <AuditTable entries={entries} />
      {hasNextPage && (
        <div className="flex justify-center pt-5">
          <Button variant="line" busy={isFetchingNextPage && LOADING} onClick={() => void fetchNextPage()}>
            Carregar mais
          </Button>
        </div>
      )}
    </>
  )
}

function NoneFound({ onClear }: { onClear: () => void }) {
  return (
    <State kind="empty" icon={SearchX} title="Nada encontrado com estes filtros.">
      <Button variant="soft" onClick={onClear}>
        Limpar filtros
      </Button>
    </State>
  )
}
