// A failed read, everywhere with the same icon and retry: in place of the missing data, or as a row above older data.
import { CircleAlert, CloudOff } from 'lucide-react'
import { Banner } from '../primitives/banner.tsx'
import { Button } from '../primitives/button.tsx'
import { State } from './state.tsx'
import { LOAD_FAILED, OFFLINE, RETRY } from '../texts.ts'

type Read = {
  error: Error | null
  /** Number of failures. From the second one on the error code is shown, which helps support. */
  errorUpdateCount?: number
  refetch: () => unknown
}

type FailedReadProps = {
  /** A query or similar; nothing is shown without an error. */
  of: Read
  /** Replaces the general sentence that something could not be loaded. */
  title?: string
  /** When the data that is still shown was read: '09:41'. */
  shownFrom?: string | false | undefined
  /** Shown as a row among other content instead of in the middle of the page. */
  isRow?: boolean
}

export function FailedRead({ of: read, title = LOAD_FAILED, shownFrom, isRow }: FailedReadProps) {
  const { error } = read
  if (!error) return null
  // Offline, it reloads by itself once online, so there is no button.
  const isOffline = !navigator.onLine
  const kind = isOffline ? 'offline' : 'error'
  const strong = isOffline ? OFFLINE : shownFrom ? 'Não foi possível atualizar.' : title
  const rest = shownFrom
    ? `Mostrando dados de ${shownFrom}.`
    : isOffline
      ? 'Aparece assim que a internet voltar.'
      : reasonOf(error, title, read.errorUpdateCount)
  const retry = () => void read.refetch()
  if (!shownFrom && !isRow) {
    return (
      <State kind={kind} title={strong} hint={rest}>
        {!isOffline && (
          <Button variant="soft" onClick={retry}>
            {RETRY}
          </Button>
        )}
      </State>
    )
  }
  return (
    <Banner
      tone={isOffline ? 'dark' : 'danger'}
      icon={isOffline ? CloudOff : CircleAlert}
      isUrgent={!shownFrom && !isOffline}
      {...(!isOffline && { action: { label: RETRY, run: retry } })}
    >
      {strong}
      {rest && <span className="block font-regular">{rest}</span>}
    </Banner>
  )
}

/**
 * The Portuguese text of an error, without repeating the title. Other errors are our faults and have no text for users.
 */
function reasonOf(error: Error, title: string, failures = 0): string {
  if (!('status' in error)) return ''
  const code = failures > 1 && Number(error.status) > 0 && `Código ${Number(error.status)}.`
  return [!title.includes(error.message) && error.message, code].filter(Boolean).join(' ')
}
