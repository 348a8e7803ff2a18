// A broker's page as it was last seen at an address: a new tab shows it until the app has drawn the same.
import { readDevice } from './database.ts'

export type PageSnapshot = {
  /** What stood in the page; inline styles, which no policy lets a text bring, stand in `data-style`. */
  html: string
  /** Of what it was taken (`pageState`): of anything else it would show what is not so. */
  state: string
  theme: string | undefined
  /** Then what it shows may be over. */
  untilMs: number
}

/** By what the device holds (`FirstScreen`), how wide the window is and which build draws it. */
export const pageState = (asOf: string | undefined) => `${asOf} ${innerWidth} ${import.meta.url}`

export const snapshotName = (pathname: string) => `page ${pathname}`

/** Null where none is kept. */
export function readPageSnapshot(owner: string): Promise<PageSnapshot | null> {
  return readDevice(async (db) => {
    const stored = await db.get('answers', [owner, snapshotName(location.pathname)])
    // Whoever may write there runs in this page already.
    return (stored?.data as PageSnapshot | undefined) ?? null
  })
}
