// One turn with the model: its input, its tool calls, and the portal's check of the text.
import { factsSaid, judgeReply } from '#domain/agent/reply.ts'
import { cleanText, cutText } from '#domain/clean-text.ts'
import { asksToBeLeftAlone } from '#domain/opt-out.ts'
import { isAllAutomatic, isRepeating, mayStayUnanswered } from '#domain/agent/automatic.ts'
import {
  asksForPerson,
  CALLING_BROKER,
  COULD_NOT_HEAR,
  COULD_NOT_HEAR_AGAIN,
  introduced,
  type TurnReason,
} from '#domain/agent/turn.ts'
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { ToolCall } from '#server/agents/engine/answer.ts'
import { EngineError } from '#server/agents/engine/endpoint.ts'
import type { ChatMessage, Engine } from '#server/agents/engine/engine.ts'
import { createMasking, type Masking } from '#server/agents/engine/masking.ts'
import { promptOf } from './prompt.ts'
import { SAY_NOTHING, TOOLS } from './tools.ts'
import type { TurnMaterial, TurnReply } from './turn.ts'
import type { TurnStore } from './turn-store.ts'

/** Maximum characters of one argument of a tool. */
const MAX_WORDS = 2_000
/** A model that keeps calling tools is stopped after this many rounds. */
const MAX_ROUNDS = 4
/** No lead should wait longer. After this time the portal calls a broker. */
const MAX_MS = 60_000

type Parts = { engine: Engine; store: Pick<TurnStore, 'noteUsage' | 'runTool'>; clock: Clock; log: Log }

/** Never rejects: a fault becomes the turn's outcome. */
export async function think({ engine, store, clock, log }: Parts, turn: TurnMaterial): Promise<TurnReply> {
  // Texts were checked when they arrived; transcribed voice messages are checked here.
  if (turn.kind === 'answer' && asksToBeLeftAlone(lastWords(turn))) {
    await store.runTool(turn.turnId, { name: 'sair', args: {} }, clock.now())
    return ended('refused', 'opted-out')
  }
  // Automatic replies are detected before requests for a person, because an automatic menu offers 'falar com um
  // atendente'.
  if (turn.kind === 'answer' && (isAllAutomatic(lastLines(turn)) || isRepeating(turn.lines)))
    return ended('machine', 'automatic')
  if (turn.kind === 'answer' && asksForPerson(lastWords(turn)))
    return { ...fit(introduce(CALLING_BROKER, turn), turn), reason: 'person' }
  if (turn.isUnheard && lastLines(turn).every(isUnheardVoice)) return cannotHear(turn)
  const masking = createMasking()
  const messages = promptOf(turn, masking.mask)
  const startedAtMs = clock.now()
  try {
    let callsBroker = false
    let visit = turn.visit
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if (clock.now() - startedAtMs > MAX_MS) return ended('failed', 'late')
      const { text, toolCalls, usage } = await engine.complete({
        messages,
        tools: turn.kind === 'answer' ? TOOLS : [],
      })
      await store.noteUsage(turn.turnId, engine.model, usage)
      if (toolCalls.length === 0)
        return judge(
          cleanText(masking.unmask(text)).trim(),
          { ...turn, visit },
          booksOrCalls(visit, turn, callsBroker),
        )
      messages.push({ role: 'assistant', content: text, toolCalls })
      let silence: TurnReply | null = null
      for (const call of toolCalls) {
        const answer = await runTool({ store, clock }, { turn, call, masking })
        messages.push(answer)
        if (answer.content === NOTHING_SAID) silence = ended('silent', reasonOf(call))
        if (call.name === 'agendar_visita') visit = BOOKED.exec(answer.content)?.[1] ?? visit
      }
      callsBroker ||= toolCalls.some(({ name }) => name === 'chamar_corretor')
      if (silence && !callsBroker) return silence
    }
    return ended('refused', 'too-many-steps')
  } catch (error) {
    if (error instanceof EngineError) {
      if (error.usage) await store.noteUsage(turn.turnId, engine.model, error.usage)
      return ended('failed', error.fault)
    }
    log.error('turn.failed', { turnId: turn.turnId, ...errorFields(error) })
    return ended('failed', 'fault')
  }
}

const ended = (outcome: TurnReply['outcome'], reason: TurnReply['reason']): TurnReply => ({
  outcome,
  reason,
  body: null,
  sources: [],
})

const fit = (body: string, { facts }: TurnMaterial): TurnReply => ({
  outcome: 'fit',
  reason: null,
  body,
  sources: factsSaid(body, facts).map(({ label, value, at }) => ({ label, value, at })),
})

const isUnheardVoice = ({ kind, text }: TurnMaterial['lines'][number]) =>
  kind === 'audio' && text.trim() === ''

/** The portal could not transcribe a voice message. It asks the lead to write; the second time it calls a broker. */
function cannotHear(turn: TurnMaterial): TurnReply {
  const isAgain = turn.lines.some(({ by, text }) => by === 'agent' && text.includes(COULD_NOT_HEAR))
  return isAgain
    ? { ...fit(COULD_NOT_HEAR_AGAIN, turn), reason: 'handed-over' }
    : { ...fit(introduce(COULD_NOT_HEAR, turn), turn), reason: 'unheard' }
}

/** The lead's messages since the last answer. */
const lastLines = ({ lines }: TurnMaterial) => lines.slice(lines.findLastIndex(({ by }) => by !== 'lead') + 1)
const lastWords = (turn: TurnMaterial) =>
  lastLines(turn)
    .map(({ text }) => text)
    .join('\n')

const introduce = (body: string, { agent, lines }: TurnMaterial) =>
  lines.some(({ by }) => by === 'agent') ? body : introduced(body, agent.development)

/** Answer of portal.turn_tool that allows the turn to end in silence. */
export const NOTHING_SAID = 'Nada será enviado.'
const ASKED_SOMETHING = 'O lead perguntou algo: responda ou chame o corretor.'
const MAX_REASON = 200

function reasonOf({ args }: ToolCall): string {
  const words = typeof args['reason'] === 'string' ? cleanText(args['reason']).trim() : ''
  return cutText(words, MAX_REASON) || 'Sem motivo.'
}

/** Answer of portal.turn_tool for a booked visit. */
const BOOKED = /^Visita agendada: (\d{4}-\d{2}-\d{2} \d{2}:\d{2})/

const booksOrCalls = (visit: string | null, turn: TurnMaterial, callsBroker: boolean): TurnReason | null =>
  callsBroker ? 'handed-over' : visit === null || visit === turn.visit ? null : 'booked'

function judge(text: string, turn: TurnMaterial, reason: TurnReason | null): TurnReply {
  const { agent, lines, facts, visit } = turn
  const judged = judgeReply(text, {
    facts,
    visit,
    known: [...agent.texts, ...lines.map(({ text: line }) => line)].join('\n'),
    leadLines: lines.flatMap(({ by, text: line }) => (by === 'lead' ? [line] : [])),
  })
  if (judged) {
    const { fault: why, missing } = judged
    // A retry would not help: a model that writes in another language does so again.
    return { ...ended(why === 'language' ? 'failed' : 'refused', why), body: text, missing }
  }
  const reply = fit(turn.kind === 'answer' ? introduce(text, turn) : text, turn)
  return { ...reply, reason }
}

async function runTool(
  { store, clock }: Pick<Parts, 'store' | 'clock'>,
  { turn, call, masking }: { turn: TurnMaterial; call: ToolCall; masking: Masking },
): Promise<ChatMessage> {
  const tool = TOOLS.find(({ name }) => name === call.name)
  // Opt-out has no tool: we detect it ourselves, so an unknown tool name is refused.
  if (!tool) return { role: 'tool', toolCallId: call.id, content: 'Esta ferramenta não existe.' }
  if (call.name === SAY_NOTHING && !mayStayUnanswered(lastLines(turn)))
    return { role: 'tool', toolCallId: call.id, content: ASKED_SOMETHING }
  // Keeps only arguments that this tool has and that are texts.
  const args = Object.fromEntries(
    Object.keys(tool.parameters.properties).flatMap((name) => {
      const words = call.args[name]
      return typeof words === 'string' ? [[name, cutText(cleanText(masking.unmask(words)), MAX_WORDS)]] : []
    }),
  )
  const answer = await store.runTool(turn.turnId, { name: call.name, args }, clock.now())
  // Days and hours of a visit would be masked as numbers.
  const content = call.name === 'agendar_visita' ? answer : masking.mask(answer)
  return { role: 'tool', toolCallId: call.id, content }
}
