// Caches the catalog: loaded at the first use, and again after a migration or NOTIFY pgrst.
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { RestError } from '../errors.ts'
import { loadCatalog, loadTimeZones } from './load.ts'
import type { Catalog } from './model.ts'

export type CatalogCache = {
  get(): Promise<Catalog>
  /** Time zones of Postgres, which do not change while it runs. */
  timeZones(): Promise<ReadonlySet<string>>
  reload(): Promise<void>
}

export function createCatalogCache(options: {
  db: Database
  log: Log
  schemas: readonly string[]
}): CatalogCache {
  const { db, log, schemas } = options
  let catalog: Promise<Catalog> | null = null
  let zones: Promise<ReadonlySet<string>> | null = null
  let listening: Promise<unknown> | null = null

  const load = () => {
    const loading = loadCatalog(db, schemas)
    catalog = loading
    loading.catch(() => {
      if (catalog === loading) catalog = null
    })
    return loading
  }

  /** Listens before the first load, so that no change in between is missed. */
  const listen = () =>
    (listening ??= db
      .listen(
        'pgrst',
        (payload) => {
          if (payload === '' || payload === 'reload schema') catalog = null
        },
        () => (catalog = null),
      )
      .catch((error: unknown) => {
        listening = null
        log.warn('rest.listen-failed', errorFields(error))
      }))

  return {
    get: async () => {
      if (!listening) await listen()
      try {
        return await (catalog ?? load())
      } catch (error) {
        log.error('rest.catalog-failed', errorFields(error))
        throw new RestError({
          status: 503,
          code: 'PGRST002',
          message: 'Could not query the database for the schema cache. Retrying.',
        })
      }
    },
    timeZones: () => {
      zones ??= loadTimeZones(db)
      zones.catch(() => (zones = null))
      return zones
    },
    reload: async () => void (await load()),
  }
}
