// Sets the simulator's faults: what phones, WhatsApp and the network can do to a gateway.
import * as v from 'valibot'
import { receive, receiveHistory, tellCall } from './incoming.ts'
import { FAULT_SETTINGS } from './fault-settings.ts'
import { dropLink, endLink, expireQr, reachQrLimit, refuseLogins, scan } from './linking.ts'
import { acknowledge, edit, findById, revoke } from './mailbox.ts'
import type { Deliveries } from './webhooks.ts'
import type { Instance, SimulatedState } from './state.ts'

type Answers = { receive: string; call: string; burst: string[] }
export type Control = {
  [K in keyof typeof FAULT_SETTINGS]: (
    input: v.InferInput<(typeof FAULT_SETTINGS)[K]>,
  ) => K extends keyof Answers ? Answers[K] : void
}

/** Each fault throws an Error for an unknown instance or message. */
export function createControl(simulated: SimulatedState, deliveries: Deliveries): Control {
  const find = (name: string): Instance => {
    const instance = simulated.instances.get(name)
    if (instance === undefined) throw new Error(`no instance ${name}`)
    return instance
  }
  return {
    ...stateKnobs(simulated),
    ...linkKnobs(simulated, find),
    ...messageKnobs(simulated, find, deliveries),
  }
}

type Find = (name: string) => Instance

type StateKnobs = 'version' | 'nextCall' | 'down' | 'subscriber'

function stateKnobs(simulated: SimulatedState): Pick<Control, StateKnobs> {
  return {
    version(input) {
      Object.assign(simulated, v.parse(FAULT_SETTINGS.version, input))
    },
    nextCall(input) {
      const { times, ...next } = v.parse(FAULT_SETTINGS.nextCall, input)
      for (let time = 0; time < times; time++) simulated.nextCalls.push(next)
    },
    down({ on }) {
      simulated.isDown = on
    },
    subscriber(input) {
      const { number, isCached, ...subscriber } = v.parse(FAULT_SETTINGS.subscriber, input)
      simulated.numbers.set(number, subscriber)
      if (isCached) simulated.numbers.remember(number)
    },
  }
}

type LinkKnobs =
  'scan' | 'expireQr' | 'reachQrLimit' | 'withholdQr' | 'dropLink' | 'refuseLogins' | 'unlink' | 'zombie'

function linkKnobs(simulated: SimulatedState, find: Find): Pick<Control, LinkKnobs> {
  return {
    scan(input) {
      const { instance, ...phone } = v.parse(FAULT_SETTINGS.scan, input)
      if (!scan(simulated, find(instance), phone)) throw new Error(`${instance} shows no code`)
    },
    expireQr: ({ instance }) => expireQr(simulated, find(instance)),
    reachQrLimit: ({ instance }) => reachQrLimit(simulated, find(instance)),
    withholdQr({ instance, on }) {
      find(instance).withholdsQr = on
    },
    dropLink(input) {
      const { instance, backAfterMs } = v.parse(FAULT_SETTINGS.dropLink, input)
      dropLink(simulated, find(instance), backAfterMs)
    },
    refuseLogins(input) {
      const { instance, opensForMs } = v.parse(FAULT_SETTINGS.refuseLogins, input)
      refuseLogins(simulated, find(instance), opensForMs)
    },
    unlink: ({ instance }) => endLink(simulated, find(instance), 'Stream Errored (conflict)'),
    zombie({ instance, on }) {
      find(instance).isZombie = on
    },
  }
}

function messageKnobs(
  simulated: SimulatedState,
  find: Find,
  deliveries: Deliveries,
): Omit<Control, LinkKnobs | StateKnobs> {
  const post = ({ instance: name, id }: { instance: string; id: string }) => {
    const instance = find(name)
    const message = findById(instance, id)
    if (message === undefined) throw new Error(`no message ${id}`)
    return { instance, message }
  }
  return {
    nextSend(input) {
      const { instance, times, ...next } = v.parse(FAULT_SETTINGS.nextSend, input)
      for (let time = 0; time < times; time++) find(instance).nextSends.push(next)
    },
    acks({ instance, plan }) {
      find(instance).ackPlan = plan
    },
    acknowledge: ({ status, ...which }) => acknowledge(simulated, post(which), status),
    receive: ({ instance, ...arrival }) => receive(simulated, find(instance), arrival),
    call: ({ instance, ...step }) => tellCall(simulated, find(instance), { instance, ...step }),
    burst(input) {
      const { instance, times, ...arrival } = v.parse(FAULT_SETTINGS.burst, input)
      const texts = Array.from({ length: times }, (_, index) => `${arrival.text ?? 'Mensagem'} ${index + 1}`)
      return texts.map((text) => receive(simulated, find(instance), { ...arrival, text }))
    },
    history: ({ instance, messages }) => receiveHistory(simulated, find(instance), messages),
    edit: ({ text, ...which }) => edit(simulated, post(which), text),
    revoke: (which) => revoke(simulated, post(which)),
    webhooks(input) {
      const { instance, ...plan } = v.parse(FAULT_SETTINGS.webhooks, input)
      deliveries.plan(instance, plan)
    },
  }
}
