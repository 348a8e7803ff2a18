// The prompts of an agent: the texts that stand, what stood before, and saving one over what its writer saw.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rows, rpc } from '#api/client.ts'
import type { PromptField } from '#domain/agent.ts'
import { andReadAgents } from '#data/agents.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { laterKeys } from '#data/later-keys.ts'

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

export type AgentPrompts = { name: string; texts: Readonly<Record<PromptField, string>> }

/** Null where there is no such agent. */
export function promptsQuery(agentId: number) {
  return queryOptions({
    queryKey: laterKeys.agentPrompts(agentId),
    queryFn: cachedOffline(
      { kind: 'prompts', most: 20, version: 1 },
      async ({ signal }): Promise<AgentPrompts | null> => {
        const [row] = v.parse(PromptRows, await rpc('get_prompt_by_id', { p_id: agentId }, signal))
        if (!row) return null
        const { id: _, nome_agente: name, ...texts } = row
        return { name, texts }
      },
    ),
  })
}

const VersionRow = v.pipe(
  v.object({ id: v.number(), saved_by: v.string(), saved_at: timeMs }),
  v.transform(({ id, saved_by: by, saved_at: atMs }): PromptVersion => ({ id, by, atMs })),
)
/** Who saved which text when; the newest is the published one. */
export type PromptVersion = { id: number; by: string; atMs: number }

const NEWEST = 200

/** The newest first. */
export function promptVersionsQuery(agentId: number, field: PromptField) {
  return queryOptions({
    queryKey: laterKeys.promptVersions(agentId, field),
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

/** A version never changes. */
export function versionTextQuery(versionId: number) {
  return queryOptions({
    queryKey: laterKeys.versionText(versionId),
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

/** The text that stands, and the version that it is; null where the prompt was never written. */
export type Published = { text: string; version: number | null }

const PublishedRows = v.array(v.object({ id: v.number(), body: v.string() }))

/** Text and version of one moment, for an editor. */
export function publishedQuery(agentId: number, field: PromptField) {
  return queryOptions({
    queryKey: laterKeys.published(agentId, field),
    queryFn: cachedOffline(
      { kind: 'published', most: 60, version: 1 },
      async ({ signal }): Promise<Published> => {
        const [row] = v.parse(
          PublishedRows,
          await rows('prompt_versions', ofField(agentId, field, { select: 'id,body', limit: 1 }), signal),
        )
        return { text: row?.body ?? '', version: row?.id ?? null }
      },
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
  v.object({
    code: v.picklist(['saved', 'already', 'conflict']),
    version: v.nullable(v.number()),
    saved_by: v.nullable(v.string()),
    saved_at: v.nullable(timeMs),
    current: v.nullable(v.string()),
  }),
  v.transform((answer): SaveEnd =>
    answer.code === 'conflict'
      ? {
          kind: 'conflict',
          standing: { text: answer.current ?? '', version: answer.version },
          by: answer.saved_by ?? '',
          atMs: answer.saved_at ?? 0,
        }
      : { kind: 'saved', version: answer.version },
  ),
)

/** Saved, or refused because another text was saved since. */
export type SaveEnd =
  | { kind: 'saved'; version: number | null }
  | { kind: 'conflict'; standing: Published; by: string; atMs: number }

export type PromptSave = {
  operationId: string
  text: string
  /** The version that the writer saw. */
  base: number | null
}

/** The same operation twice is done once. */
export function savePrompt(agentId: number, field: PromptField) {
  return mutationOptions({
    mutationFn: async ({ operationId, text: written, base }: PromptSave, { client }) => {
      const asking = rpc('save_prompt', {
        p_id: agentId,
        p_coluna: field,
        p_valor: written,
        p_base_version: base,
        p_operation_id: operationId,
      })
      const end = v.parse(SaveAnswer, await andReadAgents(client, asking))
      const published = end.kind === 'saved' ? { text: written, version: end.version } : end.standing
      client.setQueryData(laterKeys.published(agentId, field), published)
      return end
    },
  })
}
