// What transactions notify of (portal.notify_channel), sent to every portal once they are committed: a NOTIFY within them would hold a lock of the
// whole server until their flush, so that all writers would go one flush after the other.

const TRY_AGAIN_MS = 1_000
/** More than that at once is no list any more: whoever listens reads again whatever is shown. */
const MAX_WAITING = 10_000
const GAP = { channel: 'portal', payload: '{"kind":"gap"}' }

export type Announcement = { channel: string; payload: string }

/** As the driver hands over what a statement raises. */
type Notice = { message?: string | undefined; hint?: string | undefined; detail?: string | undefined }

/** What a statement notifies of, sent to its client by portal.notify_channel; null for any other notice. */
export const readAnnouncement = (notice: Notice): Announcement | null =>
  notice.message === 'portal.notify' && notice.hint !== undefined
    ? { channel: notice.hint, payload: notice.detail ?? '' }
    : null

export type Announcer = {
  /** Sends it after what waits already, equal ones once; tries again for as long as it must. */
  announce(announcements: readonly Announcement[]): void
  /** Resolves once everything is sent, or cannot be. */
  close(): Promise<void>
}

export function createAnnouncer(options: {
  send: (channels: string[], payloads: string[]) => Promise<unknown>
  onError: (error: Error) => void
}): Announcer {
  const { send, onError } = options
  let waiting = new Map<string, Announcement>()
  let sending: Promise<void> | undefined
  let isClosed = false
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
      } catch (error) {
        if (isClosed) return
        onError(error instanceof Error ? error : new Error(String(error)))
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
