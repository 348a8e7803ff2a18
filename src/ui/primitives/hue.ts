// Finds a word's hue among nine: a given one, one that the design sets for the word, or a stable choice.

type Hue =
  | 'new'
  | 'contacted'
  | 'qualified'
  | 'closed'
  | 'conversa'
  | 'negociacao'
  | 'arquivado'
  | 'remarketing-sent'
  | 'default'

const OWN: ReadonlyMap<string, Hue> = new Map<string, Hue>([
  ['new', 'new'],
  ['contacted', 'contacted'],
  ['qualified', 'qualified'],
  ['closed', 'closed'],
  ['fechado', 'closed'],
  ['conversa', 'conversa'],
  ['negociacao', 'negociacao'],
  ['arquivado', 'arquivado'],
  ['remarketing_sent', 'remarketing-sent'],
  ['', 'default'],
])
const SHARED = ['new', 'contacted', 'qualified', 'negociacao', 'closed', 'remarketing-sent'] as const

export function hueOf(word: string, given?: string): string {
  const own = given ?? OWN.get(word)
  if (own) return own
  let hash = 0
  for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return SHARED[hash % SHARED.length] ?? 'default'
}
