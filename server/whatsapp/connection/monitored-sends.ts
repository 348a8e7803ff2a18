// Watches sends: the result of the last one tells whether a link works, and overrides the reported state.
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { GatewayError, type Sends } from '#server/gateway.ts'
import { createLinkLife } from './link-life.ts'
import { createLinkStore } from './connection-store.ts'

/** Wraps the gateway's sends so that each result is recorded for the link. */
export function monitorSends(gateway: Sends, { db, log }: { db: Database; log: Log }): Sends {
  const store = createLinkStore(db)
  const life = createLinkLife(db)

  async function note(instanceName: string, fault: GatewayError['fault'] | null) {
    try {
      if (fault === null) await life.noteAlive(instanceName)
      else if (fault === 'unknown-instance') await store.noteState(instanceName, 'close')
      else if (fault === 'not-linked' && (await life.noteDead(instanceName)))
        log.warn('link.dead', { instance: instanceName })
    } catch (error) {
      log.warn('link.note-failed', { instance: instanceName, ...errorFields(error) })
    }
  }

  async function monitor<T>(instanceName: string, sending: Promise<T>): Promise<T> {
    try {
      const accepted = await sending
      await note(instanceName, null)
      return accepted
    } catch (error) {
      if (error instanceof GatewayError) await note(instanceName, error.fault)
      throw error
    }
  }

  return {
    sendText: (instanceName, input) => monitor(instanceName, gateway.sendText(instanceName, input)),
    sendMedia: (instanceName, input) => monitor(instanceName, gateway.sendMedia(instanceName, input)),
    sendLocation: (instanceName, input) => monitor(instanceName, gateway.sendLocation(instanceName, input)),
    sendContact: (instanceName, input) => monitor(instanceName, gateway.sendContact(instanceName, input)),
    sendReaction: (instanceName, input) => monitor(instanceName, gateway.sendReaction(instanceName, input)),
    sendEdit: (instanceName, input) => monitor(instanceName, gateway.sendEdit(instanceName, input)),
    sendDeletion: (instanceName, input) => monitor(instanceName, gateway.sendDeletion(instanceName, input)),
  }
}
