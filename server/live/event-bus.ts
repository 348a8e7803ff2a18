// One listener of the database's channel in each process; it passes each event to the subscribers.
import { readEvent, type PortalEvent } from '#domain/events.ts'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'

export type Bus = {
  /** Passes every event from now on; returns the function that unsubscribes. */
  subscribe(onEvent: (event: PortalEvent) => void): () => void
  stop(): Promise<void>
}

export async function openBus(db: Database, log: Log): Promise<Bus> {
  const subscribers = new Set<(event: PortalEvent) => void>()
  const publish = (event: PortalEvent) => subscribers.forEach((onEvent) => onEvent(event))
  const stop = await db.listen(
    'portal',
    (payload) => {
      const event = readEvent(payload)
      if (event) publish(event)
      else log.warn('event.unknown', { bytes: payload.length })
    },
    () => publish({ kind: 'gap' }),
  )
  return {
    subscribe: (onEvent) => {
      subscribers.add(onEvent)
      return () => subscribers.delete(onEvent)
    },
    stop,
  }
}
