// Sends the notices of transactions (portal.notify_channel) to every portal after their commit. A NOTIFY inside a
// transaction would lock the whole server until its flush, so that all writers would wait for each other's flush.

const TRY_AGAIN_MS = 300
/** If more notices wait than this, the portal sends listeners one notice instead: read again whatever you show. */
const MAX_WAITING = 10_000
const GAP = { channel: 'portal', payload: '{"kind":"gap"}' }

export type Announcement = { channel: string; payload: string }

/** A notice as the driver delivers it. */
type Notice = { message?: string | undefined; hint?: string | undefined; detail?: string | undefined }

/** The channel and payload of a notice by portal.notify_channel; null for any other notice. */
export const readAnnouncement = (notice: Notice): Announcement | null =>
  notice.message === 'portal.notify' && notice.hint !== undefined
    ? { channel: notice.hint, payload: notice.detail ?? '' }
    : null

export type Announcer = {
  /** Sends it after those that wait, equal ones once. Tries until it succeeds. */
  announce(announcements: readonly Announcement[]): void
  /** Resolves once everything is sent or given up. */
  close(): Promise<void>
}

export function createAnnouncer(options: {
  send: (channels: string[], payloads: string[]) => Promise<unknown>
  /** Gets the first error of a row of failures, not the others. */
  onError: (error: Error) => void
}): Announcer {
  const { send, onError } = options
  let waiting = new Map<string, Announcement>()
  let sending: Promise<void> | undefined
  let isClosed = false
  let isFailing = false
  let wake: (() => void) | undefined

  const add = (announcement: Announcement) => {
    waiting.set(`${announcement.channel} ${announcement.payload}`, announcement)
    if (waiting.size > MAX_WAITING) waiting = new Map([['', GAP]])
  }
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, TRY_AGAIN_MS)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function sendAll() {
    while (waiting.size > 0) {
      const now = [...waiting.values()]
      waiting = new Map()
      try {
        await send(
          now.map(({ channel }) => channel),
          now.map(({ payload }) => payload),
        )
        isFailing = false
      } catch (error) {
        if (isClosed) return
        if (!isFailing) onError(error instanceof Error ? error : new Error(String(error)))
        isFailing = true
        const later = waiting
        waiting = new Map()
        for (const announcement of [...now, ...later.values()]) add(announcement)
        await pause()
      }
    }
  }

  return {
    announce: (announcement) => {
      announcement.forEach(add)
      if (waiting.size > 0) sending ??= sendAll().finally(() => (sending = undefined))
    },
    close: async () => {
      isClosed = true
      wake?.()
      await sending
    },
  }
}
