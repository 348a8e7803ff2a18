// A broker's page as it was last seen at an address: a new tab shows it until the app has drawn the same.
import { type PortalDatabase, readDevice } from './database.ts'
import { type BoardKey, boardKey } from './stores.ts'

export type PageSnapshot = {
  /** What stood in the page; inline styles, which no policy lets a text bring, stand in `data-style`. */
  html: string
  /** Of what it was taken (`stateOf`): of anything else it would show what is not so. */
  state: string
  theme: string | undefined
  /** Then what it shows may be over. */
  untilMs: number
}

export const snapshotName = (pathname: string) => `page ${pathname}`

/** Null where none is kept, or where it shows what may not be so any more. */
export function readUnchangedPage(key: BoardKey): Promise<PageSnapshot | null> {
  return readDevice(async (db) => {
    const name = snapshotName(location.pathname)
    const [kept, state] = await Promise.all([db.get('answers', [key.owner, name]), readState(db, key)])
    // Whoever may write there runs in this page already.
    const page = kept?.data as PageSnapshot | undefined
    return location.search === '' && page?.state === state && Date.now() < page.untilMs ? page : null
  })
}

/** `stateOf` what the device holds. */
export async function readState(db: PortalDatabase, key: BoardKey): Promise<string> {
  const [head, waiting] = await Promise.all([db.get('boards', boardKey(key)), db.getAll('outbox')])
  const own = waiting.filter(({ userId }) => userId === key.owner)
  return stateOf(head?.cursor, own)
}

/** The same says that nothing changed: where the server's sequence stood, what waits here, how wide the window is, the build. */
export const stateOf = (cursor: string | undefined, waiting: readonly { seq: number; state: string }[]) =>
  [cursor, ...waiting.map(({ seq, state }) => seq + state), innerWidth, import.meta.url].join(' ')
