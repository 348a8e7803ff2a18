// 'Captação': shows the lead sources with their states, and unreadable deliveries.
import { useQuery } from '@tanstack/react-query'
import { Inbox, Plus } from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { useMedia } from '#ui/media.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { type Source, sourcesQuery } from './data.ts'
import { KeptDialog } from './kept-dialog.tsx'
import { NewSourceDialog } from './new-source-dialog.tsx'
import { SourceList } from './source-list.tsx'
import { type SourceLinkProps, SourcePanel } from './source-panel.tsx'
import { CONNECT } from './texts.ts'
import { UnreadList } from './unread-list.tsx'

/** From this window width on, the open source is shown beside the list. */
const BESIDE = '(min-width: 1200px)'

type SourcesProps = {
  /** The developments that have a rotation. */
  developments: readonly string[]
  /** Other ways to add leads. */
  more?: ReactNode
  /** A source's link to print. */
  link: ComponentType<SourceLinkProps>
}

export function Sources({ developments, more, link }: SourcesProps) {
  const read = useQuery(sourcesQuery())
  const sources = read.data?.sources
  const isOnline = useIsOnline()
  const isBeside = useMedia(BESIDE)
  const [isAdding, setAdding] = useState(false)
  const [isComparing, setComparing] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const chosen = sources?.find(({ id }) => id === openId) ?? null
  // Beside the list there is always an open source: the first active one if the user chose none.
  const shown =
    chosen ?? (isBeside ? (sources?.find(({ revokedAtMs }) => revokedAtMs === null) ?? null) : null)
  const panel = shown && <SourcePanel key={shown.id} source={shown} developments={developments} link={link} />
  return (
    <>
      <div className="flex flex-wrap justify-end gap-2 pb-4 max-md:*:grow lg:-mt-14">
        {more}
        <Button
          icon={Plus}
          disabled={!isOnline || !sources}
          title={isOnline ? undefined : ONLINE_ONLY}
          onClick={() => setAdding(true)}
        >
          {CONNECT}
        </Button>
      </div>
      {!sources && read.error && <FailedRead of={read} />}
      {!sources && !read.error && <Skeleton className="h-80 rounded-lg!" />}
      {sources?.length === 0 && (
        <State
          kind="empty"
          icon={Inbox}
          title="Nenhuma fonte ligada"
          hint="Ligue um portal de imóveis, os anúncios da Meta e do Google ou o formulário do site."
        />
      )}
      {sources && sources.length > 0 && (
        <div className={isBeside ? 'grid grid-cols-[minmax(0,1fr)_24.5rem] items-start gap-4' : ''}>
          <div className="flex min-w-0 flex-col gap-4">
            <SourceList sources={sources} openId={shown?.id ?? null} onOpen={({ id }) => setOpenId(id)} />
            <UnreadList />
            <Button variant="quiet" size="small" disabled={!isOnline} onClick={() => setComparing(true)}>
              Ler de novo o que chegou em 30 dias
            </Button>
          </div>
          {isBeside && panel && (
            <section aria-label={shown?.name} className="sticky top-20 rounded-lg bg-surface shadow-card">
              {panel}
            </section>
          )}
        </div>
      )}
      {!isBeside && <PanelDialog source={chosen} panel={panel} onClose={() => setOpenId(null)} />}
      <KeptDialog isOpen={isComparing} onClose={() => setComparing(false)} />
      <NewSourceDialog
        isOpen={isAdding}
        kinds={read.data?.kinds ?? []}
        taken={(sources ?? []).map(({ name }) => name)}
        onClose={() => setAdding(false)}
        onMade={(id) => {
          setAdding(false)
          setOpenId(id)
        }}
      />
    </>
  )
}

type PanelDialogProps = { source: Source | null; panel: React.ReactNode; onClose: () => void }

function PanelDialog({ source, panel, onClose }: PanelDialogProps) {
  // The closing animation still shows this source, so that its text does not vanish at once.
  const [last, setLast] = useState({ source, panel })
  if (source && source !== last.source) setLast({ source, panel })
  return (
    <Dialog isOpen={source !== null} onClose={onClose} title={last.source?.name ?? ''} width="wide">
      {source ? panel : last.panel}
    </Dialog>
  )
}
