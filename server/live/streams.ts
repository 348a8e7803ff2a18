// The open streams of live events, indexed by who may get an event, so that others are not examined.
import type { PortalEvent } from '#domain/events.ts'

const encoder = new TextEncoder()
/** An event as a stream carries it. */
export const written = (event: PortalEvent) => encoder.encode(`data: ${JSON.stringify(event)}\n\n`)

/** A listener: an administrator gets all events, a broker those of its instance. */
export type Listener = {
  accountId: string
  sessionId: string
  isAdmin: boolean
  instanceName: string | null
  expiresAtMs: number
}

export type Stream = {
  listener: Listener
  write(words: Uint8Array): void
  end(lastWords?: Uint8Array): void
}

export function createStreams() {
  const open = new Set<Stream>()
  const ofAdmins = new Set<Stream>()
  const ofInstances = new Map<string, Set<Stream>>()
  const counts = new Map<string, number>()

  const groupOf = ({ isAdmin, instanceName }: Listener): Set<Stream> => {
    if (isAdmin) return ofAdmins
    const name = instanceName ?? ''
    const group = ofInstances.get(name) ?? new Set()
    ofInstances.set(name, group)
    return group
  }
  const count = ({ accountId }: Listener, by: number) => {
    const next = (counts.get(accountId) ?? 0) + by
    if (next === 0) counts.delete(accountId)
    else counts.set(accountId, next)
  }

  return {
    /** Returns the function that removes it. */
    add: (stream: Stream): (() => void) => {
      const { listener } = stream
      open.add(stream)
      groupOf(listener).add(stream)
      count(listener, 1)
      return () => {
        if (!open.delete(stream)) return
        count(listener, -1)
        const group = groupOf(listener)
        group.delete(stream)
        if (group !== ofAdmins && group.size === 0) ofInstances.delete(listener.instanceName ?? '')
      }
    },
    all: (): Stream[] => [...open],
    /**
     * The streams that may get it: a gap all, administrators everything, brokers events of their instance.
     */
    hearing: (event: PortalEvent): Stream[] => {
      if (event.kind === 'gap') return [...open]
      const own = 'instanceName' in event && event.instanceName !== '' ? event.instanceName : null
      return [...ofAdmins, ...(own === null ? [] : (ofInstances.get(own) ?? []))]
    },
    countOf: (accountId: string): number => counts.get(accountId) ?? 0,
  }
}
