// Remembers the text of a response, so that the compression does not have to read it from the body's stream.

const texts = new WeakMap<Response, string>()

export function textAnswer(text: string | null, init: ResponseInit): Response {
  const answer = new Response(text, init)
  if (text !== null) texts.set(answer, text)
  return answer
}

/** The text of a response made here; undefined for others. */
export const textOf = (answer: Response): string | undefined => texts.get(answer)
