// An agent's prompts: current texts, earlier versions, and saving with conflict detection.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, rows, rpc } from '#api/client.ts'
import { PROMPT_FIELDS, type PromptField } from '#domain/agent/agent.ts'
import { andReadAgents } from '#data/agents.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)
const text = v.nullish(v.string(), '')

const PromptRows = v.array(
  v.object({
    id: v.number(),
    nome_agente: v.string(),
    introducao_atendimento: text,
    regras_atendimento: text,
    atendimento_atendimento: text,
    introducao_agendamento: text,
    regras_agendamento: text,
    atendimento_agendamento: text,
  }),
)

const Drafts = v.record(v.picklist(PROMPT_FIELDS), v.string())

/** `drafted` lists the prompts whose text is an unpublished draft. */
export type AgentPrompts = {
  name: string
  texts: Readonly<Record<PromptField, string>>
  drafted: readonly PromptField[]
}

/** Reads an agent's prompts; null if there is no such agent. */
export function promptsQuery(agentId: number) {
  return queryOptions({
    queryKey: keys.agentPrompts(agentId),
    queryFn: cachedOffline(
      { kind: 'prompts', most: 20, version: 2 },
      async ({ signal }): Promise<AgentPrompts | null> => {
        const [found, drafted] = await Promise.all([
          rpc('get_prompt_by_id', { p_id: agentId }, signal),
          portal(`/api/prompts/${agentId}`, { signal }),
        ])
        const [row] = v.parse(PromptRows, found)
        if (!row) return null
        const { id: _, nome_agente: name, ...texts } = row
        const drafts = v.parse(Drafts, drafted)
        return {
          name,
          texts: { ...texts, ...drafts },
          drafted: PROMPT_FIELDS.filter((field) => drafts[field] !== undefined),
        }
      },
    ),
  })
}

const VersionRow = v.pipe(
  v.object({ id: v.number(), saved_by: v.string(), saved_at: timeMs }),
  v.transform(({ id, saved_by: by, saved_at: atMs }): PromptVersion => ({ id, by, atMs })),
)
/** Who saved a text and when; the newest version is published. */
export type PromptVersion = { id: number; by: string; atMs: number }

const NEWEST = 200

/** Reads a prompt's versions, the newest first. */
export function promptVersionsQuery(agentId: number, field: PromptField) {
  return queryOptions({
    queryKey: keys.promptVersions(agentId, field),
    queryFn: async ({ signal }) =>
      v.parse(
        v.array(VersionRow),
        await rows(
          'prompt_versions',
          ofField(agentId, field, { select: 'id,saved_by,saved_at', limit: NEWEST }),
          signal,
        ),
      ),
  })
}

const Body = v.array(v.object({ body: v.string() }))

/** A version never changes, so the query never refetches it. */
export function versionTextQuery(versionId: number) {
  return queryOptions({
    queryKey: keys.versionText(versionId),
    queryFn: async ({ signal }) => {
      const [row] = v.parse(
        Body,
        await rows('prompt_versions', { select: 'body', id: `eq.${versionId}` }, signal),
      )
      return row?.body ?? ''
    },
    staleTime: 'static',
  })
}

const Standing = v.object({
  text: v.string(),
  version: v.nullable(v.number()),
  isDraft: v.boolean(),
  by: v.nullable(v.string()),
  at: v.nullable(timeMs),
})
/**
 * The text that the editor starts from: the draft if there is one, else the published text. `version` is null if
 * nothing was ever saved.
 */
export type Standing = Pick<v.InferOutput<typeof Standing>, 'text' | 'version' | 'isDraft'>

export function standingQuery(agentId: number, field: PromptField) {
  return queryOptions({
    queryKey: keys.standingPrompt(agentId, field),
    queryFn: cachedOffline(
      { kind: 'standing', most: 60, version: 1 },
      async ({ signal }): Promise<Standing> =>
        v.parse(Standing, await portal(`/api/prompts/${agentId}/${field}`, { signal })),
    ),
  })
}

function ofField(agentId: number, field: PromptField, { select, limit }: { select: string; limit: number }) {
  return {
    select,
    agent_id: `eq.${agentId}`,
    field: `eq.${field}`,
    order: 'id.desc',
    limit: String(limit),
  }
}

const SaveAnswer = v.pipe(
  v.object({ ...Standing.entries, code: v.picklist(['saved', 'already', 'conflict']) }),
  v.transform(({ code, by, at, ...standing }): SaveEnd =>
    code === 'conflict'
      ? { kind: 'conflict', standing, by: by ?? '', atMs: at ?? 0 }
      : { kind: 'saved', standing },
  ),
)

/** The portal saves a text, or reports a conflict if somebody else saved one since. */
export type SaveEnd =
  { kind: 'saved'; standing: Standing } | { kind: 'conflict'; standing: Standing; by: string; atMs: number }

export type PromptSave = {
  operationId: string
  text: string
  /** The version that the user started from; null if nothing was ever saved. */
  base: number | null
}

/** Saves a draft; the agent keeps using the published text. Repeating an operation id has no further effect. */
export function saveDraft(agentId: number, field: PromptField) {
  return mutationOptions({
    mutationFn: async (body: PromptSave, { client }) => {
      const asking = portal(`/api/prompts/${agentId}/${field}`, { method: 'POST', body })
      const end = v.parse(SaveAnswer, await andReadAgents(client, asking))
      client.setQueryData(keys.standingPrompt(agentId, field), end.standing)
      return end
    },
  })
}

/** Publishes all drafts of an agent; `mark` is the fingerprint of the texts shown to the user. */
export type Publishing = { mark: string; isAskedTwice: boolean }

/**
 * Throws PortalError `draft.none` and `draft.changed`; without a second confirmation also `draft.overtaken`,
 * `draft.untested` and `draft.failing`.
 */
export function publishDrafts(agentId: number) {
  return mutationOptions({
    mutationFn: async (body: Publishing, { client }) => {
      await andReadAgents(client, portal(`/api/prompts/${agentId}/publish`, { method: 'POST', body }))
    },
  })
}

export function discardDrafts(agentId: number) {
  return mutationOptions({
    mutationFn: async (_: void, { client }) => {
      await andReadAgents(client, portal(`/api/prompts/${agentId}/discard`, { method: 'POST' }))
    },
  })
}
