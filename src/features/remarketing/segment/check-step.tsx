// The third step of a campaign to a segment: a summary, the start time and the button that starts it.
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { atWallClock } from '#domain/campaign.ts'
import { formatNumber } from '#domain/count.ts'
import { useNow } from '#ui/now.ts'
import { Button } from '#ui/primitives/button.tsx'
import { type CampaignFile, dropCampaignFile } from '../composer/campaign-file-data.ts'
import { mostLetters } from '../composer/composer-rules.ts'
import { FileCard } from '../composer/file-card.tsx'
import { WhenField } from '../composer/when-field.tsx'
import { contacts } from '../texts.ts'
import { endWords } from './count-panel.tsx'
import { type Asked, type SegmentCount, startSegment } from './segment-data.ts'
import type { DraftHandle } from './use-segment-draft.ts'

type CheckStepProps = {
  handle: DraftHandle
  file: CampaignFile
  asked: Asked
  count: SegmentCount | undefined
  /** True: `count` belongs to conditions that have changed since. */
  isOld: boolean
  onStarted: (words: string) => void
}

export function CheckStep({ handle, file, asked, count, isOld, onStarted }: CheckStepProps) {
  const { draft } = handle
  const nowMs = useNow()
  const start = useStart({ handle, file, asked, zone: count?.zone, onStarted })
  const problem = useProblem({ handle, file, count, isOld, startsAtMs: start.startsAtMs, nowMs })
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <section
        aria-label="Conferir"
        className="flex flex-col gap-3 rounded-lg bg-surface p-4 shadow-card lg:p-5"
      >
        <h2 className="text-18 font-semibold">
          {count ? `${contacts(count.receiving)} recebem` : 'Conferir'}
        </h2>
        {count && count.heldOut > 0 && (
          <p className="text-14 text-text-2">{`${formatNumber(count.heldOut)} ficam de fora, por sorteio. O resultado aparece em 14 dias e é julgado em 30.`}</p>
        )}
        <p className="rounded-tab bg-surface-2 px-3.5 py-3 text-15 leading-message whitespace-pre-wrap wrap-anywhere">
          {draft.message.trim() || 'Sem texto'}
        </p>
        <FileCard file={file} />
      </section>
      {count && (
        <div className="rounded-lg bg-surface p-4 shadow-card lg:p-5">
          <WhenField
            startsAt={draft.startsAt}
            onChange={(startsAt) => handle.change({ startsAt })}
            zone={count.zone}
            nowMs={nowMs}
          />
        </div>
      )}
      <p role="alert" className="text-14 leading-snug text-danger empty:hidden">
        {start.refusal}
      </p>
      <output className="text-13 leading-snug text-text-2 empty:hidden">
        {problem ?? (count && draft.startsAt === null && endWords(count))}
      </output>
      <Button
        size="large"
        icon={Send}
        disabled={problem !== null && !start.busy}
        busy={start.busy}
        onClick={start.run}
      >
        {`Iniciar campanha (${contacts(count?.receiving ?? 0)})`}
      </Button>
    </div>
  )
}

type StartParts = Pick<CheckStepProps, 'handle' | 'file' | 'asked' | 'onStarted'> & {
  zone: string | undefined
}

function useStart({ handle, file, asked, zone, onStarted }: StartParts) {
  const { operationId, segmentId, message, startsAt, marks } = handle.draft
  const startsAtMs = startsAt === null ? null : zone === undefined ? NaN : atWallClock(startsAt, zone)
  const [progress, setProgress] = useState<number | null>(null)
  const { mutate, error } = useMutation({
    ...startSegment(),
    onSuccess: ({ receiving }) => {
      handle.reset()
      dropCampaignFile()
      onStarted(`Campanha para ${contacts(receiving)} ${startsAt === null ? 'iniciada' : 'agendada'}`)
    },
    onSettled: () => setProgress(null),
  })
  const run = () => {
    setProgress(0)
    const at = startsAtMs === null ? null : new Date(startsAtMs).toISOString()
    mutate({
      start: { ...asked, operationId, segmentId, message, startsAt: at, marks },
      file: file.file,
      onProgress: setProgress,
    })
  }
  const busy =
    progress !== null && (file.file ? `Enviando o anexo… ${Math.round(progress * 100)}%` : 'Iniciando...')
  return {
    startsAtMs,
    run,
    busy,
    refusal: error && (error.message || 'Erro ao iniciar a campanha. Tente de novo.'),
  }
}

type ProblemParts = Pick<CheckStepProps, 'handle' | 'file' | 'count' | 'isOld'> & {
  startsAtMs: number | null
  nowMs: number
}

/** The first reason why the campaign cannot start, in the order of the steps. Null: it can. */
function useProblem({ handle, file, count, isOld, startsAtMs, nowMs }: ProblemParts): string | null {
  const isOnline = useIsOnline()
  const { message } = handle.draft
  if (!isOnline) return 'Sem conexão. A campanha começa quando você estiver online.'
  if (!count || isOld) return 'Contando…'
  if (count.receiving === 0) return 'Ninguém pode receber esta campanha agora.'
  if (message.trim() === '') return 'Escreva a mensagem.'
  if (message.trim().length > mostLetters(file.file !== null)) return 'A mensagem é longa demais.'
  if (file.isPreparing) return 'Espere o anexo ficar pronto.'
  if (file.lostName !== null) return 'Anexe o arquivo de novo ou remova-o.'
  if (startsAtMs === null) return null
  if (Number.isNaN(startsAtMs)) return 'Escolha quando começar.'
  return startsAtMs <= nowMs ? 'Escolha um horário no futuro.' : null
}
