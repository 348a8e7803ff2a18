// Several gateways as one: each call goes to the gateway that has the instance.
import type { Database } from '#server/db/database.ts'
import type { Gateway, GatewayInstance, GatewayKind } from '#server/gateway.ts'

export type SeveralParts = {
  db: Database
  /** The gateways that have an address, by kind; at least one. */
  open: ReadonlyMap<GatewayKind, Gateway>
  /** Where new instances are made; one of `open`. */
  newKind: GatewayKind
}

/** An instance whose gateway is not in `open` counts as new, so that it can be linked again on another gateway. */
export function createSeveralGateways({ db, open, newKind }: SeveralParts): Gateway {
  const kinds = [newKind, ...[...open.keys()].filter((kind) => kind !== newKind)]

  /** The gateway of each instance. An instance that the portal did not make is missing. */
  async function storedKinds(instanceNames: readonly string[]): Promise<Map<string, GatewayKind>> {
    const { rows } = await db.query<{ instanceName: string; gateway: GatewayKind }>(
      'select "instanceName", gateway from portal.webhook_secrets where "instanceName" = any($1::text[])',
      [instanceNames],
    )
    return new Map(
      rows.map(({ instanceName, gateway }) => [instanceName, open.has(gateway) ? gateway : newKind]),
    )
  }

  const kindOf = async (instanceName: string): Promise<GatewayKind> =>
    kinds.length === 1 ? newKind : ((await storedKinds([instanceName])).get(instanceName) ?? newKind)

  function of(kind: GatewayKind): Gateway {
    const gateway = open.get(kind)
    if (!gateway) throw new Error(`the gateway ${kind} is not open`)
    return gateway
  }
  const to = async (instanceName: string): Promise<Gateway> => of(await kindOf(instanceName))

  /**
   * Lists each instance from its own gateway only, and an instance that the portal did not make from any. Skips a
   * gateway that does not answer.
   */
  async function listInstances(): Promise<GatewayInstance[]> {
    const listed = await Promise.allSettled(
      kinds.map(async (kind) => ({ kind, instances: await of(kind).listInstances() })),
    )
    const answered = listed.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const [failed] = listed.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []))
    if (answered.length === 0 && failed) throw failed
    const all = answered.flatMap(({ kind, instances }) => instances.map((instance) => ({ kind, instance })))
    const stored = await storedKinds(all.map(({ instance }) => instance.instanceName))
    const found = new Map<string, GatewayInstance>()
    for (const { kind, instance } of all) {
      const { instanceName } = instance
      if ((stored.get(instanceName) ?? kind) === kind && !found.has(instanceName))
        found.set(instanceName, instance)
    }
    return [...found.values()]
  }

  return {
    choice: { kinds, kindOf, of: (kind) => open.get(kind) ?? null },
    version: () => of(newKind).version(),
    createInstance: async (input) => (await to(input.instanceName)).createInstance(input),
    listInstances,
    findInstance: async (name) => (await to(name)).findInstance(name),
    linkState: async (name) => (await to(name)).linkState(name),
    connect: async (name, number) => (await to(name)).connect(name, number),
    restart: async (name) => (await to(name)).restart(name),
    logout: async (name) => (await to(name)).logout(name),
    deleteInstance: async (name) => (await to(name)).deleteInstance(name),
    setWebhook: async (name, webhook) => (await to(name)).setWebhook(name, webhook),
    findWebhook: async (name) => (await to(name)).findWebhook(name),
    sendText: async (name, input) => (await to(name)).sendText(name, input),
    sendMedia: async (name, input) => (await to(name)).sendMedia(name, input),
    sendLocation: async (name, input) => (await to(name)).sendLocation(name, input),
    sendContact: async (name, input) => (await to(name)).sendContact(name, input),
    sendReaction: async (name, input) => (await to(name)).sendReaction(name, input),
    showTyping: async (name, input) => (await to(name)).showTyping(name, input),
    sendEdit: async (name, input) => (await to(name)).sendEdit(name, input),
    sendDeletion: async (name, input) => (await to(name)).sendDeletion(name, input),
    findMessages: async (name, search) => {
      const kind = await kindOf(name)
      return { ...(await of(kind).findMessages(name, search)), kind }
    },
    fetchMedia: async (name, messageId) => (await to(name)).fetchMedia(name, messageId),
    fetchFile: async (name, address, kind) => {
      const gateway = kind === undefined ? await to(name) : of(kind)
      if (!gateway.fetchFile) throw new Error('this gateway names no files')
      return gateway.fetchFile(name, address)
    },
  }
}
