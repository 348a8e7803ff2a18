// A broker's last page at an address: a new tab shows it until the app has rendered the same.
import { type PortalDatabase, readDevice } from './database.ts'
import { type BoardKey, boardKey } from './stores.ts'

export type PageSnapshot = {
  /**
   * The page's HTML. Inline styles are in `data-style`, because the content security policy forbids them in HTML text.
   */
  html: string
  /** The fingerprint (`stateOf`) of the data shown; with other data the page would be wrong. */
  state: string
  theme: string | undefined
  /** After this time the content may be outdated. */
  untilMs: number
}

export const snapshotName = (pathname: string) => `page ${pathname}`

/** Null if no page is stored or it may be outdated. */
export function readUnchangedPage(key: BoardKey): Promise<PageSnapshot | null> {
  return readDevice(async (db) => {
    const name = snapshotName(location.pathname)
    const [kept, state] = await Promise.all([db.get('answers', [key.owner, name]), readState(db, key)])
    // Not validated: only code in this page can write there.
    const page = kept?.data as PageSnapshot | undefined
    return location.search === '' && page?.state === state && Date.now() < page.untilMs ? page : null
  })
}

/** The `stateOf` of the stored data. */
export async function readState(db: PortalDatabase, key: BoardKey): Promise<string> {
  const [head, waiting] = await Promise.all([db.get('boards', boardKey(key)), db.getAll('outbox')])
  const own = waiting.filter(({ userId }) => userId === key.owner)
  return stateOf(head?.cursor, own)
}

/**
 * A fingerprint of what the page depends on: cursor, outbox, window width, build. If it is equal, the snapshot is
 * valid.
 */
export const stateOf = (cursor: string | undefined, waiting: readonly { seq: number; state: string }[]) =>
  [cursor, ...waiting.map(({ seq, state }) => seq + state), innerWidth, import.meta.url].join(' ')
