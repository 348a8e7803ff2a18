// Detects the language of a short text: an answer must be in the lead's language.

export type Language = 'pt' | 'en' | 'es' | 'other'

/** Names of languages in the reasons of refused answers. */
export const LANGUAGE_LABEL = {
  pt: 'português',
  en: 'inglês',
  es: 'espanhol',
  other: 'outra língua',
} satisfies Record<Language, string>

const words = (list: string) => new Set(list.split(' '))
/** Frequent words that only one of the three languages has. */
const MARKS: readonly (readonly [Exclude<Language, 'other'>, ReadonlySet<string>])[] = [
  [
    'pt',
    words(
      'em não nao você voce vc vcs uma um com são sao está tem temos têm mas muito também tambem já seu sua obrigado obrigada olá oi bom boa sim quero queria gostaria qual quais quanto quantos onde quando é do da dos das no na nos nas ao aos às à pelo pela isso esse essa este fica ficam meu minha quer pode posso corretor apartamento quartos vaga vagas visita preço ainda só até mais e o os as',
    ),
  ],
  [
    'en',
    words(
      "the is are was were you your for with have has this that these those what how much many can can't cannot could would will i'm i've i'll we we're they it's sorry help and of to in it be been like please hello hi thanks thank yes not does do did don't want see there about from but or if at by an my our unable assist request appointment bedrooms parking",
    ),
  ],
  [
    'es',
    words(
      'el los las es usted ustedes con una y del al cuánto cuanto cuántos cuántas dónde donde gracias hola buenos buenas días dias quiero tengo tiene tenemos tienen pero muy también ya su sí puedo puede ayudar siento precio departamento habitaciones hay para ver está están esto ese esa nuestro visita',
    ),
  ],
]
/** Scripts that Portuguese does not use. */
const FOREIGN =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Cyrillic}|\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Thai}|\p{Script=Devanagari}|\p{Script=Greek}/gu
const FEWEST_FOREIGN = 2
/** A text with fewer of these words proves no language. */
const FEWEST_MARKS = 2

/** Returns the language of a text; null if the text is too short to tell. */
function languageOf(text: string): Language | null {
  const lower = text.normalize('NFKC').toLowerCase().replaceAll('’', "'")
  if ((lower.match(FOREIGN)?.length ?? 0) >= FEWEST_FOREIGN) return 'other'
  const said = lower.match(/[\p{L}']+/gu) ?? []
  const counts = MARKS.map(([language, marks], place) => ({
    language,
    // A word that two languages share counts for neither.
    count: said.filter(
      (word) => marks.has(word) && MARKS.every(([, others], other) => other === place || !others.has(word)),
    ).length,
  })).toSorted((one, other) => other.count - one.count)
  const [best, second] = counts
  if (!best || !second || best.count < FEWEST_MARKS || best.count === second.count) return null
  return best.language
}

/**
 * Returns the answer's language if the answer must not be sent, because the lead writes in another one; null if it may
 * be sent. If the lead wrote too little to tell, Portuguese is expected.
 */
export function strangeLanguage(answer: string, leadLines: readonly string[]): Language | null {
  const written = languageOf(answer)
  if (written === null) return null
  const wanted = languageOf(leadLines.at(-1) ?? '') ?? languageOf(leadLines.join('\n')) ?? 'pt'
  return written === wanted ? null : written
}
