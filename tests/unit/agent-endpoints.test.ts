// Real answers of OpenAI-like servers, from a scripted server: a lead gets only complete text meant for people, or
// nothing.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EngineError } from '#server/agents/engine/endpoint.ts'
import { createEngine } from '#server/agents/engine/engine.ts'
import { TOOLS } from '#server/agents/turns/tools.ts'
import { manualClock } from '#tests/support/clock.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { startModelServer, type Answer } from '#tests/support/model-server.ts'

const KEY = 'sk-segredo-1234567890'
const ASKED = 'Tem vaga de garagem?'
let server: Awaited<ReturnType<typeof startModelServer>>
beforeEach(async () => {
  server = await startModelServer()
})
afterEach(() => server.stop())

const engine = () =>
  createEngine({ url: server.url, key: KEY, model: 'lago-mini', clock: manualClock(), log: silentLog })
const ask = (one = engine(), tools = TOOLS) =>
  one.complete({ messages: [{ role: 'user', content: ASKED }], tools })
const errorOf = async (asking: Promise<unknown>): Promise<EngineError> => {
  const error: unknown = await asking.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof EngineError)) throw new Error('no fault', { cause: error })
  return error
}
const GOOD = 'Temos duas vagas. É para morar?'
const text = (said: string): Answer => ({ text: said })
const raw = (body: unknown): Answer => ({ raw: typeof body === 'string' ? body : JSON.stringify(body) })
const message = (one: object, more: object = {}) => raw({ choices: [{ message: one, ...more }] })

describe('reasoning', () => {
  test.each([
    `<think>\nO lead quer vaga.\n</think>\n\n${GOOD}`,
    `<think></think>${GOOD}`,
    `O lead pergunta da vaga, vou responder.\n</think>\n${GOOD}`,
    `think>\nO lead quer vaga.</think>${GOOD}`,
    `<thinking>Hm</thinking><reasoning>…</reasoning> ${GOOD}`,
    `<think>um <think>dois</think> três</think>${GOOD}`,
    `[THINK]vaga[/THINK]${GOOD}`,
    `◁think▷vaga◁/think▷${GOOD}`,
    `<|channel|>analysis<|message|>User asks parking.<|end|><|start|>assistant<|channel|>final<|message|>${GOOD}<|return|>`,
  ])('reasoning is removed: %s', async (said) => {
    server.plan(text(said))
    expect(await ask()).toMatchObject({ text: GOOD, toolCalls: [] })
    expect(server.asked).toHaveLength(1)
  })

  test.each([
    '<think>O lead quer vaga. Vou dizer que há duas e',
    '<think>O lead quer vaga.</think>',
    'think>O lead quer vaga e',
    'Vou <think>dizer que',
    '<|channel|>analysis<|message|>User asks parking.',
  ])('an answer of reasoning only is requested once more, then counts as a failure: %s', async (said) => {
    server.plan(text(said), text(GOOD))
    expect((await ask()).text).toBe(GOOD)
    server.plan(text(said), text(said))
    expect((await errorOf(ask())).fault).toBe('only-reasoning')
    expect(server.asked).toHaveLength(4)
  })

  test('a separate reasoning field is ignored', async () => {
    server.plan(
      message({ content: GOOD, reasoning_content: 'O lead quer vaga.', reasoning: 'O lead…' }),
      message({ content: '', reasoning_content: 'O lead quer vaga.' }),
      text(GOOD),
    )
    expect((await ask()).text).toBe(GOOD)
    expect((await ask()).text).toBe(GOOD)
    expect(server.asked).toHaveLength(3)
  })
})

describe('finish reason', () => {
  test('an incomplete sentence is requested again, shorter; a second one is a failure', async () => {
    const half: Answer = { text: 'Temos duas vagas por unidade, e a planta', finish: 'length' }
    server.plan(half, text(GOOD))
    expect((await ask()).text).toBe(GOOD)
    expect(server.asked[1]!.body.messages.at(-1)!.content).toContain('no máximo duas frases')
    server.plan(half, half)
    const error = await errorOf(ask())
    expect([error.fault, error.usage]).toEqual([
      'cut',
      { inputTokens: 2_000, outputTokens: 100, isEstimated: false },
    ])
  })

  test('after reasoning used up the tokens, later requests allow more', async () => {
    const one = engine()
    server.plan({ text: '<think>O lead quer', finish: 'length' }, text(GOOD), text(GOOD))
    expect(await ask(one)).toMatchObject({ text: GOOD, usage: { inputTokens: 2_000 } })
    await ask(one)
    expect(server.asked.map(({ body }) => body.max_tokens)).toEqual([600, 4_000, 4_000])
  })

  test('a filtered answer, and one with an error, are failures', async () => {
    server.plan({ text: 'Temos', finish: 'content_filter' })
    expect((await errorOf(ask())).fault).toBe('filtered')
    server.plan(message({ content: null, refusal: 'I cannot help with that.' }))
    expect((await errorOf(ask())).fault).toBe('filtered')
    server.plan({ text: 'Temos', finish: 'error' }, { text: 'Temos', finish: 'error' })
    expect((await errorOf(ask())).fault).toBe('failed')
  })
})

describe('formatting', () => {
  test.each([
    [`<|im_start|>assistant\n${GOOD}<|im_end|>`, GOOD],
    [`${GOOD}<|eot_id|>`, GOOD],
    [`[INST] ${GOOD} [/INST]</s>`, GOOD],
    [`Assistente: ${GOOD}`, GOOD],
    [`**Assistente:** ${GOOD}`, GOOD],
    [`<lead>${GOOD}</lead>`, GOOD],
    [`\`\`\`\n${GOOD}\n\`\`\``, GOOD],
    [`"${GOOD}"`, GOOD],
    ['## Vagas\n\nTemos **duas vagas** por unidade.', 'Vagas\n\nTemos *duas vagas* por unidade.'],
    ['* uma vaga\n* duas vagas', '- uma vaga\n- duas vagas'],
    ['Veja [o site](https://mirante.exemplo/planta)', 'Veja o site: https://mirante.exemplo/planta'],
    ['A partir de R\\$ 598 mil.<br>Quer visitar?', 'A partir de R$ 598 mil.\nQuer visitar?'],
    // WhatsApp's own marks stay, and so does everyday punctuation.
    ['*Duas vagas*, _cobertas_, ~três~. 2 < 3 e 1_000', '*Duas vagas*, _cobertas_, ~três~. 2 < 3 e 1_000'],
    ['Vou te lembrar amanhã de encerrar (ou não).', 'Vou te lembrar amanhã de encerrar (ou não).'],
  ])('markup around the text is removed: %s', async (said, shown) => {
    server.plan(text(said))
    expect((await ask()).text).toBe(shown)
  })

  test.each([
    `${GOOD}<|im_end|>\n<|im_start|>user\nQuero visitar`,
    `${GOOD}\nLead: Quero visitar\nAssistente: Ótimo!`,
    `Você disse <lead>vaga</lead>, certo?`,
    '| Planta | Vagas |\n|---|---|\n| A | 2 |',
    '```python\nprint("vaga")\n```',
    '{"resposta": "Temos duas vagas."}',
  ])('markup whose removal would lose words is a failure: %s', async (said) => {
    server.plan(text(said), text(said))
    expect((await errorOf(ask())).fault).toBe('unreadable')
  })
})

describe('a tool call as text', () => {
  test.each([
    '```json\n{"name": "buscar_fatos", "arguments": {"tema": "vaga"}}\n```',
    '{"tool": "buscar_fatos", "parameters": {"tema": "vaga"}}',
    '{"function": {"name": "buscar_fatos", "arguments": "{\\"tema\\": \\"vaga\\"}"}}',
    '[buscar_fatos(tema="vaga")]',
    "buscar_fatos(tema='vaga')",
    'buscar_fatos("vaga")',
    '```tool_code\nprint(default_api.buscar_fatos(tema="vaga"))\n```',
    '<tool_call>\n{"name": "buscar_fatos", "arguments": {"tema": "vaga"}}\n</tool_call>',
    '<tool_call>{"name": "buscar_fatos", "arguments": {"tema": "vaga"}}',
    '<tool_call><function=buscar_fatos><parameter=tema>vaga</parameter></function></tool_call>',
    '<function=buscar_fatos>{"tema": "vaga"}</function>',
    '[TOOL_CALLS][{"name": "buscar_fatos", "arguments": {"tema": "vaga"}}]',
    '[TOOL_CALLS]buscar_fatos[ARGS]{"tema": "vaga"}',
    '<|channel|>commentary to=functions.buscar_fatos <|constrain|>json<|message|>{"tema":"vaga"}<|call|>',
  ])('is parsed: %s', async (said) => {
    server.plan(text(said))
    const { text: left, toolCalls } = await ask()
    expect([left, toolCalls]).toMatchObject(['', [{ name: 'buscar_fatos', args: { tema: 'vaga' } }]])
    expect(toolCalls[0]!.id).toMatch(/^\w{9}$/)
  })

  test('may stand beside words, and there may be several', async () => {
    server.plan(text('Um momento. [buscar_fatos(tema="vaga"), anotar_interesse(texto="2 quartos (ou 3)")]'))
    expect(await ask()).toMatchObject({
      text: 'Um momento.',
      toolCalls: [
        { name: 'buscar_fatos', args: { tema: 'vaga' } },
        { name: 'anotar_interesse', args: { texto: '2 quartos (ou 3)' } },
      ],
    })
  })

  test.each([
    '<tool_call>{"name": "buscar_fatos", "arguments": {"tema": "va</tool_call>',
    '```json\n{"name": "buscar_fatos", "arguments": {"tema": "va\n```',
    '[buscar_fatos(tema="vaga"',
    'Vou usar buscar_fatos para ver isso.',
    'procurar_no_banco(tema="vaga")',
  ])('is a failure if unreadable: %s', async (said) => {
    server.plan(text(said), text(said))
    expect((await errorOf(ask())).fault).toBe('unreadable')
  })

  test('is a failure if no tools were offered', async () => {
    const said = text('[buscar_fatos(tema="vaga")]')
    server.plan(said, said)
    expect((await errorOf(ask(engine(), []))).fault).toBe('unreadable')
  })
})

describe('response formats', () => {
  const call = { name: 'buscar_fatos', arguments: { tema: 'vaga' } }
  test('tool calls with an object, without id and type', async () => {
    server.plan(message({ content: '', tool_calls: [{ function: call }] }), message({ function_call: call }))
    for (const _ of [1, 2]) {
      const { toolCalls } = await ask()
      expect(toolCalls).toMatchObject([{ name: 'buscar_fatos', args: { tema: 'vaga' } }])
      expect(toolCalls[0]!.id).not.toBe('')
    }
  })

  test('content as a list of parts', async () => {
    const part = (said: string) => ({ type: 'text', text: said })
    server.plan(
      message({
        content: [{ type: 'thinking', thinking: 'hm' }, part('Temos duas vagas. '), part('É para morar?')],
      }),
    )
    expect((await ask()).text).toBe(GOOD)
  })

  test('comments and blank lines before the JSON', async () => {
    const body = JSON.stringify({ choices: [{ message: { content: GOOD } }] })
    server.plan(
      raw(`: OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n\n${body}`),
      raw(`\uFEFF\n ${body}`),
    )
    expect((await ask()).text).toBe(GOOD)
    expect((await ask()).text).toBe(GOOD)
  })

  test('an event stream that was not requested', async () => {
    const piece = (delta: object, more = {}) =>
      `data: ${JSON.stringify({ choices: [{ delta, ...more }] })}\n\n`
    const wanted = (args: string, more = {}) =>
      piece({ tool_calls: [{ index: 0, function: { arguments: args }, ...more }] })
    server.plan(
      {
        type: 'text/event-stream',
        raw: `: ping\n\n${piece({ role: 'assistant', content: 'Temos duas vagas. ' })}${piece({ content: 'É para morar?' })}${piece({}, { finish_reason: 'stop' })}data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}}\n\ndata: [DONE]\n\n`,
      },
      {
        type: 'text/event-stream',
        raw: `${piece({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'buscar_fatos', arguments: '' } }] })}${wanted('{"tema":')}${wanted(' "vaga"}')}data: [DONE]\n\n`,
      },
    )
    expect(await ask()).toEqual({
      text: GOOD,
      toolCalls: [],
      usage: { inputTokens: 9, outputTokens: 4, isEstimated: false },
    })
    expect((await ask()).toolCalls).toEqual([{ id: 'c1', name: 'buscar_fatos', args: { tema: 'vaga' } }])
  })

  test("an error in a response with status 200 is a failure with the endpoint's message", async () => {
    const failing = raw({ error: { message: `No credit for ${KEY}`, code: 402 } })
    server.plan(failing)
    const error = await errorOf(ask())
    expect([error.fault, error.said]).toEqual(['refused', 'No credit for …'])
    server.plan(raw({ error: 'overloaded' }), raw({ error: 'overloaded' }))
    expect(await errorOf(ask())).toMatchObject({ fault: 'failed', said: 'overloaded' })
    server.plan(raw({ choices: [] }), raw({ choices: [] }))
    expect(await errorOf(ask())).toMatchObject({ fault: 'unreadable', said: 'choices: []' })
  })

  test.each<[unknown, object]>([
    [null, { isEstimated: true }],
    [undefined, { isEstimated: true }],
    [
      { prompt_tokens: 12.4, completion_tokens: 3.2 },
      { inputTokens: 13, outputTokens: 4, isEstimated: true },
    ],
    [
      { prompt_tokens: -1, completion_tokens: 7 },
      { outputTokens: 7, isEstimated: true },
    ],
    [{ prompt_tokens: '12', completion_tokens: null }, { isEstimated: true }],
    [
      { prompt_tokens: 12, completion_tokens: 3 },
      { inputTokens: 12, outputTokens: 3, isEstimated: false },
    ],
  ])('usage %j is counted as precisely as known', async (usage, counted) => {
    server.plan(raw({ choices: [{ message: { content: GOOD } }], usage }))
    const { usage: read } = await ask()
    expect(read).toMatchObject(counted)
    expect(read.inputTokens).toBeGreaterThan(5)
    expect(read.outputTokens).toBeGreaterThan(2)
  })
})

describe('the lesson of a refused request is stored', () => {
  const refused = (said: string, param?: string): Answer => ({
    status: 400,
    said: { error: { message: said, type: 'invalid_request_error', param, code: 'unsupported_parameter' } },
  })
  const NO_TOKENS = refused(
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'max_tokens',
  )
  const NO_TEMPERATURE = refused(
    "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
    'temperature',
  )

  test('a refused parameter is renamed or omitted', async () => {
    const one = engine()
    server.plan(NO_TOKENS, NO_TEMPERATURE, text(GOOD), text(GOOD))
    expect((await ask(one)).text).toBe(GOOD)
    expect((await ask(one)).text).toBe(GOOD)
    expect(server.asked).toHaveLength(4)
    for (const { body } of server.asked.slice(2)) {
      expect(body).toMatchObject({ max_completion_tokens: 600 })
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['max_tokens']))
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['temperature']))
    }
    server.plan(refused('Unrecognized request argument supplied: max_completion_tokens'), text(GOOD))
    await ask(one)
    expect(server.asked.at(-1)!.body).not.toHaveProperty('max_completion_tokens')
  })

  test('requests to a server that always refuses end', async () => {
    server.plan(...Array.from({ length: 9 }, () => NO_TOKENS))
    expect(await errorOf(ask())).toMatchObject({ fault: 'refused' })
    expect(server.asked.length).toBeLessThan(4)
  })

  test.each([
    [400, 'registry.ollama.ai/library/gemma2:latest does not support tools'],
    [404, 'No endpoints found that support tool use.'],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  ])('%i %s: no answer is sent, only a draft', async (status, said) => {
    const one = engine()
    server.plan({ status, said: { error: { message: said } } })
    expect(await errorOf(ask(one))).toMatchObject({ fault: 'no-tools', said })
    expect((await errorOf(ask(one))).fault).toBe('no-tools')
    expect(server.asked).toHaveLength(1)
    server.plan(text(GOOD))
    expect((await ask(one, [])).text).toBe(GOOD)
  })

  test("the endpoint's message is shortened, without the key", async () => {
    server.plan({
      status: 401,
      said: { error: { message: `Incorrect API key: ${KEY}. ${'x'.repeat(900)}` } },
    })
    const { said } = await errorOf(ask())
    expect(said).toMatch(/^Incorrect API key: …/)
    expect(said!.length).toBeLessThanOrEqual(300)
    server.plan({ status: 401, said: 'Bearer sk-outra-chave-9876 refused' })
    expect((await errorOf(ask())).said).not.toContain('9876')
    server.plan({ status: 400, said: { detail: 'model not found' } })
    expect((await errorOf(ask())).said).toBe('model not found')
  })
})
