// A local chat endpoint like OpenAI's that answers as the test says and records its requests.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TRIAL } from '#server/agents/engine/trial.ts'

export type Asked = {
  authorization: string | undefined
  body: {
    model: string
    messages: { role: string; content: string; tool_call_id?: string }[]
    tools?: { function: { name: string } }[]
    max_tokens?: number
    max_completion_tokens?: number
    temperature?: number
  }
}
type Usage = { prompt_tokens: number; completion_tokens: number }
/** One scripted answer. */
export type Answer =
  | { text: string; usage?: Usage; finish?: string }
  | { calls: { name: string; args: object | string }[]; usage?: Usage }
  | { status: number; said?: unknown }
  /** The head, and half of a body. */
  | { cut: string }
  /** Any text as the body. */
  | { raw: string; type?: string }
  /** No answer until the server ends. */
  | { silent: true }
  /** A redirect. */
  | { location: string }

export const USAGE: Usage = { prompt_tokens: 1_000, completion_tokens: 50 }

/** `otherwise` answers what the script does not. */
export async function startModelServer(otherwise: (asked: Asked) => Answer = () => ({ text: 'Tudo bem?' })) {
  const script: Answer[] = []
  const asked: Asked[] = []
  /** The portal's own test requests, which come at any time and use no scripted answer. */
  const trials: Asked[] = []
  const trialScript: Answer[] = []
  const spent: Usage = { prompt_tokens: 0, completion_tokens: 0 }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one: Asked = {
        authorization: request.headers.authorization,
        // The engine's own request; the test checks its shape.
        body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Asked['body'],
      }
      const isTrial = one.body.messages[0]?.content.startsWith(TRIAL) ?? false
      ;(isTrial ? trials : asked).push(one)
      const answer = isTrial ? (trialScript.shift() ?? trialAnswer(one)) : (script.shift() ?? otherwise(one))
      if ('silent' in answer) return
      if ('location' in answer) return response.writeHead(307, { location: answer.location }).end()
      if ('status' in answer)
        return response
          .writeHead(answer.status)
          .end(JSON.stringify(answer.said ?? { error: { message: 'não' } }))
      if ('raw' in answer)
        return response.writeHead(200, { 'content-type': answer.type ?? 'application/json' }).end(answer.raw)
      if ('cut' in answer) {
        response.writeHead(200, { 'content-length': String(answer.cut.length + 100) })
        return response.write(answer.cut, () => response.destroy())
      }
      const usage = answer.usage ?? USAGE
      spent.prompt_tokens += usage.prompt_tokens
      spent.completion_tokens += usage.completion_tokens
      const choice = { message: messageOf(answer), finish_reason: finishOf(answer) }
      return response.end(JSON.stringify({ choices: [choice], usage }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    plan: (...answers: Answer[]) => void script.push(...answers),
    asked,
    planTrial: (...answers: Answer[]) => void trialScript.push(...answers),
    trials,
    /** The sum of the reported usage. */
    spent,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const trialAnswer = ({ body }: Asked): Answer =>
  body.tools ? { calls: [{ name: 'buscar_fatos', args: { tema: 'vaga' } }] } : { text: 'pronto' }

const finishOf = (answer: Extract<Answer, { text: string } | { calls: unknown }>) =>
  'calls' in answer ? 'tool_calls' : (answer.finish ?? 'stop')

let count = 0
function messageOf(answer: Extract<Answer, { text: string } | { calls: unknown }>) {
  if ('text' in answer) return { role: 'assistant', content: answer.text }
  return {
    role: 'assistant',
    content: null,
    tool_calls: answer.calls.map(({ name, args }) => ({
      id: `call-${++count}`,
      type: 'function',
      function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
    })),
  }
}
