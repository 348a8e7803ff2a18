// The load of a soak test: a gateway that reports, brokers who move cards, phones that follow. Like real ones, each
// continues through a kill of the portal and repeats what got no answer.
import { randomUUID } from 'node:crypto'
import { readEvent } from '#domain/events.ts'
import { BROKER } from '#tests/support/board.ts'
import { upsert } from '#tests/support/deliveries.ts'
import { call } from '#tests/support/portal.ts'
import { rest, send } from './http.ts'

/** The portal's address, its webhook, and the end; `origin` changes with each start. */
export type Ground = { origin: string; webhook: string; endsAtMs: number }
export type Lead = { id: number; number: string; status: string }

const STAGES = ['new', 'conversa', 'negociacao', 'fechado', 'arquivado']
const AGAIN_MS = 200
/** A busy machine starts slowly. */
const LATE_MS = 180_000

const isOver = ({ endsAtMs }: Ground) => Date.now() >= endsAtMs

/** Repeats until accepted; throws if the portal never comes back. */
async function untilTaken<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (const lateAtMs = Date.now() + LATE_MS; ;) {
    const answer = await attempt().catch(() => null)
    if (answer !== null) return answer
    if (Date.now() > lateAtMs) throw new Error('the portal did not come back')
    await rest(AGAIN_MS)
  }
}

/** New messages at a fixed rate, over the leads in turn; `sent` collects the accepted ids. */
export async function report(
  ground: Ground,
  load: { perSecond: number; senders: number; numbers: readonly string[]; sent: Set<string> },
): Promise<void> {
  const startedAtMs = Date.now()
  let count = 0
  const sender = async () => {
    while (!isOver(ground)) {
      const index = count++
      await rest(startedAtMs + (index / load.perSecond) * 1000 - Date.now())
      const id = `SOAK${index}`
      const body = upsert({
        id,
        key: { remoteJid: `${load.numbers[index % load.numbers.length]}@s.whatsapp.net` },
        message: { conversation: `Bom dia! (${index})` },
        sentAt: Math.floor(Date.now() / 1000),
      })
      await untilTaken(async () =>
        (await send(ground.origin, { path: ground.webhook, body })).status === 200 ? true : null,
      )
      load.sent.add(id)
    }
  }
  await Promise.all(Array.from({ length: load.senders }, sender))
}

/** Moves the leads in turn; `moved` collects the operations, and each lead ends in its last stage. */
export async function moveOn(
  ground: Ground,
  load: { token: string; everyMs: number; leads: Lead[]; moved: Set<string> },
): Promise<void> {
  for (let turn = 0; !isOver(ground); turn++) {
    const lead = load.leads[turn % load.leads.length]!
    const target = STAGES[(STAGES.indexOf(lead.status) + 1) % STAGES.length]!
    const operation = randomUUID()
    const body = {
      p_number_lead: lead.number,
      p_broker_name: BROKER.instance,
      p_novo_status: target,
      p_contact_id: lead.id,
      p_operation_id: operation,
    }
    await untilTaken(async () => {
      const answer = await call<{ code: string }>(`${ground.origin}/rest/v1/rpc/atualizar_status_lead`, {
        token: load.token,
        body,
      })
      return answer.status === 200 && answer.body.code === 'moved' ? true : null
    })
    lead.status = target
    load.moved.add(operation)
    await rest(load.everyMs)
  }
}

type Synced = { cursor: string; reset: boolean; leads: ({ id: number } & object)[]; removed: number[] }

/** A board kept up to date by its changes, fetched at each live event. */
export async function follow(ground: Ground, token: string) {
  const board = new Map<number, string>()
  let cursor: string | null = null
  let events = 0
  const poll = async () => {
    const { status, body } = await call<Synced>(`${ground.origin}/rest/v1/rpc/sync_board`, {
      token,
      body: { p_instance: BROKER.instance, p_cursor: cursor },
    })
    if (status !== 200) throw new Error(`sync_board answered ${status}`)
    if (body.reset) board.clear()
    for (const lead of body.leads) board.set(lead.id, JSON.stringify(lead))
    for (const id of body.removed) board.delete(id)
    cursor = body.cursor
  }
  const listen = async () => {
    const response = await fetch(`${ground.origin}/api/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(Math.max(1, ground.endsAtMs - Date.now())),
    })
    if (!response.body) return
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const heard = text.split('\n\n').flatMap((line) => readEvent(line.replace('data: ', '')) ?? [])
      events += heard.length
      if (heard.some(({ kind }) => kind === 'board' || kind === 'gap')) await poll()
    }
  }
  while (!isOver(ground)) {
    await listen().catch(() => undefined)
    await rest(AGAIN_MS)
  }
  return { board, events: () => events, look: poll }
}
