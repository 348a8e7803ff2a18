// 'Dados do lead': all data of a lead, edited in place, and its history.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { leadSheetQuery, type LeadSheet as Sheet, saveFields } from './data.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { keys } from '#data/keys.ts'
import type { Conversation } from '#data/messages/messages.ts'
import { usePending } from '#data/pending.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { type LeadFields as Fields, LOSS_REASONS } from '#domain/lead/fields.ts'
import { stageBefore } from '#domain/lead/path.ts'
import { beginning, type NextAction } from '#domain/next-action/next-action.ts'
import { actionWords } from '#domain/next-action/words.ts'
import { layOverFields } from '#domain/outbox/fields-overlay.ts'
import type { LeadPlan } from '#domain/plan/plan.ts'
import { IMPROBABLE, isImprobable } from '#domain/phone/improbable.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import type { Stage } from '#domain/stage.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { lazily } from '#ui/lazily.ts'
import { useNow } from '#ui/now.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { CardFacts } from './card-facts.tsx'
import { knownSheet, withMoves, withWaiting } from './known-sheet.ts'
import { LeadFields } from './lead-fields.tsx'
import { LeadFiles } from './lead-files.tsx'
import { LeadInterests } from './lead-interests.tsx'
import { LeadMaterial } from './lead-material.tsx'
import { LeadNote } from './lead-note.tsx'
import { LeadNumbers } from './lead-numbers.tsx'
import { LeadPath } from './lead-path.tsx'
import { LeadTags } from './lead-tags.tsx'
import { LeadTiles } from './lead-tiles.tsx'
import { LossSheet } from './loss-sheet.tsx'
import { usePlan } from '../plan/data.ts'
import { PlanCard } from '../plan/plan-card.tsx'
import { useStageMove } from '../ground/use-stage-move.ts'
import { FIELDS_FAILED, momentOf } from './texts.ts'

/** It needs the portal, so the device does not store its code. */
const summary = lazily(async () => (await import('./lead-summary.tsx')).LeadSummary)

type LeadSheetProps = {
  lead: Lead
  stages: readonly Stage[]
  isOpen: boolean
  /** True if the sheet opens with the note in its editor. */
  startsWithNote: boolean
  /** Opens the form of the lead's next step; undefined if the reader may not change it. */
  changeNext: ((leadId: number) => void) | undefined
  onClose: () => void
}

const numberWords = ({ number }: Lead) =>
  number === null ? [] : [formatPhone(number), isImprobable(number) && IMPROBABLE]

export function LeadSheet({ lead, stages, isOpen, onClose, ...inside }: LeadSheetProps) {
  const stage = stages.find(({ slug }) => slug === lead.stageSlug)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={leadTitle(lead)}
      subtitle={[...numberWords(lead), stage?.name].filter(Boolean).join(' · ')}
      lead={<Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={44} />}
      width="wide"
    >
      <Inside lead={lead} stages={stages} {...inside} />
    </Dialog>
  )
}

/** The lead's details with pending changes applied; refetched once the server has one of them. */
function useLeadSheet(lead: Lead, stages: readonly Stage[]) {
  const client = useQueryClient()
  const isOnline = useIsOnline()
  // The server does not know a lead yet that this device added.
  const isHere = lead.id < 0
  const read = useQuery({ ...leadSheetQuery(lead.id), enabled: !isHere })
  const { entries } = usePending()
  const waiting = entries.filter(
    ({ command, state }) =>
      /^(lead\.fields|interest\.|material\.)/.test(command.kind) &&
      command.lead.id === lead.id &&
      state !== 'applied',
  ).length
  const { refetch } = read
  const before = useRef(waiting)
  useEffect(() => {
    if (waiting < before.current && !isHere) void refetch()
    before.current = waiting
  }, [waiting, refetch, isHere])
  // A weak signal fails late, so the sheet shows the device's data after the first failed try.
  const isCut = isHere || !isOnline || read.failureCount > 0
  const said = client.getQueryData<Conversation>(keys.conversation(lead.id))
  const known = read.data ?? (isCut ? knownSheet(lead, said) : undefined)
  if (!known) return { read, sheet: known }
  const path = withMoves(known.path, { lead, entries, stages })
  const material = withWaiting(known.material, { lead, entries })
  return { read, sheet: { ...layOverFields(known, lead.id, entries), path, material } }
}

type InsideProps = Omit<LeadSheetProps, 'isOpen' | 'onClose'>

function Inside({ lead, stages, startsWithNote, changeNext }: InsideProps) {
  const stage = stages.find(({ slug }) => slug === lead.stageSlug)
  const { read, sheet } = useLeadSheet(lead, stages)
  const { plan } = usePlan(lead)
  const isOnline = useIsOnline()
  const nowMs = useNow()
  const [isEditing, setEditing] = useState(startsWithNote)
  const change = changeNext && (() => changeNext(lead.id))
  const save = (fields: Partial<Fields>) => {
    const base = Object.fromEntries(
      Object.keys(fields).map((field) => [field, sheet?.[field as keyof Fields]]),
    )
    saveFields(lead, fields, base).catch(() => toast(FIELDS_FAILED, 'error'))
  }
  return (
    <div className="flex flex-col gap-4 px-3 pt-1">
      {sheet && stage?.kind === 'lost' && <Lost {...{ lead, sheet, stage, stages }} />}
      <LeadTiles lead={lead} stages={stages} onNote={() => setEditing(true)} />
      <CardFacts lead={lead} nowMs={nowMs} />
      {lead.id > 0 && isOnline && (
        <Suspense>
          <summary.Component leadId={lead.id} />
        </Suspense>
      )}
      {lead.id > 0 && <PlanCard lead={lead} />}
      <LeadInterests lead={lead} known={sheet?.interests ?? []} />
      {sheet && <LeadTags tags={sheet.tags} known={sheet.knownTags} onChange={(tags) => save({ tags })} />}
      {notOf(plan, lead.next).map((action, at) => (
        <NextStep
          key={action.id ?? action.operationId}
          action={action}
          nowMs={nowMs}
          onChange={at === 0 ? change : undefined}
        />
      ))}
      <div>
        {sheet && <LeadFields sheet={sheet} onSave={save} />}
        {sheet && <LeadNumbers numbers={sheet.numbers} />}
        <LeadNote lead={lead} isEditing={isEditing} onEdit={setEditing} />
        {sheet && <LeadMaterial sent={sheet.material} nowMs={nowMs} />}
        {sheet && <LeadFiles files={sheet.files} nowMs={nowMs} />}
        {sheet && <LeadPath steps={sheet.path} you={lead.instanceName} nowMs={nowMs} />}
        {!sheet && <Waiting />}
        {!read.data && read.error && (
          <FailedRead
            of={read}
            title="Aqui está o que o quadro sabe. O resto ainda não foi carregado."
            isRow
          />
        )}
      </div>
    </div>
  )
}

/** Leaves out next actions that belong to the plan, because the plan's card shows them. */
function notOf(plan: LeadPlan | null, next: readonly NextAction[]) {
  const own = (plan?.steps ?? []).map(({ operationId }) => beginning(operationId))
  return next.filter(({ operationId }) => !own.includes(beginning(operationId)))
}

type NextStepProps = { action: NextAction; nowMs: number; onChange: (() => void) | undefined }

function NextStep({ action, nowMs, onChange }: NextStepProps) {
  return (
    <div className="flex items-center gap-3 rounded-lg bg-primary-soft pl-4 text-15 font-semibold text-on-primary-soft">
      <p className="min-w-0 grow py-3">
        <span className="sr-only">{'Próximo passo'}: </span>
        {actionWords(action, nowMs)}
        {action.note && <span className="block text-13 font-regular wrap-anywhere">{action.note}</span>}
      </p>
      {onChange && (
        <button
          type="button"
          aria-label="Mudar o próximo passo"
          onClick={onChange}
          className="min-h-11 shrink-0 self-stretch rounded-lg px-4"
        >
          Mudar
        </button>
      )}
    </div>
  )
}

function Waiting() {
  return <Skeleton className="h-40 rounded-md!" />
}

type LostProps = { lead: Lead; sheet: Sheet; stage: Stage; stages: readonly Stage[] }

function Lost({ lead, sheet: { loss_reason: reason, lostAtMs, path }, stage, stages }: LostProps) {
  const move = useStageMove(stages)
  const before = stageBefore(path, stages)
  const [isAsking, setAsking] = useState(false)
  const nowMs = useNow()
  return (
    <div className="flex flex-wrap items-center gap-x-3 rounded-lg bg-surface-2 px-4 py-3">
      <Icon of={Archive} className="text-text-2" />
      <p className="min-w-0 grow text-15 font-semibold">
        {reason === null ? 'Motivo não informado' : LOSS_REASONS[reason]}
        {lostAtMs !== null && (
          <span className="block text-13 font-regular text-text-2">{`Saiu ${momentOf(lostAtMs, nowMs).toLocaleLowerCase('pt-BR')}`}</span>
        )}
      </p>
      <button type="button" onClick={() => setAsking(true)} className={LOST_ACTION}>
        Informar
      </button>
      {before && (
        <button type="button" onClick={() => move(lead, before.slug)} className={LOST_ACTION}>
          Reabrir
        </button>
      )}
      <LossSheet lead={isAsking ? lead : undefined} stageName={stage.name} onClose={() => setAsking(false)} />
    </div>
  )
}

const LOST_ACTION = 'min-h-11 px-1 text-15 font-semibold text-primary'
