// Moves media from one store to another: copies, compares by hash, then deletes at the source once nobody reads there.
import { Readable } from 'node:stream'
import type { Clock } from '#server/clock.ts'
import type { BucketStore } from './bucket/bucket.ts'
import { isStoreAway, mediaId, readPrints, type MediaStore, type StoredMedia } from './media-store.ts'

/**
 * `there`: an earlier run has moved it. `gone`: it was deleted at the source meanwhile, for example by an erasure.
 * `damaged`: the bytes do not have the hash of their name, on one of the two sides; both stay.
 */
export type Carrying = 'carried' | 'there' | 'gone' | 'damaged'

type CarryOne = (id: string) => Promise<Carrying>

/** Into a bucket; nothing is held in memory. */
export const carryOut = (source: MediaStore, bucket: BucketStore): CarryOne =>
  unlessErased(source, async (id) => {
    const found = await source.find(id)
    if (!found) return 'gone'
    const prints = await readPrints(found.read())
    if (prints.sha256 !== id) return 'damaged'
    if (await bucket.holds(id, prints)) return 'there'
    await bucket.putKnown(id, { sizeBytes: prints.sizeBytes, open: () => fromWeb(found) })
    return (await bucket.holds(id, prints)) ? 'carried' : 'damaged'
  })

/** Into a folder or the database, one file in memory at a time. */
export const carryHome = (source: MediaStore, home: MediaStore): CarryOne =>
  unlessErased(source, async (id) => {
    if (await isWhole(home, id)) return 'there'
    const found = await source.find(id)
    if (!found) return 'gone'
    const bytes = new Uint8Array(await new Response(found.read()).arrayBuffer())
    if (mediaId(bytes) !== id) return 'damaged'
    await home.put(bytes)
    return (await isWhole(home, id)) ? 'carried' : 'damaged'
  })

/** Bytes that are erased during the read end early, or with an error. */
const unlessErased =
  (source: MediaStore, carry: CarryOne): CarryOne =>
  async (id) => {
    try {
      const end = await carry(id)
      return (await source.find(id)) ? end : 'gone'
    } catch (error) {
      if (isStoreAway(error) || (await source.find(id))) throw error
      return 'gone'
    }
  }

async function isWhole(store: MediaStore, id: string): Promise<boolean> {
  const found = await store.find(id)
  return found !== null && (await readPrints(found.read())).sha256 === id
}

/** Node types its conversion for its own stream, which has the same interface. */
const fromWeb = (found: StoredMedia) =>
  Readable.fromWeb(found.read() as Parameters<typeof Readable.fromWeb>[0])

export type Tally = {
  carried: number
  there: number
  damaged: string[]
  /**
   * Files that were moved but are still at the source, because they were put a moment ago. The next run deletes them
   * there.
   */
  left: number
}

export const isAllCarried = ({ left, damaged }: Tally): boolean => left === 0 && damaged.length === 0

export const joinTallies = (one: Tally, other: Tally): Tally => ({
  carried: one.carried + other.carried,
  there: one.there + other.there,
  damaged: [...one.damaged, ...other.damaged],
  left: one.left + other.left,
})

const LANES = 4
/** Waits for a store that does not answer, at most a minute in total. */
const AGAIN = { times: 12, afterMs: 5_000 }

type Way = {
  source: MediaStore
  carry: CarryOne
  /** True: the source deletes each file that has arrived. */
  isCleared: boolean
  clock: Clock
  /** The mover calls it for bytes that were erased during the move. */
  onGone: (id: string) => Promise<unknown>
  onGroup?: (tally: Tally) => void
}

/**
 * Moves everything from the source. Raises `media.store-away` if a store stays away; a repeated run continues there.
 */
export async function carryAll(way: Way): Promise<Tally> {
  const tally: Tally = { carried: 0, there: 0, damaged: [], left: 0 }
  for await (const ids of way.source.list()) {
    const rest = ids[Symbol.iterator]()
    const lane = async () => {
      for (const id of rest) await carryOne(way, id, tally)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    way.onGroup?.(tally)
  }
  return tally
}

async function carryOne(way: Way, id: string, tally: Tally): Promise<void> {
  const end = await patiently(way.clock, () => way.carry(id))
  if (end === 'damaged') return void tally.damaged.push(id)
  if (end === 'gone') return void (await way.onGone(id))
  tally[end] += 1
  if (way.isCleared && !(await patiently(way.clock, () => way.source.remove(id)))) tally.left += 1
}

async function patiently<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  for (let times = 1; ; times++) {
    try {
      return await work()
    } catch (error) {
      if (!isStoreAway(error) || times === AGAIN.times) throw error
      await clock.sleep(AGAIN.afterMs)
    }
  }
}
