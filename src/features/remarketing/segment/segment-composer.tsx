// 'Nova campanha' of administrators in three steps: the persons, the message, and a check before the start.
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ChevronRight } from 'lucide-react'
import { Fragment, useEffect, useState } from 'react'
import { useBusy } from '#ui/busy.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { useSettled } from '#ui/forms/use-settled.ts'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { BACK } from '#ui/texts.ts'
import { missCampaignFile, useCampaignFile } from '../composer/campaign-file-data.ts'
import { CheckStep } from './check-step.tsx'
import { Conditions } from './conditions.tsx'
import { CountPanel, endWords } from './count-panel.tsx'
import { LeadsDialog, type OpenLead } from './leads-dialog.tsx'
import { MessageStep } from './message-step.tsx'
import { SavedSegments } from './saved-segments.tsx'
import { type Asked, countQuery, type SegmentList, type SegmentOffer, segmentsQuery } from './segment-data.ts'
import { type DraftHandle, useSegmentDraft } from './use-segment-draft.ts'

const TITLE = 'Nova campanha'
/** A count begins this long after the last change. */
const REST_MS = 300

export const STEPS = { quem: 'Para quem', mensagem: 'Mensagem', conferir: 'Conferir' } as const
export type Step = keyof typeof STEPS
const ORDER = Object.keys(STEPS) as Step[]
export const isStep = (word: unknown): word is Step => typeof word === 'string' && Object.hasOwn(STEPS, word)

type ComposerProps = { step: Step; onStep: (step: Step | null) => void; onLead: OpenLead }

export function SegmentComposer({ step, onStep, onLead }: ComposerProps) {
  usePageTitle(TITLE)
  const offer = useQuery(segmentsQuery())
  return (
    <div className="mx-auto w-full max-w-360">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 pb-4">
        <IconButton
          icon={ArrowLeft}
          label={BACK}
          onClick={() => onStep(ORDER[ORDER.indexOf(step) - 1] ?? null)}
        />
        <h1 className="mr-auto text-24 font-semibold tracking-heading">{TITLE}</h1>
        <Steps step={step} onStep={onStep} />
      </header>
      {offer.data ? (
        <Steered offer={offer.data} step={step} onStep={onStep} onLead={onLead} />
      ) : offer.error ? (
        <FailedRead of={offer} />
      ) : (
        <Skeleton className="h-96 rounded-lg!" />
      )}
    </div>
  )
}

function Steps({ step, onStep }: Pick<ComposerProps, 'step' | 'onStep'>) {
  return (
    <nav aria-label="Passos">
      <ol className="flex items-center gap-1 text-14">
        {ORDER.map((each, index) => (
          <Fragment key={each}>
            {index > 0 && (
              <li aria-hidden className="text-text-3">
                <Icon of={ChevronRight} size={16} />
              </li>
            )}
            <li>
              <button
                type="button"
                aria-current={each === step ? 'step' : undefined}
                onClick={() => onStep(each)}
                className="min-h-11 rounded-sm px-1.5 text-text-2 aria-[current=step]:font-semibold aria-[current=step]:text-text pointer-fine:min-h-9"
              >
                {`${index + 1} ${STEPS[each]}`}
              </button>
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
}

function Steered({ offer, step, onStep, onLead }: ComposerProps & { offer: SegmentOffer }) {
  const handle = useSegmentDraft()
  const file = useCampaignFile()
  useEffect(() => void missCampaignFile(), [])
  // The file is only in memory, so the app must not update now.
  useBusy(file.file !== null || file.isPreparing)
  const [list, setList] = useState<SegmentList | null>(null)
  const { asked, counted, count, isOld } = useCount(handle)
  const { data } = count
  const done = (words: string) => {
    toast(words, 'success')
    onStep(null)
  }
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start">
        {step === 'quem' && (
          <Conditions
            handle={handle}
            offer={offer}
            count={isOld ? undefined : data}
            head={
              <div className="flex min-h-14 flex-wrap items-center gap-2 py-2 pr-2 pl-4 lg:pl-5">
                <h2 className="mr-auto text-16 font-semibold">{STEPS.quem}</h2>
                <SavedSegments handle={handle} offer={offer} />
                <Button
                  variant="quiet"
                  size="small"
                  onClick={() => handle.change({ question: {}, segmentId: null })}
                >
                  Limpar
                </Button>
              </div>
            }
          />
        )}
        {step === 'mensagem' && <MessageStep handle={handle} file={file} asked={asked} />}
        {step === 'conferir' && (
          <CheckStep handle={handle} file={file} asked={asked} count={data} isOld={isOld} onStarted={done} />
        )}
        <div className="flex min-w-0 flex-col gap-3">
          <FailedRead of={count} title="Não foi possível contar." shownFrom={false} isRow />
          {data ? (
            <CountPanel count={data} asked={counted} offer={offer} isOld={isOld} onList={setList} />
          ) : (
            !count.error && <Skeleton className="h-72 rounded-lg!" />
          )}
          <Onward step={step} onStep={onStep} isDisabled={!data || data.receiving === 0} />
          {step === 'quem' && data && !isOld && (
            <p className="text-center text-13 text-text-2 empty:hidden">{endWords(data)}</p>
          )}
        </div>
      </div>
      <LeadsDialog list={list} onClose={() => setList(null)} onLead={onLead} />
    </>
  )
}

const ONWARD = {
  quem: ['mensagem', 'Escrever a mensagem'],
  mensagem: ['conferir', 'Conferir e iniciar'],
} as const

function Onward({
  step,
  onStep,
  isDisabled,
}: Pick<ComposerProps, 'step' | 'onStep'> & { isDisabled: boolean }) {
  if (step === 'conferir') return null
  const [next, label] = ONWARD[step]
  return (
    <Button size="large" disabled={isDisabled} onClick={() => onStep(next)}>
      {label}
    </Button>
  )
}

/** Counts after the last change. Until the answer, the earlier count stays and is marked as old. */
function useCount({ draft: { question, percent, isCompared } }: DraftHandle) {
  const asked: Asked = { question, percent: isCompared ? percent : null }
  const now = JSON.stringify(asked)
  const settled = useSettled(now, REST_MS)
  const counted: Asked = JSON.parse(settled)
  const count = useQuery(countQuery(counted))
  return { asked, counted, count, isOld: settled !== now || count.isPlaceholderData }
}
