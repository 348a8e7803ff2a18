// Recognises automatic texts (greetings and absence notices of business accounts, menus, other assistants),
// and messages that need no answer.
import { foldText } from '../search.ts'

export type SaidLine = { by: 'lead' | 'human' | 'agent' | 'campaign'; kind: string; text: string }

const SOON =
  '(?:em breve|assim que (?:possivel|pudermos)|o (?:quanto antes|mais breve possivel|mais rapido possivel))'
/** One matching pattern is enough to call a text automatic. */
const MARKS = [
  /\b(?:mensagem|resposta|atendimento|retorno|aviso|e-?mail) (?:e |foi )?(?:gerad[ao] |enviad[ao] )?(?:automatic[ao]|automaticamente|automatizad[ao]|programad[ao])\b(?![^.!\n]*\?)/,
  /\b(?:sou|aqui e|quem fala e|voce esta falando com|eu sou) (?:o|a|um|uma) (?:\p{L}+,? ){0,2}(?:assistente|atendente|secretari[ao]) (?:virtual|digital|automatic[ao]|inteligente|d[ae] inteligencia)\b/u,
  // Agents of this product at other agencies introduce themselves with these words.
  /\bsou o assistente da equipe\b/,
  /\b(?:favor |por favor,? )?nao (?:e necessario |precisa )?respond(?:a|er|am) (?:a )?(?:est[ae]|ess[ae]|este) (?:mensagem|e-?mail|sms|numero)\b/,
  /\beste (?:canal|numero|whatsapp) (?:e (?:exclusivo|somente|apenas|usado)|nao recebe|nao e monitorad)/,
  String.raw`\b(?:retornaremos|responderemos|retornamos|respondemos|entraremos em contato|atenderemos|voltaremos)\b[^.!?\n]{0,40}\b${SOON}`,
  String.raw`\b${SOON},? (?:retornaremos|responderemos|entraremos em contato|(?:um|uma) (?:de )?noss[oa]s? (?:\p{L}+ )?(?:atendente|consultor|especialista))`,
  /\b(?:no momento,? )?(?:nao estamos (?:disponiveis|atendendo|online)|estamos ausentes|nos(?:so|sa) (?:equipe|atendimento) (?:esta|encontra-se) (?:ausente|indisponivel|fora))/,
  /\b(?:fora d[oe]|e de|e) (?:o )?(?:nosso )?horario de (?:atendimento|funcionamento|expediente)\b/,
  /\bnosso (?:horario de )?(?:atendimento|funcionamento|expediente) (?:e|funciona|ocorre)\b/,
  /\b(?:digite|tecle|disque|responda com|envie) (?:(?:o )?(?:numero|opcao|a opcao|a letra) )?["'*]?\d["'*]?(?: |$|[-,.:)])/,
  /\b(?:escolha|selecione|digite|informe) (?:um[ao]? )?(?:a |o )?(?:opcao|das opcoes|numero da opcao|opcoes abaixo)\b/,
  /\bseu (?:numero de )?protocolo(?: de atendimento)?(?: (?:e|n[o.]?|numero))? ?[:#]? ?\d{4,}/,
  /\b(?:this is an? (?:automated|automatic)|automated (?:message|reply|response)|automatic reply|auto-?reply|out of office|do not reply)\b/,
].map((pattern) => new RegExp(pattern, 'u'))
/** People write 'Agradecemos seu contato' too. Together with an offer of help, it is a business account's greeting. */
const THANKS =
  /\b(?:agradec(?:e|emos)|obrigad[oa]) (?:por |pelo |pela |a |o )*(?:seu |sua )?(?:entrar em |ter entrado em )?(?:contato|mensagem|interesse)\b|\brecebemos (?:a )?sua mensagem\b|\bseja (?:muito )?bem[- ]vind[oa]\b/
const HELPS =
  /\bcomo (?:podemos|posso) (?:te |lhe |o |a )?(?:ajudar|atender|auxiliar)\b|\bem que (?:podemos|posso) (?:te |lhe )?(?:ajudar|ser util)\b|\bnoss[oa]s? (?:equipe|atendentes?|consultor(?:es|a|as)?|time)\b/

export function looksAutomatic(text: string): boolean {
  const folded = foldText(text)
  return MARKS.some((pattern) => pattern.test(folded)) || (THANKS.test(folded) && HELPS.test(folded))
}

/** Short answers that people repeat to different questions, so a repetition proves no machine. */
const SHORT_ANSWER =
  /^(?:(?:sim|nao|ok(?:ay)?|isso|certo|claro|pode(?: ser)?|quero|nao quero|beleza|blz|obrigad[oa]|por favor|exato|tambem|talvez|nao sei|s|n|[\d.,/h: ]+) ?)+$/
/** A sender who wrote the same text this many times counts as a machine. */
const TIMES = 3
/** A shorter text that is repeated before any answer counts once, because impatient people repeat short texts. */
const LONG_LETTERS = 40
const ALIKE = 0.85

/** True if the lead's newest text is equal or similar to two earlier ones. A broker's message restarts the count. */
export function isRepeating(lines: readonly SaidLine[]): boolean {
  const since = lines.slice(lines.findLastIndex(({ by }) => by === 'human') + 1)
  const newest = since.findLast(isWords)
  if (!newest) return false
  const words = comparable(newest.text)
  if (words === '' || SHORT_ANSWER.test(words)) return false
  let times = 0
  let isCounted = false
  for (const line of since) {
    if (line.by !== 'lead') isCounted = false
    else if (
      !(isCounted && words.length < LONG_LETTERS) &&
      isWords(line) &&
      areAlike(words, comparable(line.text))
    ) {
      times += 1
      isCounted = true
    }
  }
  return times >= TIMES
}

/** True if all messages of the lead since the last answer are automatic. */
export const isAllAutomatic = (unanswered: readonly SaidLine[]): boolean =>
  unanswered.length > 0 && unanswered.every((line) => isWords(line) && looksAutomatic(line.text))

/**
 * True if a model may leave these messages unanswered: none asks a question, and none is a voice message without
 * transcript.
 */
export const mayStayUnanswered = (unanswered: readonly SaidLine[]): boolean =>
  unanswered.every(
    ({ kind, text }) =>
      !(kind === 'audio' && text.trim() === '') &&
      (!text.replace(/https?:\S+/g, '').includes('?') || looksAutomatic(text)),
  )

const isWords = ({ by, kind, text }: SaidLine) => by === 'lead' && kind === 'text' && text.trim() !== ''

const comparable = (text: string) =>
  foldText(text)
    .replace(/[^\p{L}\d ]+/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Compares two texts. Long ones may differ in a number or a few letters; short ones must be equal. */
function areAlike(one: string, other: string): boolean {
  if (one === other) return true
  if (Math.min(one.length, other.length) < LONG_LETTERS) return false
  return likeness(one.replace(LONG_NUMBER, '0'), other.replace(LONG_NUMBER, '0')) >= ALIKE
}
const LONG_NUMBER = /\d{4,}/g

/** Returns Dice's coefficient of letter pairs: 1 for equal texts, 0 for nothing in common. */
function likeness(one: string, other: string): number {
  const left = new Map<string, number>()
  for (const pair of pairsOf(one)) left.set(pair, (left.get(pair) ?? 0) + 1)
  let shared = 0
  for (const pair of pairsOf(other)) {
    const count = left.get(pair) ?? 0
    if (count > 0) shared += 1
    left.set(pair, count - 1)
  }
  return (2 * shared) / (one.length + other.length - 2)
}

const pairsOf = (text: string) => Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2))
