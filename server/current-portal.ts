// The portal that answers requests now. A new one replaces it when an administrator changes the WhatsApp gateway.
import { errorFields, type Log } from '#server/log.ts'
import type { Portal } from '#server/portal.ts'

type Replaced = Pick<Portal, 'start' | 'stop' | 'endEvents'>

export type CurrentPortal<P extends Replaced> = {
  get: () => P
  /** Resolves once the new portal works. If it cannot be created, the old one continues. Calls run in sequence. */
  replace: () => Promise<void>
}

export function createCurrentPortal<P extends Replaced>(
  first: P,
  make: () => Promise<P>,
  log: Log,
): CurrentPortal<P> {
  let portal = first
  let replacing = Promise.resolve()

  async function replaceNow() {
    try {
      const before = portal
      const next = await make()
      portal = next
      // From here on the new portal gets the requests. The old one finishes those that it has.
      before.endEvents()
      await before.stop().catch((error: unknown) => log.warn('portal.not-stopped', errorFields(error)))
      next.start()
      log.info('portal.made-anew', { reason: 'gateway' })
    } catch (error) {
      log.error('portal.not-made-anew', errorFields(error))
    }
  }

  return { get: () => portal, replace: () => (replacing = replacing.then(replaceNow)) }
}
