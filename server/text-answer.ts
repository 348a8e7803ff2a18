// Answers whose text stays at hand: what compresses them takes it from here instead of reading a stream made of it.

const texts = new WeakMap<Response, string>()

export function textAnswer(text: string | null, init: ResponseInit): Response {
  const answer = new Response(text, init)
  if (text !== null) texts.set(answer, text)
  return answer
}

/** Undefined for an answer of another kind. */
export const textOf = (answer: Response): string | undefined => texts.get(answer)
