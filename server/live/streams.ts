// The open streams of live events, indexed by who may get an event, so that others are not examined.
import type { PortalEvent } from '#domain/events.ts'

const encoder = new TextEncoder()
/** An event as a stream carries it. */
export const written = (event: PortalEvent) => encoder.encode(`data: ${JSON.stringify(event)}\n\n`)

/** A listener: an administrator gets all events, anybody else those of its instances. */
export type Listener = {
  accountId: string
  sessionId: string
  isAdmin: boolean
  /** The instance of a broker, and those of the brokers whom a gerente leads. */
  instanceNames: readonly string[]
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

  const groupOf = (name: string): Set<Stream> => {
    const group = ofInstances.get(name) ?? new Set()
    ofInstances.set(name, group)
    return group
  }
  const groupsOf = ({ isAdmin, instanceNames }: Listener) =>
    isAdmin ? [ofAdmins] : instanceNames.map(groupOf)
  const count = ({ accountId }: Listener, by: number) => {
    const next = (counts.get(accountId) ?? 0) + by
    if (next === 0) counts.delete(accountId)
    else counts.set(accountId, next)
  }

  return {
    /** Adds a stream; returns the function that removes it. */
    add: (stream: Stream): (() => void) => {
      const { listener } = stream
      open.add(stream)
      for (const group of groupsOf(listener)) group.add(stream)
      count(listener, 1)
      return () => {
        if (!open.delete(stream)) return
        count(listener, -1)
        for (const group of groupsOf(listener)) group.delete(stream)
        for (const name of listener.instanceNames)
          if (ofInstances.get(name)?.size === 0) ofInstances.delete(name)
      }
    },
    all: (): Stream[] => [...open],
    /**
     * The streams that may get an event: all for a gap, administrators' for everything, others for events of their
     * instances.
     */
    hearing: (event: PortalEvent): Stream[] => {
      if (event.kind === 'gap') return [...open]
      const own = 'instanceName' in event && event.instanceName !== '' ? event.instanceName : null
      return [...ofAdmins, ...(own === null ? [] : (ofInstances.get(own) ?? []))]
    },
    countOf: (accountId: string): number => counts.get(accountId) ?? 0,
  }
}
