// A voice message's transcript, if the portal can make one: requested by a press, and marked as automatic.
import { useQuery } from '@tanstack/react-query'
import { useIsOnline } from '#data/connectivity.ts'
import { PortalError } from '#domain/errors.ts'
import { RETRY } from '#ui/texts.ts'
import { abilityQuery, transcriptQuery } from './transcript-data.ts'

const ASK = 'Transcrever'
const BUSY = 'Transcrevendo…'
const BY_MACHINE = 'Transcrição automática, pode ter erros'
const SILENT = 'Nada foi entendido neste áudio.'
const FAILED = 'Não foi possível transcrever agora.'

export function Transcript({ messageId }: { messageId: number }) {
  const isOnline = useIsOnline()
  const { data: isAble } = useQuery(abilityQuery())
  const { data: text, error, isFetching, refetch } = useQuery(transcriptQuery(messageId))
  if (text !== undefined)
    return (
      <div className="max-w-64 pt-1 text-14">
        <p className="whitespace-pre-wrap wrap-anywhere">{text || SILENT}</p>
        <p className="text-12 text-text-2">{BY_MACHINE}</p>
      </div>
    )
  if (!isAble || !isOnline) return null
  const fault = error && `${error instanceof PortalError ? error.message : FAILED} ${RETRY}`
  return (
    <button
      type="button"
      aria-busy={isFetching}
      onClick={() => void refetch()}
      className="min-h-11 max-w-64 text-left text-13 font-semibold text-primary"
    >
      {isFetching ? BUSY : (fault ?? ASK)}
    </button>
  )
}
