// Reads what a browser has stored on its device.
import type { Page } from '@playwright/test'

type Ask = { database?: string; store: string; work: 'count' | 'getAll' }

/** Reads from an IndexedDB store. */
export function askDevice(page: Page, { database = 'portal', store, work }: Ask): Promise<unknown> {
  return page.evaluate(
    async ([name, storeName, verb]) => {
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.addEventListener('success', () => resolve(request.result))
          request.addEventListener('error', () => reject(request.error ?? new Error(storeName)))
        })
      const db = await done(indexedDB.open(name))
      try {
        const rows = db.transaction(storeName).objectStore(storeName)
        return verb === 'count' ? await done(rows.count()) : await done<unknown[]>(rows.getAll())
      } finally {
        db.close()
      }
    },
    [database, store, work] as const,
  )
}

/** Replaces a value of an IndexedDB store; a store with keys of its own needs no `key`. */
export async function putOnDevice(
  page: Page,
  {
    database = 'portal',
    store,
    values,
    key,
  }: { database?: string; store: string; values: unknown[]; key?: string },
): Promise<void> {
  await page.evaluate(
    ([name, storeName, rows, of]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name)
        // Only the session's database can be missing here.
        opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(storeName))
        opening.addEventListener('error', () => reject(opening.error ?? new Error(storeName)))
        opening.addEventListener('success', () => {
          const writing = opening.result.transaction(storeName, 'readwrite')
          for (const row of rows) writing.objectStore(storeName).put(row, of)
          writing.addEventListener('complete', () => {
            opening.result.close()
            resolve()
          })
        })
      }),
    [database, store, values, key] as const,
  )
}

const SESSION = { database: 'portal-session', store: 'session' }

/** Stores a session, as text, where the app stores its own. */
export const putSession = (page: Page, session: string) =>
  putOnDevice(page, { ...SESSION, values: [session], key: 'session' })

/** The names of the stored responses, such as `page /broker` for a page's snapshot. */
export async function heldAnswers(page: Page): Promise<string[]> {
  const answers = (await askDevice(page, { store: 'answers', work: 'getAll' })) as { name: string }[]
  return answers.map(({ name }) => name)
}

/** Everything stored about leads, as text. */
export async function storedTextOf(page: Page): Promise<string> {
  const stores = ['leads', 'answers', 'outbox', 'drafts']
  return JSON.stringify(await Promise.all(stores.map((store) => askDevice(page, { store, work: 'getAll' }))))
}
