// Reads the gateway's stored messages page by page, and feeds them into the path of webhooks.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import type { FoundRecords } from '#server/delivery.ts'
import type { Gateway, MessageSearch } from '#server/gateway.ts'
import { hiddenJids, markGapRead, markRead, recentJids, unreadGap, unreadSince } from './reconcile-store.ts'

export type ReconcileOptions = {
  db: Database
  gateway: Pick<Gateway, 'findMessages'>
  clock: Clock
  log: Log
  /** The path of webhooks; returns how many messages were new. */
  ingest: (found: FoundRecords) => Promise<number>
}

/** Number of new messages, and whether more history may still reach the gateway. */
export type Swept = { added: number; isSettled: boolean }

const PAGE_SIZE = 100
/** Maximum pages that are read for all chats, and for one chat. Older messages are not read. */
const MAX_PAGES = 50
const MAX_CHAT_PAGES = 4
/** Reads an hour more, because messages may be delivered late and clocks differ. */
const OVERLAP_SECONDS = 3_600

type Where = Pick<MessageSearch, 'jid' | 'between'>

/** Every method rejects with GatewayError if the gateway cannot be read; all stop when `signal` aborts. */
export function createReadBack({ db, gateway, clock, log, ingest }: ReconcileOptions, signal: AbortSignal) {
  async function* pagesOf(instanceName: string, where: Where): AsyncGenerator<number> {
    for (let page = 1; !signal.aborted; page++) {
      const atMs = clock.now()
      const { records, hasMore, kind } = await gateway.findMessages(instanceName, {
        ...where,
        page,
        pageSize: PAGE_SIZE,
      })
      yield await ingest({ instanceName, kind, records, atMs })
      if (!hasMore) return
    }
  }

  async function readTime(instanceName: string, between: MessageSearch['between'] & {}): Promise<number> {
    let added = 0
    let pages = 0
    for await (const addedOnPage of pagesOf(instanceName, { between })) {
      added += addedOnPage
      if (++pages < MAX_PAGES) continue
      log.warn('heal.cut-short', { instance: instanceName, pages })
      break
    }
    return added
  }

  /** Reads newest messages first, until a page has nothing new. */
  async function readChats(instanceName: string, jids: readonly string[]): Promise<number> {
    let added = 0
    for (const jid of jids) {
      let pages = 0
      for await (const addedOnPage of pagesOf(instanceName, { jid })) {
        added += addedOnPage
        if (addedOnPage === 0 || ++pages === MAX_CHAT_PAGES) break
      }
    }
    return added
  }

  /** Reads history that a phone delivered more than an hour after it was linked again. */
  async function readGap(instanceName: string, nowSeconds: number): Promise<number> {
    const gap = await unreadGap(db, instanceName, nowSeconds)
    if (!gap) return 0
    const added = await readTime(instanceName, { fromSeconds: gap.from, toSeconds: gap.to + OVERLAP_SECONDS })
    if (!signal.aborted) await markGapRead(db, instanceName, nowSeconds)
    return added
  }

  /** Chats with a hidden number: another record may contain it. */
  async function readHidden(instanceName: string): Promise<number> {
    return readChats(instanceName, await hiddenJids(db, instanceName))
  }

  return {
    hidden: readHidden,
    /**
     * Reads all chats since the last sweep, and after a reconnect the addresses of recently active contacts. Then it reads
     * history that a phone delivered late, and the chats whose number is unknown.
     */
    all: async (instanceName: string, isReconnect: boolean): Promise<Swept> => {
      const nowSeconds = Math.floor(clock.now() / 1000)
      const { read, from } = await unreadSince(db, instanceName, nowSeconds)
      let added = await readTime(instanceName, {
        fromSeconds: Math.max(read - OVERLAP_SECONDS, from),
        toSeconds: nowSeconds + OVERLAP_SECONDS,
      })
      if (isReconnect) added += await readChats(instanceName, await recentJids(db, instanceName))
      added += await readGap(instanceName, nowSeconds)
      added += await readHidden(instanceName)
      const end = signal.aborted ? 'closed' : await markRead(db, instanceName, nowSeconds)
      if (added > 0) log.info('heal.found', { instance: instanceName, added })
      return { added, isSettled: end !== 'unsettled' }
    },
  }
}
