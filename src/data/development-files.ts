// The URLs of developments' pictures and documents.
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from './keys.ts'

/** The server's URLs expire after ten minutes, so new ones are fetched before that. */
const FRESH_MS = 8 * 60_000
const Urls = v.object({ urls: v.record(v.string(), v.string()) })

/** Reads the URLs by file id. Files that the user may not read are missing. */
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
    // The other photos stay visible while a new one's URL is fetched.
    placeholderData: (before) => before,
  })
