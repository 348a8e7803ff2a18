// Fetches the photos of listings, one after the other, and stores each in three sizes. Waiting photos are rows of a
// table, so a restart continues.
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { GetError, type Get } from '#server/http/address/get.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { createWorker, type Worker } from '#server/worker.ts'
import { MAX_PICTURE_BYTES, storePicture, type MakePicture } from '../files.ts'
import type { createFeedRuns, DuePhoto, StoredPhoto } from './feed-store.ts'

/** Maximum bytes of all photos of listings together; further ones are not fetched. */
export const MAX_PHOTO_BYTES = 2 * 1024 ** 3
const POLL_EVERY_MS = 30_000
const TIMEOUT_MS = 60_000
/** At most three photos a second, because the server that has them belongs to somebody else. */
const PACE_MS = 300
const MAX_ATTEMPTS = 3
const RETRY_AFTER_MS = 10 * 60_000

type PhotoParts = {
  runs: ReturnType<typeof createFeedRuns>
  clock: Clock
  log: Log
  get: Get
  storage: MediaStore
  makePicture: MakePicture
  maxBytes?: number
}

export function createPhotoWorker(parts: PhotoParts): Worker {
  const { runs, clock, log, get, storage, makePicture, maxBytes = MAX_PHOTO_BYTES } = parts

  const fetchBytes = (url: string) =>
    get(url, { timeoutMs: TIMEOUT_MS }, async ({ status, body }) => {
      if (status !== 200) throw new PortalError('photo.status', `A foto não respondeu (${status}).`)
      return wholeOf(body)
    })

  async function fetchPhoto({ url }: DuePhoto): Promise<StoredPhoto> {
    const bytes = await fetchBytes(url).catch((error: unknown) => {
      // Old feeds have http addresses of servers that speak https, too.
      if (!(error instanceof GetError) || error.fault !== 'address' || !url.startsWith('http:')) throw error
      return fetchBytes(url.replace('http:', 'https:'))
    })
    return storePicture(storage, await makePicture(bytes))
  }

  async function settle(due: DuePhoto) {
    try {
      await runs.settlePhoto(due, { photo: await fetchPhoto(due), fault: null, nextMs: null })
    } catch (error) {
      const isPassing = !(error instanceof PortalError && error.code === 'development.file')
      const isLast = !isPassing || due.attempts >= MAX_ATTEMPTS
      const nextMs = isLast ? null : clock.now() + RETRY_AFTER_MS * due.attempts
      await runs.settlePhoto(due, { photo: null, fault: faultOf(error), nextMs })
      if (!(error instanceof PortalError) && !(error instanceof GetError))
        log.warn('feed.photo-failed', { listingId: due.listingId, ...errorFields(error) })
    }
  }

  return createWorker({
    name: 'feed-photos',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: async (stopping) => {
      const [due] = await runs.duePhotos(clock.now(), maxBytes, 1)
      if (due === undefined) return false
      await settle(due)
      await clock.sleep(PACE_MS, stopping)
      return true
    },
    onFailed: (error) => log.warn('feed.photos-failed', errorFields(error)),
  })
}

function faultOf(error: unknown): string {
  if (error instanceof PortalError) return error.message
  return error instanceof GetError ? 'A foto não respondeu.' : 'A foto não pôde ser guardada.'
}

async function wholeOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > MAX_PICTURE_BYTES)
      throw new PortalError('development.file', 'Esta foto passa de 8 MB.', { status: 422 })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
