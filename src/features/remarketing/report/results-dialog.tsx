// Shows a campaign's results contact by contact. Failed messages can be sent again.
import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { type Recipient, type RecipientFilter, recipientsQuery } from './reports-data.ts'
import { type Campaign, EXCLUSION, RECIPIENT_STATE, SETTLED_REASON, ERROR_REASON } from '#domain/campaign.ts'
import { formatDateTime } from '#domain/format.ts'
import { DELIVERY_LABEL } from '#domain/message/message.ts'
import { DELIVERY_REASON } from '#domain/message/outgoing.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { OutcomeFigures } from '../progress/outcome-figures.tsx'
import { ResultActions } from './result-actions.tsx'
import { momentOf, MORE, UNNAMED } from '../texts.ts'
import { UnknownActions } from './unknown-actions.tsx'

/** Tells why a message failed. A reason that this version of the app does not know is shown as a general error. */
const whyError = (reason: string | null) => {
  const reasons: Readonly<Record<string, string>> = ERROR_REASON
  return `${reasons[reason ?? ''] ?? ERROR_REASON.fault} Nada foi perdido: quem ainda não recebeu continua na lista, e Continuar campanha retoma daqui.`
}

const RESULTS = 'Resultado por contato'

type ResultsDialogProps = {
  /** The campaign whose results are shown; null while the dialog is closed. */
  campaign: Campaign | null
  onClose: () => void
}

export function ResultsDialog({ campaign, onClose }: ResultsDialogProps) {
  // The closing animation still shows this campaign, so that its text does not vanish at once.
  const [last, setLast] = useState(campaign)
  if (campaign && campaign !== last) setLast(campaign)
  return (
    <Dialog isOpen={campaign !== null} onClose={onClose} title={RESULTS} subtitle={last && momentOf(last)}>
      {last && <Results key={last.id} campaign={last} onSteered={onClose} />}
    </Dialog>
  )
}

function Results({ campaign, onSteered }: { campaign: Campaign; onSteered: () => void }) {
  const [filter, setFilter] = useState<RecipientFilter>('all')
  const [pages, setPages] = useState(1)
  const recipients = useQuery(recipientsQuery(campaign, filter, pages))
  const { data, isError, isFetching } = recipients
  const choose = (next: RecipientFilter) => {
    setFilter(next)
    setPages(1)
  }
  return (
    <div className="flex flex-col gap-3 px-3">
      <p className="line-clamp-4 rounded-tab bg-surface-2 px-3.5 py-3 text-15 leading-message whitespace-pre-wrap wrap-anywhere">
        {campaign.message}
      </p>
      {campaign.status === 'error' && (
        <Banner tone="danger" icon={CircleAlert}>
          {whyError(campaign.pauseReason)}
        </Banner>
      )}
      <OutcomeFigures campaign={campaign} filter={filter} onFilter={choose} />
      <ResultActions campaign={campaign} onSteered={onSteered} />
      <FailedRead of={recipients} shownFrom={data && formatDateTime(recipients.dataUpdatedAt)} isRow />
      {!data && !isError && <Skeleton className="h-40 rounded-lg!" />}
      {data && data.recipients.length === 0 && (
        <p className="py-4 text-center text-14 text-text-2">Ninguém aqui.</p>
      )}
      {data && data.recipients.length > 0 && (
        <ul aria-label={RESULTS}>
          {data.recipients.map((recipient) => (
            <ResultRow key={recipient.id} campaign={campaign} recipient={recipient} />
          ))}
        </ul>
      )}
      {data?.hasMore && (
        <Button variant="line" busy={isFetching && MORE} onClick={() => setPages(pages + 1)}>
          {MORE}
        </Button>
      )}
    </div>
  )
}

const REASON: Readonly<Record<string, string>> = { ...DELIVERY_REASON, ...EXCLUSION, ...SETTLED_REASON }
const BAD = new Set<Recipient['state']>(['failed', 'unknown'])

type ResultRowProps = { campaign: Campaign; recipient: Recipient }

function ResultRow({ campaign, recipient }: ResultRowProps) {
  const { name, state, reason, delivery } = recipient
  const words = REASON[reason ?? '']
  return (
    <li className="flex min-h-11 flex-wrap content-center items-baseline justify-between gap-x-3 py-2 text-15 shadow-topbar [contain-intrinsic-size:auto_2.75rem] [content-visibility:auto] last:shadow-none">
      <span className="min-w-0 truncate">{name?.trim() || UNNAMED}</span>
      <span className={`text-14 ${BAD.has(state) ? 'text-danger' : 'text-text-2'}`}>
        {delivery === null ? RECIPIENT_STATE[state] : DELIVERY_LABEL[delivery]}
      </span>
      {words !== undefined && <span className="basis-full text-13 text-text-3">{words}</span>}
      {state === 'unknown' && <UnknownActions campaign={campaign} recipient={recipient} />}
    </li>
  )
}
