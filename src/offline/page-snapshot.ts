// The last page that a broker saw at an address. A new tab shows it until the app has rendered the same page.
import { type PortalDatabase, readDevice } from './database.ts'
import { type BoardKey, boardKey } from './stores.ts'

export type PageSnapshot = {
  /** The page's HTML. Inline styles are in `data-style`, because the content security policy forbids inline styles. */
  html: string
  /** The fingerprint (`stateOf`) of the shown data. If it differs from the stored data's, the page is not shown. */
  state: string
  theme: string | undefined
  /** After this time the page counts as outdated. */
  untilMs: number
}

export const snapshotName = (pathname: string) => `page ${pathname}`

/** Returns the stored page; null if there is none, or if it may be outdated. */
export function readUnchangedPage(key: BoardKey): Promise<PageSnapshot | null> {
  return readDevice(async (db) => {
    const name = snapshotName(location.pathname)
    const [kept, state] = await Promise.all([db.get('answers', [key.owner, name]), readState(db, key)])
    // The cast is safe, because only this app writes there.
    const page = kept?.data as PageSnapshot | undefined
    return location.search === '' && page?.state === state && Date.now() < page.untilMs ? page : null
  })
}

/** Returns the fingerprint of the data that is stored now. */
export async function readState(db: PortalDatabase, key: BoardKey): Promise<string> {
  const [head, waiting] = await Promise.all([db.get('boards', boardKey(key)), db.getAll('outbox')])
  const own = waiting.filter(({ userId }) => userId === key.owner)
  return stateOf(head?.cursor, own)
}

/**
 * A fingerprint of all that the page depends on: cursor, outbox, window width, build. If it is equal, the snapshot is
 * valid.
 */
export const stateOf = (cursor: string | undefined, waiting: readonly { seq: number; state: string }[]) =>
  [cursor, ...waiting.map(({ seq, state }) => seq + state), innerWidth, import.meta.url].join(' ')
