// Addresses of developments' pictures and documents.
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from './keys.ts'

/** Addresses live ten minutes. */
const FRESH_MS = 8 * 60_000
const Urls = v.object({ urls: v.record(v.string(), v.string()) })

/** The address of each file that may be read, by its id. */
export const filesQuery = (ids: readonly number[], isSmall: boolean) =>
  queryOptions({
    queryKey: keys.developmentFiles(ids, isSmall),
    queryFn: async ({ signal }) =>
      v.parse(
        Urls,
        await portal('/api/developments/files', { method: 'POST', body: { ids, isSmall }, signal }),
      ).urls,
    enabled: ids.length > 0,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
    // A new photo leaves the others shown.
    placeholderData: (before) => before,
  })
