// People at work during outages: each moves cards and repeats what got no answer, like the app's queue, and follows the
// live events.
import { randomUUID } from 'node:crypto'
import { BROKER } from '#tests/support/board.ts'
import { hearEvents, type HeardEvents } from '#tests/support/live-events.ts'
import { call } from '#tests/support/portal.ts'
import { rest } from './http.ts'

const MOVE_EVERY_MS = 400
const AGAIN_MS = 200
/** The first wait of src/live/events.ts before it reconnects. */
const FIRST_WAIT_MS = 1_000
const MAX_BACKOFF_MS = 10_000
const STAGES = ['new', 'conversa', 'negociacao', 'fechado', 'arquivado']

export type Lead = { id: number; number: string; status: string }
export type Person = ReturnType<typeof beginPerson>
type Wait = { from: number; to: number }

export function beginPerson(origin: string, token: string, leads: readonly Lead[]) {
  const waits: Record<'move' | 'event', Wait[]> = { move: [], event: [] }
  const moved: string[] = []
  const over = new AbortController()

  async function move(lead: Lead) {
    const operation = randomUUID()
    const body = {
      p_number_lead: lead.number,
      p_broker_name: BROKER.instance,
      p_novo_status: STAGES[(STAGES.indexOf(lead.status) + 1) % STAGES.length],
      p_contact_id: lead.id,
      p_operation_id: operation,
    }
    const from = performance.now()
    while (!over.signal.aborted) {
      const answer = await call(`${origin}/rest/v1/rpc/atualizar_status_lead`, { token, body }).catch(
        () => null,
      )
      if (answer && answer.status >= 400 && answer.status < 500)
        throw new Error(`a move was refused with ${answer.status}: ${JSON.stringify(answer.body)}`)
      if (answer?.status === 200) {
        waits.move.push({ from, to: performance.now() })
        moved.push(operation)
        lead.status = String(body.p_novo_status)
        return
      }
      await rest(AGAIN_MS)
    }
  }
  async function work() {
    for (let turn = 0; !over.signal.aborted; turn++) {
      await move(leads[turn % leads.length]!)
      await rest(MOVE_EVERY_MS)
    }
  }
  const isHeard = (stream: HeardEvents | null) =>
    stream
      ?.until(({ kind }) => kind === 'board')
      .then(
        () => true,
        () => false,
      )
  async function listen() {
    let lastMs = performance.now()
    let waitMs = FIRST_WAIT_MS
    while (!over.signal.aborted) {
      const response = await fetch(`${origin}/api/events`, {
        headers: { authorization: `Bearer ${token}` },
        signal: over.signal,
      }).catch(() => null)
      const stream = response?.ok ? hearEvents(response) : null
      while (await isHeard(stream)) {
        waitMs = FIRST_WAIT_MS
        const nowMs = performance.now()
        waits.event.push({ from: lastMs, to: nowMs })
        lastMs = nowMs
      }
      if (over.signal.aborted) return
      await rest(waitMs * (0.5 + Math.random()))
      waitMs = Math.min(waitMs * 2, MAX_BACKOFF_MS)
    }
  }
  const running = Promise.all([work(), listen()])
  running.catch(() => undefined)

  return {
    /** The longest wait that ended in this time. */
    longestMs: (what: 'move' | 'event', from: number, to: number): number =>
      Math.max(
        0,
        ...waits[what].filter((wait) => wait.to >= from && wait.to < to).map((wait) => wait.to - wait.from),
      ),
    /** Resolves with the operations of all acknowledged moves. */
    end: async (): Promise<string[]> => {
      over.abort()
      await running
      return moved
    },
  }
}
