// Turning the knobs: everything that a phone, WhatsApp or bad luck can do to the gateway.
import * as v from 'valibot'
import { receive, receiveHistory } from './incoming.ts'
import { KNOBS } from './knobs.ts'
import { dropLink, endLink, expireQr, reachQrLimit, refuseLogins, scan } from './linking.ts'
import { acknowledge, edit, findById, revoke } from './mailbox.ts'
import type { Deliveries } from './webhooks.ts'
import type { Instance, World } from './state.ts'

type Answers = { receive: string; burst: string[] }
export type Control = {
  [K in keyof typeof KNOBS]: (
    input: v.InferInput<(typeof KNOBS)[K]>,
  ) => K extends keyof Answers ? Answers[K] : void
}

/** Each knob raises an Error where there is no such instance or message. */
export function createControl(world: World, deliveries: Deliveries): Control {
  const find = (name: string): Instance => {
    const instance = world.instances.get(name)
    if (instance === undefined) throw new Error(`no instance ${name}`)
    return instance
  }
  return { ...worldKnobs(world), ...linkKnobs(world, find), ...messageKnobs(world, find, deliveries) }
}

type Find = (name: string) => Instance

type WorldKnobs = 'version' | 'nextCall' | 'down' | 'subscriber'

function worldKnobs(world: World): Pick<Control, WorldKnobs> {
  return {
    version(input) {
      Object.assign(world, v.parse(KNOBS.version, input))
    },
    nextCall(input) {
      const { times, ...next } = v.parse(KNOBS.nextCall, input)
      for (let time = 0; time < times; time++) world.nextCalls.push(next)
    },
    down({ on }) {
      world.isDown = on
    },
    subscriber(input) {
      const { number, isCached, ...subscriber } = v.parse(KNOBS.subscriber, input)
      world.numbers.set(number, subscriber)
      if (isCached) world.numbers.remember(number)
    },
  }
}

type LinkKnobs =
  'scan' | 'expireQr' | 'reachQrLimit' | 'withholdQr' | 'dropLink' | 'refuseLogins' | 'unlink' | 'zombie'

function linkKnobs(world: World, find: Find): Pick<Control, LinkKnobs> {
  return {
    scan(input) {
      const { instance, ...phone } = v.parse(KNOBS.scan, input)
      if (!scan(world, find(instance), phone)) throw new Error(`${instance} shows no code`)
    },
    expireQr: ({ instance }) => expireQr(world, find(instance)),
    reachQrLimit: ({ instance }) => reachQrLimit(world, find(instance)),
    withholdQr({ instance, on }) {
      find(instance).withholdsQr = on
    },
    dropLink(input) {
      const { instance, backAfterMs } = v.parse(KNOBS.dropLink, input)
      dropLink(world, find(instance), backAfterMs)
    },
    refuseLogins(input) {
      const { instance, opensForMs } = v.parse(KNOBS.refuseLogins, input)
      refuseLogins(world, find(instance), opensForMs)
    },
    unlink: ({ instance }) => endLink(world, find(instance), 'Stream Errored (conflict)'),
    zombie({ instance, on }) {
      find(instance).isZombie = on
    },
  }
}

function messageKnobs(
  world: World,
  find: Find,
  deliveries: Deliveries,
): Omit<Control, LinkKnobs | WorldKnobs> {
  const post = ({ instance: name, id }: { instance: string; id: string }) => {
    const instance = find(name)
    const message = findById(instance, id)
    if (message === undefined) throw new Error(`no message ${id}`)
    return { instance, message }
  }
  return {
    nextSend(input) {
      const { instance, times, ...next } = v.parse(KNOBS.nextSend, input)
      for (let time = 0; time < times; time++) find(instance).nextSends.push(next)
    },
    acks({ instance, plan }) {
      find(instance).ackPlan = plan
    },
    acknowledge: ({ status, ...which }) => acknowledge(world, post(which), status),
    receive: ({ instance, ...arrival }) => receive(world, find(instance), arrival),
    burst(input) {
      const { instance, times, ...arrival } = v.parse(KNOBS.burst, input)
      const texts = Array.from({ length: times }, (_, index) => `${arrival.text ?? 'Mensagem'} ${index + 1}`)
      return texts.map((text) => receive(world, find(instance), { ...arrival, text }))
    },
    history: ({ instance, messages }) => receiveHistory(world, find(instance), messages),
    edit: ({ text, ...which }) => edit(world, post(which), text),
    revoke: (which) => revoke(world, post(which)),
    webhooks(input) {
      const { instance, ...plan } = v.parse(KNOBS.webhooks, input)
      deliveries.plan(instance, plan)
    },
  }
}
