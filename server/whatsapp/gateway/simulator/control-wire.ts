// The simulator's faults over HTTP, on a separate port: POST /<fault> with its input, answered with {result}.
import { Hono } from 'hono'
import * as v from 'valibot'
import type { Control } from './control.ts'
import { FAULT_SETTINGS } from './fault-settings.ts'

export function createControlWire(control: Control): Hono {
  const app = new Hono()
  app.onError((error) => Response.json({ error: error.message }, { status: 400 }))
  for (const [fault, schema] of Object.entries(FAULT_SETTINGS)) {
    // Each fault's own schema has validated the input.
    const turn = control[fault as keyof Control] as (input: unknown) => unknown
    app.post(`/${fault}`, async (context) => {
      const input: unknown = v.parse(schema, await context.req.json())
      return Response.json({ result: turn(input) ?? null })
    })
  }
  return app
}
