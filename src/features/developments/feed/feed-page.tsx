// 'Importar de um feed': where the feed comes from, what a reading would change, its listings, and what is published.
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { Card } from '#ui/primitives/card.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { feedQuery, type FeedState } from './feed-data.ts'
import { ListingsCard } from './listings-card.tsx'
import { CONFIRM_ID, PreviewCard, type ShownKind } from './preview-card.tsx'
import { ProblemsCard } from './problems-card.tsx'
import { PublishCard } from './publish-card.tsx'
import { RefusedCard, RunsCard } from './runs-card.tsx'
import { SourceCard } from './source-card.tsx'

const TITLE = 'Importar de um feed'

type FeedPageProps = {
  onBack: () => void
  /** Opens a development. */
  onOpen: (developmentId: number) => void
}

export function FeedPage({ onBack, onOpen }: FeedPageProps) {
  usePageTitle(TITLE)
  const read = useQuery(feedQuery())
  return (
    <>
      <header className="flex items-center gap-2.5 pb-5">
        <IconButton icon={ArrowLeft} label="Voltar aos empreendimentos" onClick={onBack} />
        <h1 className="text-24 font-semibold tracking-heading">{TITLE}</h1>
      </header>
      {read.data ? (
        <Feed feed={read.data} onOpen={onOpen} />
      ) : read.error ? (
        <FailedRead of={read} title="Erro ao carregar o feed. Tente novamente." />
      ) : (
        <Skeleton className="h-96 rounded-lg!" />
      )}
    </>
  )
}

function Feed({ feed, onOpen }: { feed: FeedState } & Pick<FeedPageProps, 'onOpen'>) {
  const { run, listings, left } = feed
  const [kind, setKind] = useState<ShownKind>('all')
  const confirm = () => document.getElementById(CONFIRM_ID)?.focus()
  return (
    <div className="grid items-start gap-4 min-[76rem]:grid-cols-[minmax(0,1fr)_23.75rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <SourceCard feed={feed} />
        {run && run.state !== 'reading' && (
          <PreviewCard key={run.id} run={run} kind={kind} onKind={setKind} />
        )}
        {listings + left > 0 && <ListingsCard feed={feed} />}
      </div>
      <aside className="flex min-w-0 flex-col gap-4">
        {run?.state === 'refused' && (
          <RefusedCard run={run} onSeeGone={() => setKind('gone')} onApply={confirm} />
        )}
        <RunsCard runs={feed.runs} />
        <ProblemsCard feed={feed} />
        <Card title="O que o feed pode mudar">
          <p className="px-4 pb-4 text-13 leading-normal text-text-2 lg:px-5">
            Preço, textos, fotos e dados dos imóveis do feed. Empreendimentos cadastrados, roleta, agente e
            documentos são seus: o feed não toca. O que sai do feed fica guardado, marcado.
          </p>
        </Card>
        <PublishCard onOpen={onOpen} />
      </aside>
    </div>
  )
}
