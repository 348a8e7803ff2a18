// Finds a broker's promise without a day, such as 'Te aviso assim que sair a tabela.'.

const VERBS = 'aviso|mando|envio|retorno|respondo|ligo|passo|falo|confirmo|chamo'
const PROMISE = new RegExp(
  [
    `(?:te|lhe) (?:${VERBS})`,
    `(?:${VERBS}) (?:pra |para |a )?(?:você|vc|ti)`,
    '(?:vejo|verifico|consulto|confirmo|pergunto) (?:e|com|isso|aqui)',
    'vou (?:ver|verificar|consultar|confirmar|perguntar|te|lhe)',
    '(?<!até )amanhã',
  ]
    .map((words) => `(?<!\\p{L})${words}(?!\\p{L})`)
    .join('|'),
  'iu',
)
const SENTENCE = /[^.!?\n]+[.!?]*/gu

/** Returns the first sentence with a promise, unchanged; null if there is none. Questions do not count. */
export function promiseIn(text: string): string | null {
  const sentences = [...text.matchAll(SENTENCE)].map(([sentence]) => sentence.trim())
  return sentences.find((sentence) => !sentence.endsWith('?') && PROMISE.test(sentence)) ?? null
}
