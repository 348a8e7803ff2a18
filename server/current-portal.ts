// The portal that answers now. A new one takes its place when an administrator changes where the WhatsApp service is.
import { errorFields, type Log } from '#server/log.ts'
import type { Portal } from '#server/portal.ts'

type Replaced = Pick<Portal, 'start' | 'stop' | 'endEvents'>

export type CurrentPortal<P extends Replaced> = {
  get: () => P
  /** Resolves once the new portal works. Where none can be made the one before goes on. Calls take turns. */
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
      // The one before goes on until here; what it has under way ends there.
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
