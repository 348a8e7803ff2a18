// Shows 'digitando…' to a campaign's next recipient within the gap, so that no reply of a person waits for it in the
// instance's queue.
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { Coming } from './campaign-store.ts'

export type TypingParts = {
  clock: Clock
  log: Log
  delayMs: { min: number; max: number }
  /** Undefined: there is no gateway, so nothing is sent. */
  showTyping:
    ((instanceName: string, input: { number: string; delayMs: number }) => Promise<void>) | undefined
}

export function createTyping({ clock, log, delayMs, showTyping }: TypingParts) {
  /** The next message of each campaign, and since when 'digitando…' is shown before it. */
  const next = new Map<number, { sendAtMs: number; typingMs: number; isShown: boolean }>()

  function show({ id, instanceName, sendAtMs, address: number }: Coming) {
    const known = next.get(id)
    const planned =
      known?.sendAtMs === sendAtMs
        ? known
        : { sendAtMs, typingMs: clock.randomBetween(delayMs.min, delayMs.max), isShown: false }
    next.set(id, planned)
    const leftMs = sendAtMs - clock.now()
    if (planned.isShown || leftMs > planned.typingMs) return
    planned.isShown = true
    // The gateway answers when 'digitando…' is over. The message is sent even if this call fails.
    showTyping?.(instanceName, { number, delayMs: leftMs }).catch((error: unknown) =>
      log.info('campaign.typing-not-shown', { campaignId: id, ...errorFields(error) }),
    )
  }

  return {
    show,
    /** True once the lead saw 'digitando…' before the campaign's next message. */
    wasShown: (id: number): boolean => next.get(id)?.isShown === true,
    /** The message is in the queue, so its typing need not be shown any more. */
    forget: (id: number) => void next.delete(id),
  }
}
