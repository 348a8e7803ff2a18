// Turns a conversation into a test of the agent, without anything that identifies the person.
import type { BenchLine } from '#domain/agent/bench.ts'
import { cutText } from '#domain/clean-text.ts'
import { foldText } from '#domain/search.ts'
import { createMasking } from '#server/agents/engine/masking.ts'

const MAX_TITLE = 80
const NAME = '[nome]'
/** Shorter words ('de', 'Sá') are too common to be removed as names. */
const MIN_NAME = 3
const WORD = /\p{L}+/gu

/** `name`: the lead's name; every word of it is removed, whatever its accents and capitals. */
export function toAnonymousCase(lines: readonly BenchLine[], name: string | null) {
  const masking = createMasking()
  const words = (name?.match(WORD) ?? []).map(foldText)
  const isRevealing = (word: string) => word.length >= MIN_NAME && words.includes(foldText(word))
  const withoutPerson = (text: string) =>
    masking
      .mask(text)
      .replace(WORD, (word) => (isRevealing(word) ? NAME : word))
      // In 'Marina de Sá Tavares' the short words between two names belong to the name, too.
      .replaceAll(/\[nome\]((?:\s+\p{L}+){0,3})\s+(?=\[nome\])/gu, (whole, between: string) =>
        (between.match(WORD) ?? []).every((word) => words.includes(foldText(word))) ? '' : whole,
      )
  const masked = lines.map(({ by, text, kind = 'text' }) => ({ by, kind, text: withoutPerson(text) }))
  const asked = masked.findLast(({ by, text }) => by === 'lead' && text.trim() !== '')?.text ?? 'Sem palavras'
  return { title: shortened(asked.replaceAll(/\s+/g, ' ').trim()), lines: masked }
}

const shortened = (text: string) =>
  text.length <= MAX_TITLE ? text : `${cutText(text, MAX_TITLE - 1).trimEnd()}…`
