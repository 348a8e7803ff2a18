// The knobs over HTTP, on a port of their own: POST /<knob> with its input, answered with {result}.
import { Hono } from 'hono'
import * as v from 'valibot'
import type { Control } from './control.ts'
import { KNOBS } from './knobs.ts'

export function createControlWire(control: Control): Hono {
  const app = new Hono()
  app.onError((error) => Response.json({ error: error.message }, { status: 400 }))
  for (const [knob, schema] of Object.entries(KNOBS)) {
    // Each knob gets what its own schema let through.
    const turn = control[knob as keyof Control] as (input: unknown) => unknown
    app.post(`/${knob}`, async (context) => {
      const input: unknown = v.parse(schema, await context.req.json())
      return Response.json({ result: turn(input) ?? null })
    })
  }
  return app
}
