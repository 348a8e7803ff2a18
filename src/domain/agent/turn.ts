// A turn of an agent: its possible ends, and requests of a lead that no model decides.
import { foldText } from '../search.ts'

/** Why a turn ended, as the inspector shows it. The names are those of portal.agent_turns.reason. */
export const TURN_REASON = {
  newer: 'Chegou mensagem nova enquanto pensava.',
  changed: 'A mensagem mudou enquanto pensava.',
  withdrawn: 'O lead apagou o que tinha escrito.',
  human: 'Uma pessoa respondeu antes.',
  unclear: 'Uma pessoa pode ter respondido pelo celular: o corretor foi chamado.',
  answered: 'A mensagem já tinha resposta.',
  owner: 'O lead passou para outro dono.',
  called: 'Um corretor já foi chamado.',
  joined: 'A conversa foi unida a outra.',
  paused: 'Um administrador pausou o agente.',
  off: 'O agente não responde agora.',
  'opted-out': 'A pessoa pediu para não receber mensagens.',
  budget: 'O limite de gasto do mês acabou.',
  braked: 'Respondeu muitas vezes sem uma pessoa no meio: o corretor foi chamado.',
  automatic: 'Parece resposta automática: o agente pausou aqui.',
  repeated: 'Era o mesmo texto de antes.',
  price: 'Preço sem fonte.',
  promise: 'Promessa sem registro.',
  address: 'Link ou número sem fonte.',
  language: 'Escreveu em outra língua que o lead.',
  leak: 'Falava de si ou das próprias regras.',
  empty: 'O modelo não escreveu nada.',
  unheard: 'O áudio não pôde ser ouvido: o lead foi avisado.',
  'too-long': 'O texto era longo demais.',
  'too-many-steps': 'O modelo não chegou a uma resposta.',
  person: 'Pediram uma pessoa: o corretor foi chamado.',
  'handed-over': 'Chamou o corretor e avisou o lead.',
  booked: 'Agendou a visita e passou o lead ao corretor.',
  interrupted: 'O portal parou no meio.',
  unreachable: 'O modelo não respondeu.',
  late: 'O modelo não respondeu a tempo.',
  limited: 'O modelo recusou por excesso de uso.',
  refused: 'O modelo recusou o pedido.',
  failed: 'O modelo falhou.',
  unreadable: 'A resposta do modelo não pôde ser lida.',
  'only-reasoning': 'O modelo só pensou alto e não respondeu.',
  cut: 'O modelo parou no meio da frase.',
  filtered: 'O modelo segurou a própria resposta.',
  'no-tools': 'Este modelo não usa ferramentas.',
  resting: 'O modelo falhou muitas vezes e descansa um pouco.',
  fault: 'Houve um erro no portal.',
} as const
export type TurnReason = keyof typeof TURN_REASON

/** Returns the reason as a sentence; `missing` is the statement without a source. */
export function reasonWords(reason: string, missing: string | null): string {
  const sentence = Object.hasOwn(TURN_REASON, reason) ? TURN_REASON[reason as TurnReason] : reason
  return missing === null ? sentence : `${sentence.replace(/\.$/, '')}: ${missing}.`
}

/**
 * Tells why the agent called a broker, for example 'Pediu corretor há 11 min' or 'O modelo não respondeu · há 11 min'.
 */
export function calledWords(reason: string | null, ago: string): string {
  if (reason === null || reason === 'person' || reason === 'handed-over') return `Pediu corretor ${ago}`
  if (reason === 'booked') return `Marcou visita ${ago}`
  const [cause = ''] = reasonWords(reason, null).split(':')
  return `${cause.replace(/\.$/, '')} · ${ago}`
}

/** The portal sends this without asking a model when a lead asks for a person. */
export const CALLING_BROKER = 'Claro. Vou chamar um corretor para falar com você por aqui.'

/** The portal sends this once when it cannot transcribe a voice message. At the second one it calls a broker. */
export const COULD_NOT_HEAR = 'Não consegui ouvir o seu áudio. Pode me escrever, por favor?'
export const COULD_NOT_HEAR_AGAIN =
  'Também não consegui ouvir este áudio. Vou chamar um corretor para falar com você por aqui.'

const SOMEBODY =
  '(?:corretora?|atendente|humano|gerente|responsavel|consultora?|vendedora?|especialista|pessoa|alguem|gente)'
const AN = '(?:um |uma |o |a |algum |alguma )?'
/** Words for a broker. Some combinations mean something else and are no request. */
const CALLED = `(?:corretora?|atendente|humano|gerente|consultora?|vendedora?|pessoa de verdade|gente de verdade|alguem de verdade)`
const PERSON = [
  `(?<!nao quero |nao precisa |nao preciso |nao )\\b(?:falar|conversar|atendimento|atendid[oa]) (?:com |c/ ?|por )${AN}${SOMEBODY}\\b(?! (?:nao|ja)\\b)`,
  `(?<!nao (?:precisa )?)\\b(?:quero|queria|prefiro|preciso de|gostaria de|chama|chame|chamar|transfere|transfira|tem|peca|pede|pedir|manda) (?:(?:pra|para|ao|pro) )?${AN}${CALLED}\\b`,
  `(?<!nao )\\b(?:quero|queria|prefiro|preciso de|gostaria de) (?:1 |um |uma )?(?:pessoa|atendimento humano|ajuda humana)\\b`,
  `\\bme (?:passa|passe|transfere|transfira|encaminha|encaminhe|coloca|coloque) (?:(?:pra|para|ao|a|com) |pro )?${AN}${SOMEBODY}\\b`,
  `\\b(?:chama|chame) (?:alguem|o responsavel)\\b|\\btem (?:algum |alguem )(?:humano|ai de verdade|de verdade)`,
  `^(?:${AN}(?:corretora?|atendente|humano)|atendimento humano)(?:,? (?:por favor|pfv|pf))?[.!?]*$`,
  /\b(?:nao quero|cansei de|chega de|detesto|odeio) (?:(?:falar|conversar) com )?(?:1 |um |esse |este )?(?:robo|maquina|bot)\b/,
  /(?<!nao )\b(?:me lig(?:a|ue|uem)|podem? me ligar|liga (?:pra|para) mim|por telefone com (?:alguem|1|um|uma))\b/,
].map((pattern) => new RegExp(pattern))
/** A request for a person by name, which begins with a capital letter. */
const NAMED = /\b(?:[Qq]uero|[Qq]ueria|[Pp]osso|[Cc]onsigo|[Gg]ostaria de|[Pp]reciso) falar com [oa] \p{Lu}/u

/** True if a lead asks for a person. The turn then calls a broker, whatever the model says. */
export function asksForPerson(text: string): boolean {
  return text
    .split('\n')
    .some((line) => NAMED.test(line) || PERSON.some((pattern) => pattern.test(foldText(line))))
}

const introduction = (development: string | null) =>
  `Sou o assistente ${development === null ? 'da equipe' : `da equipe do ${development}`}. `

/** Adds an introduction to an agent's first message, so that the lead knows that an assistant writes. */
export const introduced = (text: string, development: string | null): string =>
  /\bassistente\b/i.test(text) ? text : introduction(development) + text

/** Removes the introduction that the portal added, because a test judges only the model's own words. */
export function withoutIntroduction(text: string, development: string | null): string {
  const added = introduction(development)
  const own = text.startsWith(added) ? text.slice(added.length) : text
  // If the model itself wrote the introduction, the portal added none, so nothing is removed.
  return introduced(own, development) === text ? own : text
}
