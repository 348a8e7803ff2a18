// A read that failed, everywhere with the same icon and the same way on: in the place of what is missing, or as a row over what is there.
import { CircleAlert, CloudOff } from 'lucide-react'
import { Banner } from '../primitives/banner.tsx'
import { Button } from '../primitives/button.tsx'
import { State } from './state.tsx'
import { LOAD_FAILED, OFFLINE, RETRY } from '../texts.ts'

type Read = {
  error: Error | null
  /** How often it failed: from the second time on the code is named, which helps whoever is asked for help. */
  errorUpdateCount?: number
  refetch: () => unknown
}

type FailedReadProps = {
  /** A query, or the like; nothing shows while it did not fail. */
  of: Read
  /** What could not be loaded, where it has words of its own. */
  title?: string
  /** When that was read which shows all the same: '09:41'. */
  shownFrom?: string | false | undefined
  /** Among other things, where the middle of a page would be too much. */
  isRow?: boolean
}

export function FailedRead({ of: read, title = LOAD_FAILED, shownFrom, isRow }: FailedReadProps) {
  const { error } = read
  if (!error) return null
  // Certain, and then it comes by itself as soon as there is a network: there is nothing to press.
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

/** What was said of it in Portuguese, once; any other error is a fault of ours and says nothing to a person. */
function reasonOf(error: Error, title: string, failures = 0): string {
  if (!('status' in error)) return ''
  const code = failures > 1 && Number(error.status) > 0 && `Código ${Number(error.status)}.`
  return [!title.includes(error.message) && error.message, code].filter(Boolean).join(' ')
}
