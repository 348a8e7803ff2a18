// 'Gerenciar Estágios do Kanban': adds, renames, sorts, marks and deletes the stages, which are the columns of all
// boards.
import { useMutation, useQuery } from '@tanstack/react-query'
import { ArrowLeft, CircleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import {
  leadsInStage,
  moveStage,
  removeStage,
  saveStage,
  type StageEdit,
  stagesQuery,
} from '#data/board/stage-changes.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatDateTime } from '#domain/format.ts'
import type { Stage } from '#domain/stage.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { CLOSE } from '#ui/texts.ts'
import { announce } from '#ui/feedback/toast.ts'
import type { Fault } from './fault.ts'
import { NewStageForm } from './new-stage-form.tsx'
import { StageRow } from './stage-row.tsx'
import { FAILED } from './texts.ts'

const movedSpoken = (stage: string, position: number, total: number) =>
  `${stage}, posição ${position} de ${total}.`

const stageCount = (count: number) => countOf(count, 'estágio', 'estágios')

/** Tells how many leads the deletion would move to another stage. */
const leadsMove = (count: number) =>
  count === 0 ? 'Agora não há nenhum.' : count === 1 ? 'É 1 contato.' : `São ${formatNumber(count)} contatos.`

const DELETE_CONSEQUENCE = 'Todos os contatos neste estágio serão movidos para "Novos Contatos".'

const TITLE = 'Gerenciar Estágios do Kanban'

const SKELETONS = ['a', 'b', 'c', 'd', 'e']

export function StageManager({ onBack }: { onBack: () => void }) {
  usePageTitle(TITLE)
  const read = useQuery(stagesQuery())
  const { data: stages } = read
  const isOnline = useIsOnline()
  const { fault, setFault, save, move, remove } = useStageChanges(stages?.length ?? 0)
  const banners = useRef<HTMLDivElement>(null)
  // A phone may show only the lower end of the list, so this scrolls to its top.
  useEffect(() => {
    if (fault) banners.current?.scrollIntoView({ block: 'nearest' })
  }, [fault])
  return (
    <div className="mx-auto w-full max-w-200">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-3 pb-5">
        <div className="mr-auto">
          <h1 className="text-24 font-semibold tracking-heading text-balance">{TITLE}</h1>
          <p className="min-h-5 text-14 text-text-3">{stages && stageCount(stages.length)}</p>
        </div>
        <Button variant="line" icon={ArrowLeft} onClick={onBack}>
          Voltar ao CRM
        </Button>
      </header>
      <div ref={banners} className="flex scroll-mt-32 flex-col gap-2 pb-4 empty:hidden">
        <FailedRead
          of={read}
          title="Erro ao carregar estágios do kanban"
          shownFrom={stages && formatDateTime(read.dataUpdatedAt)}
          isRow
        />
        {fault && (
          <Banner tone="danger" icon={CircleAlert} action={{ label: CLOSE, run: () => setFault(null) }}>
            {fault.what}
            {fault.why && <span className="block font-regular">{fault.why}</span>}
          </Banner>
        )}
      </div>
      {stages ? (
        <ol className="flex flex-col rounded-lg bg-surface shadow-card">
          {stages.map((stage, index) => (
            <StageRow
              key={stage.id}
              stage={stage}
              isFirst={index === 0}
              isLast={index === stages.length - 1}
              isOff={!isOnline}
              onSave={save}
              onMove={(step) => move(stage, step)}
              onRemove={() => remove(stage)}
            />
          ))}
        </ol>
      ) : (
        !read.error && SKELETONS.map((row) => <Skeleton key={row} className="mb-2 h-14 rounded-md!" />)
      )}
      <p className="px-1 py-3 text-13 text-text-3">
        {isOnline
          ? 'Ganho conta como conversão nos relatórios. Perdido/Arquivado encerra o atendimento sem contar.'
          : 'Você precisa de internet para mudar os estágios.'}
      </p>
      <NewStageForm isOff={!isOnline} onFault={setFault} />
    </div>
  )
}

function useStageChanges(count: number) {
  const [fault, setFault] = useState<Fault | null>(null)
  const failed = (what: string) => (error: Error) => setFault({ what, why: error.message || null })
  const saving = useMutation({ ...saveStage(), onError: failed(FAILED.edit) })
  const moving = useMutation({ ...moveStage(), onError: failed(FAILED.move) })
  const removing = useMutation({ ...removeStage(), onError: failed(FAILED.delete) })
  const save = (edit: StageEdit) => {
    setFault(null)
    saving.mutate(edit)
  }
  const move = (stage: Stage, step: -1 | 1) => {
    setFault(null)
    announce(movedSpoken(stage.name, stage.position + step, count))
    moving.mutate({ stage, step })
  }
  const remove = (stage: Stage) => {
    setFault(null)
    const askFirst = (leads: number | null) =>
      ask({
        question: 'Tem certeza que deseja excluir este estágio?',
        consequence: leads === null ? DELETE_CONSEQUENCE : `${DELETE_CONSEQUENCE} ${leadsMove(leads)}`,
        action: { label: 'Excluir', run: () => removing.mutate(stage) },
      })
    leadsInStage(stage).then(askFirst, () => askFirst(null))
  }
  return { fault, setFault, save, move, remove }
}
