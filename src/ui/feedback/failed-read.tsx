// Tells that something could not be read, always with the same icon and button. It replaces missing data, or is a row
// above older data.
import { CircleAlert, CloudOff } from 'lucide-react'
import { Banner } from '../primitives/banner.tsx'
import { Button } from '../primitives/button.tsx'
import { State } from './state.tsx'
import { LOAD_FAILED, OFFLINE, RETRY } from '../texts.ts'

type Read = {
  error: Error | null
  /** How often the read failed. From the second time on the error code is shown, which helps support. */
  errorUpdateCount?: number
  refetch: () => unknown
}

type FailedReadProps = {
  /** A query, or an object like one. Without an error nothing is shown. */
  of: Read
  /** Shown instead of the general text that something could not be loaded. */
  title?: string
  /** When the data that is still on screen was read, such as '09:41'. */
  shownFrom?: string | false | undefined
  /** True if the text is a row among other content; false if it stands in the middle of the page. */
  isRow?: boolean
}

export function FailedRead({ of: read, title = LOAD_FAILED, shownFrom, isRow }: FailedReadProps) {
  const { error } = read
  if (!error) return null
  // Offline there is no button, because the data reloads once the network is back.
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
 * Returns an error's Portuguese text, unless it repeats the title. Errors without a status are faults of the portal,
 * and have no text for users.
 */
function reasonOf(error: Error, title: string, failures = 0): string {
  if (!('status' in error)) return ''
  const code = failures > 1 && Number(error.status) > 0 && `Código ${Number(error.status)}.`
  return [!title.includes(error.message) && error.message, code].filter(Boolean).join(' ')
}
