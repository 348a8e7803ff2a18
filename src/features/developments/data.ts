// Reads and changes developments, for administrators: the list, one development, and its files.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { upload } from '#api/upload.ts'
import { AGENT_MODES } from '#domain/agent/agent.ts'
import { PortalError } from '#domain/errors.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'
import {
  FILE_KINDS,
  STATES,
  UNIT_STATES,
  type DevelopmentFile,
  type DevelopmentFileKind,
} from '#domain/development/development.ts'

const text = v.nullable(v.string())
const number = v.nullable(v.number())
const Priced = { priceFromCents: number, pricedOn: text, validUntil: text }
const PlanRow = v.object({
  id: v.number(),
  name: v.string(),
  bedrooms: number,
  suites: number,
  parking: number,
  areaFrom: number,
  areaTo: number,
  ...Priced,
  priceToCents: number,
  unitsLeft: number,
  drawingId: number,
})
const FileRow = v.object({
  id: v.number(),
  kind: v.picklist(FILE_KINDS),
  title: text,
  mimeType: v.string(),
  fileName: v.string(),
  sizeBytes: v.number(),
  width: number,
  height: number,
  addedAt: v.string(),
})
const UnitRow = v.object({
  planId: number,
  tower: v.string(),
  code: v.string(),
  floor: text,
  area: number,
  priceCents: number,
  state: v.picklist(UNIT_STATES),
})
const Record = {
  id: v.number(),
  version: v.number(),
  name: v.string(),
  builder: text,
  state: v.nullable(v.picklist(STATES)),
  deliversOn: text,
  address: text,
  district: text,
  city: text,
  placeName: text,
  latitude: number,
  longitude: number,
  license: text,
  ...Priced,
  archivedAt: text,
  plans: v.array(PlanRow),
  media: v.array(FileRow),
}
const ListRows = v.object({
  developments: v.array(
    v.object({
      ...Record,
      openLeads: v.number(),
      rotation: text,
      agentMode: v.nullable(v.picklist(AGENT_MODES)),
      // Missing in responses of the previous release's portal.
      unitsAvailable: v.optional(number, null),
    }),
  ),
})
const DetailsRow = v.object({
  ...Record,
  description: text,
  units: v.array(UnitRow),
  // Missing in responses of the previous release's portal.
  savedBy: v.optional(text, null),
  savedAt: v.optional(text, null),
  usage: v.object({
    texts: v.array(v.string()),
    rotation: v.nullable(v.object({ name: v.string(), isActive: v.boolean(), brokers: v.number() })),
    agent: v.nullable(
      v.object({ id: v.number(), mode: v.picklist(AGENT_MODES), facts: v.number(), expired: v.number() }),
    ),
    sources: v.array(v.string()),
    openLeads: v.number(),
    waitingLeads: v.number(),
    visits: v.number(),
    // Missing in responses of the previous release's portal.
    sentLeads: v.optional(v.number(), 0),
    sentThings: v.optional(v.number(), 0),
    sentAnswered: v.optional(v.number(), 0),
  }),
  prices: v.array(
    v.object({
      plan: v.string(),
      priceCents: number,
      validUntil: text,
      changedBy: text,
      changedAt: v.string(),
    }),
  ),
})
export type DevelopmentRow = v.InferOutput<typeof ListRows>['developments'][number]
export type DevelopmentDetails = v.InferOutput<typeof DetailsRow>

export const developmentsQuery = () =>
  queryOptions({
    queryKey: keys.developmentList(),
    queryFn: cachedOffline(
      { kind: 'developments', most: 1, version: 2 },
      async ({ signal }): Promise<readonly DevelopmentRow[]> =>
        v.parse(ListRows, await portal('/api/developments', { signal })).developments,
    ),
  })

export const developmentQuery = (id: number) =>
  queryOptions({
    queryKey: keys.development(id),
    queryFn: cachedOffline(
      { kind: 'development', most: 20, version: 4 },
      async ({ signal }): Promise<DevelopmentDetails> =>
        v.parse(DetailsRow, await portal(`/api/developments/${id}`, { signal })),
    ),
    // Always read again when the page opens, because the user opens it to change something.
    staleTime: 0,
  })

/** The lists of leads that 'Onde é usado' counts, each with its texts. */
export const LEAD_LISTS = {
  open: 'Leads abertos',
  waiting: 'Esperando resposta',
  visits: 'Visitas nesta semana',
  sent: 'Receberam material em 30 dias',
} as const
export type LeadList = keyof typeof LEAD_LISTS

const LeadRows = v.object({
  leads: v.array(
    v.object({
      id: v.number(),
      name: text,
      number: text,
      instanceName: text,
      stage: v.string(),
      waitingSince: text,
      visitAt: text,
    }),
  ),
})
export type ListedLead = v.InferOutput<typeof LeadRows>['leads'][number]

/** Reads a list's first 200 leads. */
export const leadsQuery = (id: number, list: LeadList) =>
  queryOptions({
    queryKey: [...keys.development(id), 'leads', list] as const,
    queryFn: async ({ signal }): Promise<readonly ListedLead[]> =>
      v.parse(LeadRows, await portal(`/api/developments/${id}/leads/${list}`, { signal })).leads,
    staleTime: 0,
  })

const UnboundRows = v.object({ texts: v.array(v.object({ text: v.string(), leads: v.number() })) })
export type UnboundText = v.InferOutput<typeof UnboundRows>['texts'][number]

/** Texts in leads and sources that should name a development, but match none. */
export const unboundQuery = () =>
  queryOptions({
    queryKey: keys.unboundDevelopments(),
    queryFn: async ({ signal }): Promise<readonly UnboundText[]> =>
      v.parse(UnboundRows, await portal('/api/developments/unbound', { signal })).texts,
  })

const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.developments() })

const EMPTY = {
  builder: null,
  state: null,
  deliversOn: null,
  address: null,
  district: null,
  city: null,
  placeName: null,
  latitude: null,
  longitude: null,
  description: null,
  license: null,
  priceFromCents: null,
  validUntil: null,
  plans: [],
  media: [],
  removedMedia: [],
}

/** Adds a development with only a name. Throws PortalError `development.taken`. */
export const addDevelopment = () =>
  mutationOptions({
    mutationFn: async ({ name, operationId }: { name: string; operationId: string }, { client }) => {
      const body = { operationId, development: { ...EMPTY, name } }
      const added = v.parse(DetailsRow, await portal('/api/developments', { method: 'POST', body }))
      client.setQueryData(keys.development(added.id), added)
      await readAgain(client)
      return added
    },
  })

/**
 * Throws PortalError `development.changed` if somebody else saved since; the form then reads what they saved. Repeating
 * an operation has no further effect.
 */
export const saveDevelopment = (id: number) =>
  mutationOptions({
    mutationFn: async (body: { operationId: string; version: number; development: object }, { client }) => {
      const answer = await portal(`/api/developments/${id}/save`, { method: 'POST', body }).catch(
        async (error: unknown) => {
          if (error instanceof PortalError && error.code === 'development.changed')
            await client.invalidateQueries({ queryKey: keys.development(id) })
          throw error
        },
      )
      const saved = v.parse(DetailsRow, answer)
      client.setQueryData(keys.development(id), saved)
      void client.invalidateQueries({ queryKey: keys.developmentList() })
      return saved
    },
  })

export const archiveDevelopment = (id: number) =>
  mutationOptions({
    mutationFn: async (isArchived: boolean, { client }) => {
      const answer = await portal(`/api/developments/${id}/archive`, { method: 'POST', body: { isArchived } })
      client.setQueryData(keys.development(id), v.parse(DetailsRow, answer))
      void client.invalidateQueries({ queryKey: keys.developmentList() })
    },
  })

/** Stores that `text` names the development with this id, from now on. */
export const bindText = () =>
  mutationOptions({
    mutationFn: async (body: { text: string; id: number }, { client }) => {
      await portal('/api/developments/unbound', { method: 'POST', body })
      await readAgain(client)
    },
  })

type FileTask = {
  file: File
  kind: DevelopmentFileKind
  title: string | null
  onProgress: (ratio: number) => void
  signal: AbortSignal
}

/**
 * Stores the file at once, so that it does not wait for 'Salvar'. Throws PortalError `development.file`,
 * `development.full`.
 */
export async function addFile(
  id: number,
  { file, kind, title, onProgress, signal }: FileTask,
): Promise<DevelopmentFile> {
  const body = new FormData()
  body.append('message', JSON.stringify({ kind, title, fileName: file.name.slice(-200) }))
  body.append('file', file, file.name)
  const answer = await upload({ path: `/api/developments/${id}/files`, body, onProgress, signal })
  return v.parse(v.object({ file: FileRow }), answer).file
}
