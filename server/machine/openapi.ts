// openapi.json of /api/v1 (OpenAPI 3.1), from the schemas that check the requests.
import type * as v from 'valibot'
import { Problem } from './contract.ts'
import { isOptional, toJsonSchema, type JsonSchema } from './json-schema.ts'
import { OPERATIONS, type Read, type Write } from './operations.ts'
import { makeWebhooks } from './webhooks.ts'

const PROBLEMS: Readonly<Record<number, string>> = {
  400: 'Falta a Idempotency-Key',
  401: 'Sem chave, ou a chave não vale mais',
  403: 'A chave não tem a permissão',
  404: 'Não existe',
  409: 'Contradiz o que está agora',
  422: 'Pedido com campo errado, ou Idempotency-Key usada com outro pedido',
  429: 'Pedidos demais neste minuto: espere o que diz Retry-After',
}
type Response = {
  description: string
  headers?: typeof LIMITS
  content: Record<string, { schema: JsonSchema }>
}

const problem = (description: string): Response => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})
const LIMITS = {
  'RateLimit-Policy': { description: 'A cota: "read";q=240;w=60', schema: { type: 'string' } },
  RateLimit: { description: 'O que resta dela: "read";r=239;t=60', schema: { type: 'string' } },
}

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: JsonSchema }

const entriesOf = (schema: v.GenericSchema): Record<string, v.GenericSchema> =>
  'entries' in schema ? (schema.entries as Record<string, v.GenericSchema>) : {}

function parametersOf(operation: Read | Write): Parameter[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  }))
  if (operation.method !== 'get')
    return [
      ...inPath,
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: true,
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    ]
  const inQuery = Object.entries(entriesOf(operation.query)).map(([name, entry]): Parameter => {
    const schema = toJsonSchema(entry)
    const isCount = name === 'limit'
    return {
      name,
      in: 'query',
      required: !isOptional(entry),
      schema: isCount ? { type: 'integer', minimum: 1, maximum: 100, default: 50 } : schema,
    }
  })
  return [...inPath, ...inQuery]
}

function describe(operation: Read | Write) {
  const isWrite = operation.method !== 'get'
  const refusals = Object.entries(PROBLEMS).filter(([status]) => isWrite || !['400', '409'].includes(status))
  const responses: Record<string, Response> = {
    [isWrite ? operation.status : 200]: {
      description: 'Feito',
      headers: LIMITS,
      content: { 'application/json': { schema: toJsonSchema(operation.answer) } },
    },
    ...Object.fromEntries(refusals.map(([status, words]) => [status, problem(words)])),
  }
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: `Permissão: ${operation.grant}`,
    security: [{ token: [] }],
    parameters: parametersOf(operation),
    ...(isWrite &&
      operation.method !== 'delete' && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: toJsonSchema(operation.body) } },
        },
      }),
    responses,
  }
}

export type OpenApi = ReturnType<typeof makeOpenApi>

export function makeOpenApi(version: string) {
  const paths: Record<string, Record<string, ReturnType<typeof describe>>> = {}
  for (const operation of OPERATIONS)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'API do Portal do Corretor',
      version,
      description:
        'Para outros sistemas. A chave vem de Integrações e vai em Authorization: Bearer. Escritas pedem Idempotency-Key: o mesmo pedido com a mesma chave é feito uma vez só, por sete dias. Listas vêm em páginas: cursor recebe o nextCursor da anterior.',
    },
    servers: [{ url: '/api/v1' }],
    paths,
    webhooks: makeWebhooks(),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: toJsonSchema(Problem) },
    },
  }
}
