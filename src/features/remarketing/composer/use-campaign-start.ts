// Starts a campaign once. Tells whether it may start and when it would end.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type CampaignFile, dropCampaignFile } from './campaign-file-data.ts'
import { type Pacing, startCampaign } from '../campaigns-data.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { usePending } from '#data/pending.ts'
import { atWallClock } from '#domain/campaign.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { ask } from '#ui/feedback/ask.ts'
import { type Forecast, forecastOf, type StartProblem, startProblem } from './composer-rules.ts'
import { forecastWords, contacts } from '../texts.ts'
import type { DraftHandle } from './use-campaign-draft.ts'

/** The confirmation shows the stage, the number of contacts and the text's first line. */
const startQuestion = (count: number, stage: string) => `Enviar para ${contacts(count)} de ${stage}?`

type Written = {
  instanceName: string
  handle: DraftHandle
  stageSlug: string
  stageName: string
  chosen: readonly Lead[]
  pacing: Pacing | undefined
  isLoading: boolean
  textLength: number
  file: CampaignFile
  nowMs: number
}

export type CampaignStart = {
  problem: StartProblem | null
  forecast: Forecast | null
  /** How much of the file is uploaded, from 0 to 1. Null while no campaign is being started. */
  progress: number | null
  /** The server's text if it refused the last attempt, otherwise null. */
  refusal: string | null
  onStart: () => void
}

export function useCampaignStart(written: Written): CampaignStart {
  const { instanceName, handle, stageSlug, stageName, chosen, pacing, file, nowMs, ...state } = written
  const { draft, reset } = handle
  const startsAtMs = draft.startsAt === null ? null : pacing ? atWallClock(draft.startsAt, pacing.zone) : NaN
  const problem = startProblem({
    ...state,
    isOnline: useIsOnline(),
    stageSlug,
    contactCount: chosen.length,
    message: draft.message,
    hasFile: file.file !== null,
    isPreparing: file.isPreparing,
    isFileLost: file.lostName !== null,
    hasUnsent: useHasUnsent(),
    startsAtMs,
    nowMs,
  })
  const atMs = Math.max(startsAtMs || nowMs, nowMs)
  const forecast = pacing && chosen.length > 0 ? forecastOf(pacing, chosen.length, { atMs, nowMs }) : null
  const [progress, setProgress] = useState<number | null>(null)
  const { mutate, error } = useMutation({
    ...startCampaign(instanceName),
    // The hook's callback runs even if the running campaign has replaced the composer; one of the `mutate` call would
    // not.
    onSuccess: () => {
      reset()
      dropCampaignFile()
    },
  })

  const run = () => {
    const campaign = {
      operationId: draft.operationId,
      stage: stageSlug,
      message: draft.message,
      contactIds: chosen.map(({ id }) => id),
      startsAt: startsAtMs === null ? null : new Date(startsAtMs).toISOString(),
      marks: draft.marks,
    }
    setProgress(0)
    mutate({ campaign, file: file.file, onProgress: setProgress }, { onSettled: () => setProgress(null) })
  }
  const onStart = () =>
    ask({
      question: startQuestion(chosen.length, stageName),
      consequence: [`“${draft.message.trim().split('\n')[0]}”`, forecast && forecastWords(forecast, nowMs)]
        .filter(Boolean)
        .join(' '),
      action: { label: 'Iniciar', run, tone: 'primary' },
      cancelLabel: 'Voltar',
    })
  return {
    problem,
    forecast,
    progress,
    refusal: error && (error.message || 'Erro ao iniciar a campanha. Tente de novo.'),
    onStart,
  }
}

/**
 * True if a lead's new name or stage is stored here but not on the server, which writes the names into the messages.
 */
function useHasUnsent(): boolean {
  const { entries } = usePending()
  return entries.some(
    ({ command, state, appliedAtMs }) =>
      appliedAtMs === null &&
      state === 'queued' &&
      (command.kind === 'lead.rename' || command.kind === 'lead.move'),
  )
}
