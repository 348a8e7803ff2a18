// /api/agents: what 'Gerenciamento de Agentes' needs beyond /rest/v1, for administrators alone.
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { shortId } from '#server/http/ids.ts'
import { jsonOf, limitBody, signedInAdmin, type Member, type Signed } from '#server/http/requests.ts'
import type { Agents } from './agents.ts'
import type { Bench } from './bench/bench.ts'
import type { ModelTrial } from './engine/trial.ts'
import { FactChange, ModelPrice, SetupChange } from './setup-store.ts'

const MAX_BODY_BYTES = 8 * 1024

const instanceName = v.nullable(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)))
const Add = v.object({
  operationId: v.pipe(v.string(), v.uuid()),
  name: v.pipe(v.string(), v.maxLength(120)),
  instanceName,
  copyFrom: v.nullable(shortId),
})
const Move = v.object({ instanceName })
const NewCase = v.object({
  operationId: v.pipe(v.string(), v.uuid()),
  turnId: v.pipe(v.number(), v.safeInteger()),
  handsOver: v.boolean(),
})
const Forget = v.object({ number: v.pipe(v.string(), v.maxLength(60)) })

export function createAgentRoutes(
  { agents, bench, trial }: { agents: Agents; bench: Bench; trial: Pick<ModelTrial, 'tryNow'> | null },
  memberOf: (request: Request) => Promise<Member>,
): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  const agentId = (context: Context) => Number(context.req.param('id'))

  routes.get('/', async (context) => context.json(await agents.list(context.var.claims)))
  routes.get('/instances', async (context) => context.json(await agents.instances(context.var.claims)))
  routes.post('/', async (context) =>
    context.json(await agents.add(context.var.claims, await read(context, Add))),
  )
  routes.post('/:id{[0-9]{1,9}}/instance', async (context) => {
    const { instanceName } = await read(context, Move)
    await agents.move(context.var.claims, agentId(context), instanceName)
    return context.json({})
  })
  routes.get('/:id{[0-9]{1,9}}/setup', async (context) =>
    context.json(await agents.setup(context.var.claims, agentId(context))),
  )
  routes.post('/:id{[0-9]{1,9}}/setup', async (context) => {
    await agents.saveSetup(context.var.claims, agentId(context), await read(context, SetupChange))
    return context.json({})
  })
  routes.post('/:id{[0-9]{1,9}}/facts', async (context) =>
    context.json(
      await agents.saveFact(context.var.claims, agentId(context), await read(context, FactChange)),
    ),
  )
  routes.delete('/:id{[0-9]{1,9}}/facts/:fact{[0-9]{1,15}}', async (context) => {
    await agents.removeFact(context.var.claims, agentId(context), Number(context.req.param('fact')))
    return context.json({})
  })
  routes.get('/:id{[0-9]{1,9}}/turns/:contactId{[0-9]{1,15}}', async (context) =>
    context.json(
      await agents.turns(context.var.claims, agentId(context), Number(context.req.param('contactId'))),
    ),
  )
  routes.get('/:id{[0-9]{1,9}}/bench', async (context) =>
    context.json(await bench.view(context.var.claims, agentId(context))),
  )
  // The run goes on after this answer; the client reads its result by GET of the same address.
  routes.post('/:id{[0-9]{1,9}}/bench', async (context) => {
    await bench.start(context.var.claims, agentId(context))
    return context.json({})
  })
  // Preview of the test that a turn would become: {title, lines}, without the person's data.
  routes.get('/:id{[0-9]{1,9}}/cases/of/:turn{[0-9]{1,15}}', async (context) =>
    context.json(
      await bench.preview(context.var.claims, agentId(context), Number(context.req.param('turn'))),
    ),
  )
  routes.post('/:id{[0-9]{1,9}}/cases', async (context) =>
    context.json(await bench.addCase(context.var.claims, agentId(context), await read(context, NewCase))),
  )
  routes.delete('/:id{[0-9]{1,9}}/cases/:case{[0-9]{1,15}}', async (context) => {
    await bench.removeCase(context.var.claims, agentId(context), Number(context.req.param('case')))
    return context.json({})
  })
  // Tests the model's endpoint, and answers the result in the form that health uses.
  routes.post('/model/trial', async (context) => {
    if (!trial)
      throw new PortalError('agent.no-model', 'Sem motor: não há um modelo para testar.', { status: 409 })
    return context.json(await trial.tryNow())
  })
  routes.post('/prices', async (context) => {
    await agents.savePrice(context.var.claims, await read(context, ModelPrice))
    return context.json({})
  })
  // Deletes a person from the agent's memory. Body {number}, as the administrator typed it; answers {number,
  // deleted}.
  routes.post('/:id{[0-9]{1,9}}/forget', async (context) => {
    const { number } = await read(context, Forget)
    return context.json(await agents.forget(context.var.claims, agentId(context), number))
  })
  return routes
}

async function read<T>(context: Context, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const body = v.safeParse(schema, await jsonOf(context))
  if (!body.success) throw new PortalError('request.invalid', 'O pedido não está completo.', { status: 422 })
  return body.output
}
