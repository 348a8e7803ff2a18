// Reads and changes the feed of listings, for administrators: its address, what a reading would change, its listings,
// and what is published.
import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { upload } from '#api/upload.ts'
import { keys } from '#data/keys.ts'
import { LEFT_OUT_REASONS } from '#domain/development/left-out.ts'

const text = v.nullable(v.string())
const number = v.nullable(v.number())
const RunFields = {
  id: v.number(),
  source: v.picklist(['address', 'file']),
  state: v.picklist(['reading', 'waiting', 'applied', 'same', 'refused', 'failed', 'replaced']),
  started_at: v.string(),
  fault: text,
  total: v.number(),
  added: v.number(),
  changed: v.number(),
  gone: v.number(),
  known: v.number(),
  applied: v.number(),
  problem_count: v.number(),
}
const State = v.object({
  address: text,
  isHourly: v.boolean(),
  isAsked: v.boolean(),
  checkedAt: text,
  listings: v.number(),
  left: v.number(),
  photos: v.object({ stored: v.number(), waiting: v.number(), failed: v.number(), isFull: v.boolean() }),
  run: v.nullable(v.object({ ...RunFields, newDevelopments: v.number() })),
  runs: v.array(v.object(RunFields)),
  problems: v.nullable(v.array(v.object({ line: v.number(), code: text, message: v.string() }))),
})
export type FeedState = v.InferOutput<typeof State>
export type FeedRun = FeedState['runs'][number]
export type WaitingRun = NonNullable<FeedState['run']>

const Changes = v.object({
  changes: v.array(
    v.object({
      code: v.string(),
      kind: v.picklist(['new', 'changed', 'gone']),
      title: v.string(),
      fields: v.array(v.string()),
      beforeCents: number,
      afterCents: number,
      development: text,
    }),
  ),
})
export type FeedChange = v.InferOutput<typeof Changes>['changes'][number]
export type ChangeKind = FeedChange['kind']

const Listings = v.object({
  listings: v.array(
    v.object({
      id: v.number(),
      code: v.string(),
      title: v.string(),
      business: v.picklist(['venda', 'aluguel', 'ambos']),
      saleCents: number,
      rentCents: number,
      pricedOn: text,
      district: text,
      city: text,
      development: text,
      lister: text,
      leftFeedAt: text,
      description: text,
      area: number,
      bedrooms: number,
      suites: number,
      bathrooms: number,
      parking: number,
      /** For each field that a person edited: the feed's own value, which the edit replaces. */
      kept: v.record(v.string(), v.nullable(v.union([v.string(), v.number()]))),
      slug: text,
      isPublished: v.boolean(),
    }),
  ),
})
export type Listing = v.InferOutput<typeof Listings>['listings'][number]

const Publishing = v.object({
  out: v.nullable(v.object({ email: v.string(), state: v.string(), madeAt: v.string() })),
  tellsVisits: v.boolean(),
  published: v.number(),
  developments: v.array(v.object({ id: v.number(), name: v.string(), slug: text, isPublished: v.boolean() })),
})
export type Publishing = v.InferOutput<typeof Publishing>

const LeftOut = v.object({
  total: v.number(),
  reasons: v.array(
    v.object({
      reason: v.picklist(LEFT_OUT_REASONS),
      count: v.number(),
      /** The first hundred. */
      items: v.array(v.object({ code: v.string(), name: v.string(), kind: text, developmentId: number })),
    }),
  ),
})
type LeftOut = v.InferOutput<typeof LeftOut>
export type LeftOutGroup = LeftOut['reasons'][number]

const key = (...parts: (string | number)[]) => [...keys.developments(), 'feed', ...parts]
const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.developments() })
const PAGE = 200
const READING_MS = 2_000

export const isReading = ({ run, isAsked }: FeedState): boolean => run?.state === 'reading' || isAsked

export const feedQuery = () =>
  queryOptions({
    queryKey: key(),
    queryFn: async ({ signal }): Promise<FeedState> =>
      v.parse(State, await portal('/api/developments/feed', { signal })),
    staleTime: 0,
    // The page polls while the portal is reading the feed, because no live event tells the reading's progress.
    refetchInterval: ({ state: { data } }) => (data && isReading(data) ? READING_MS : false),
  })

export const changesQuery = (run: number, kind: ChangeKind | null) =>
  infiniteQueryOptions({
    queryKey: key('changes', run, kind ?? ''),
    queryFn: async ({ signal, pageParam }): Promise<readonly FeedChange[]> => {
      const query = new URLSearchParams({
        ...(kind && { kind }),
        ...(pageParam !== '' && { after: pageParam }),
      })
      return v.parse(Changes, await portal(`/api/developments/feed/runs/${run}/changes?${query}`, { signal }))
        .changes
    },
    initialPageParam: '',
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.code),
  })

export type ListingFilter = 'feed' | 'published' | 'left'

export const listingsQuery = (filter: ListingFilter, search: string) =>
  infiniteQueryOptions({
    queryKey: key('listings', filter, search),
    queryFn: async ({ signal, pageParam }): Promise<readonly Listing[]> => {
      const query = new URLSearchParams({
        ...(filter !== 'feed' && { filter }),
        ...(search !== '' && { search }),
        ...(pageParam > 0 && { after: String(pageParam) }),
      })
      return v.parse(Listings, await portal(`/api/developments/feed/listings?${query}`, { signal })).listings
    },
    initialPageParam: 0,
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
    placeholderData: (before) => before,
  })

export const publishingQuery = () =>
  queryOptions({
    queryKey: key('publishing'),
    queryFn: async ({ signal }): Promise<Publishing> =>
      v.parse(Publishing, await portal('/api/developments/pages', { signal })),
  })

/** The published items that the feed for portals leaves out, with the reasons. */
export const leftOutQuery = () =>
  queryOptions({
    queryKey: key('left-out'),
    queryFn: async ({ signal }): Promise<LeftOut> =>
      v.parse(LeftOut, await portal('/api/developments/pages/left-out', { signal })),
    // Always read again when the page opens, because the user may have mended something meanwhile.
    staleTime: 0,
  })

export const saveFeed = () =>
  mutationOptions({
    mutationFn: async (body: { address: string | null; isHourly: boolean }, { client }) => {
      await portal('/api/developments/feed', { method: 'PUT', body })
      await readAgain(client)
    },
  })

export const readNow = () =>
  mutationOptions({
    mutationFn: async (_: void, { client }) => {
      await portal('/api/developments/feed/read', { method: 'POST', body: {} })
      await readAgain(client)
    },
  })

/** Throws PortalError `feed.unreadable`, `feed.too-large`, `feed.busy`. */
export const readFeedFile = () =>
  mutationOptions({
    mutationFn: async (
      { file, onProgress }: { file: File; onProgress: (ratio: number) => void },
      { client },
    ) => {
      try {
        await upload({
          path: '/api/developments/feed/file',
          body: file,
          headers: { 'content-type': 'application/xml' },
          onProgress,
          signal: new AbortController().signal,
        })
      } finally {
        await readAgain(client)
      }
    },
  })

/** Throws PortalError `feed.invalid`, `listing.unknown`. */
export const saveListing = (id: number) =>
  mutationOptions({
    mutationFn: async (body: object, { client }) => {
      await portal(`/api/developments/feed/listings/${id}`, { method: 'POST', body })
      await readAgain(client)
    },
  })

const Applied = v.object({ count: v.number() })

/** Throws PortalError `feed.refused`, `feed.replaced`. */
export const applyRun = (run: number) =>
  mutationOptions({
    mutationFn: async (body: { except: readonly string[]; confirmed: number | null }, { client }) => {
      const answer = await portal(`/api/developments/feed/runs/${run}/apply`, { method: 'POST', body })
      await readAgain(client)
      return v.parse(Applied, answer).count
    },
  })

export const publishPage = () =>
  mutationOptions({
    mutationFn: async (
      body: { developmentId?: number; listingId?: number; isPublished: boolean },
      { client },
    ) => {
      await portal('/api/developments/pages', { method: 'POST', body })
      await readAgain(client)
    },
  })

export const tellVisits = () =>
  mutationOptions({
    mutationFn: async (isOn: boolean, { client }) => {
      await portal('/api/developments/pages/visits', { method: 'PUT', body: { isOn } })
      await readAgain(client)
    },
  })

/** The response is the only time that the new address can be read. */
export const renewFeedOut = () =>
  mutationOptions({
    mutationFn: async (body: { email: string; state: string }, { client }) => {
      const answer = await portal('/api/developments/pages/out', { method: 'POST', body })
      await readAgain(client)
      return v.parse(v.object({ url: v.string() }), answer).url
    },
  })

export const endFeedOut = () =>
  mutationOptions({
    mutationFn: async (_: void, { client }) => {
      await portal('/api/developments/pages/out', { method: 'DELETE' })
      await readAgain(client)
    },
  })
