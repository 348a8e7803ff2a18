// Shows a lead's history: how it came in, each step with its time, and the reasons for and against each broker.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type LeadHistory, leadHistoryQuery } from '#data/board/lead-history.ts'
import { useSession } from '#data/session.ts'
import { formatDateTime } from '#domain/format.ts'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { sourceLabel } from '#domain/lead/source.ts'

const historyTitle = ({ roleta: rotation, development }: LeadHistory) =>
  rotation ?? development ?? 'Sem empreendimento'

type HistoryDialogProps = {
  /** The lead whose history is shown, and content for further actions; null while the dialog is closed. */
  lead: { contactId: number; name: string; more?: ReactNode } | null
  onClose: () => void
}

export function HistoryDialog({ lead, onClose }: HistoryDialogProps) {
  // The closing animation still shows this lead, so that the text does not vanish at once.
  const [last, setLast] = useState(lead)
  if (lead && lead !== last) setLast(lead)
  if (!last) return null
  return (
    <Dialog
      isOpen={lead !== null}
      onClose={onClose}
      title="Caminho do lead"
      subtitle={last.name}
      width="wide"
    >
      <Histories contactId={last.contactId} />
      {last.more && <div className="px-3 pt-4">{last.more}</div>}
    </Dialog>
  )
}

function Histories({ contactId }: { contactId: number }) {
  const session = useSession()
  const role = session.status === 'in' ? session.user.role : 'broker'
  const read = useQuery(leadHistoryQuery(contactId, role))
  const { data: histories } = read
  if (!histories)
    return read.error ? (
      <FailedRead of={read} title="Não foi possível carregar o caminho deste lead." />
    ) : (
      <Skeleton className="mx-3 h-60 rounded-md!" />
    )
  return (
    <div className="flex flex-col gap-6 px-3">
      {histories.length === 0 && (
        <p className="text-14 text-text-2">Este lead não passou por nenhuma roleta.</p>
      )}
      {histories.map((leadHistory) => (
        <LeadHistory key={leadHistory.id} leadHistory={leadHistory} />
      ))}
    </div>
  )
}

function LeadHistory({ leadHistory }: { leadHistory: LeadHistory }) {
  return (
    <section className="flex flex-col gap-3">
      <h3 className="text-15 font-semibold">{historyTitle(leadHistory)}</h3>
      {leadHistory.intakes.map((intake) => (
        <div key={intake.receivedAtMs} className="rounded-md bg-surface-2 px-4 py-3 text-14 leading-body">
          <p className="text-13 text-text-3">Como chegou</p>
          <p>{intakeText(intake)}</p>
          {intake.message !== null && <p className="wrap-anywhere text-text-2">“{intake.message}”</p>}
          <dl className="text-13 text-text-2 empty:hidden">
            {Object.entries(intake.fields).map(([name, value]) => (
              <div key={name} className="wrap-anywhere">
                <dt className="inline text-text-3">{name}: </dt>
                <dd className="inline">{value}</dd>
              </div>
            ))}
          </dl>
          <p className="text-13 text-text-2 empty:hidden">{consentText(intake)}</p>
        </div>
      ))}
      <ol className="flex flex-col">
        {leadHistory.events.map(({ atMs, text, why }, index) => (
          <li
            // The index is a stable key, because a history only grows at its end.
            key={index}
            className="relative border-l border-border pb-4 pl-4 last:pb-0"
          >
            <span aria-hidden className="absolute top-1.5 -left-1 size-2 rounded-full bg-primary" />
            <p className="text-14 leading-snug">{text}</p>
            <time dateTime={new Date(atMs).toISOString()} className="text-13 text-text-3 tabular-nums">
              {formatDateTime(atMs)}
            </time>
            {why.length > 0 && (
              <details className="text-13 text-text-2">
                <summary className="min-h-9 cursor-pointer py-2 font-medium">Por quê</summary>
                <ul className="flex list-disc flex-col gap-0.5 pl-5 leading-snug">
                  {why.map((grouped) => (
                    <li key={grouped}>{grouped}</li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

type Intake = LeadHistory['intakes'][number]

/** For example 'Pela chave Site · origem Instagram · campanha Lançamento · código 4471'. */
function intakeText({ key, source, campaign, listing }: Intake): string {
  const way = key === null ? 'Por mensagem ao número central' : `Pela chave ${key}`
  return [
    way,
    `origem ${sourceLabel(source)}`,
    ...(campaign === null ? [] : [`campanha ${campaign}`]),
    ...(listing === null ? [] : [`código ${listing}`]),
  ].join(' · ')
}

const consentText = ({ consentAtMs, consentText: words }: Intake) =>
  consentAtMs === null
    ? null
    : `Consentimento em ${formatDateTime(consentAtMs)}${words === null ? '' : `: "${words}"`}`
