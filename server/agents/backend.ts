// The agents' external memory, a Supabase project of their own (AGENTS_SUPABASE_URL): deletes a chat there.
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'

const TIMEOUT_MS = 15_000
const FUNCTION = '/rest/v1/rpc/deletar_chat_history_por_empreendimento'

/**
 * Supabase answers a table as an array whose first item is the count, and a scalar function as the bare
 * number.
 */
const Answer = v.union([v.tupleWithRest([v.number()], v.unknown()), v.number()])

export type AgentsBackend = {
  /** Number of deleted messages. Raises `agents.not-forgotten` (502). */
  forget(agentId: number, jid: string): Promise<number>
}

export function createAgentsBackend(
  { url, key }: { url: string; key: string },
  { clock, log }: { clock: Clock; log: Log },
): AgentsBackend {
  const address = url.replace(/\/+$/, '') + FUNCTION
  return {
    forget: async (agentId, jid) => {
      const answered = new AbortController()
      const late = new AbortController()
      void clock.sleep(TIMEOUT_MS, answered.signal).then(() => answered.signal.aborted || late.abort())
      try {
        const response = await fetch(address, {
          method: 'POST',
          headers: {
            apikey: key,
            authorization: `Bearer ${key}`,
            accept: 'application/json',
            'content-type': 'application/json',
          },
          body: JSON.stringify({ p_empreendimento_id: agentId, p_remotejid: jid }),
          // A redirect would send the key to another host.
          redirect: 'manual',
          signal: late.signal,
        })
        if (!response.ok) throw new Error(`the agents' backend answered ${response.status}`)
        const answer = v.parse(Answer, await response.json())
        return typeof answer === 'number' ? answer : answer[0]
      } catch (error) {
        log.error('agents.not-forgotten', { agentId, ...errorFields(error) })
        throw notForgotten(error)
      } finally {
        answered.abort()
      }
    },
  }
}

const notForgotten = (cause: unknown) =>
  new PortalError('agents.not-forgotten', 'Erro ao deletar histórico de chat. Tente novamente.', {
    status: 502,
    cause,
  })
