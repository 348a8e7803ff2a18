// The query keys of the app; later-keys.ts has those that a broker's first screen can do without.

export const keys = {
  board: (instanceName: string) => ['board', instanceName] as const,
  /** Every board that was read. */
  boards: () => ['board'] as const,
  /** The columns of all boards, as an administrator manages them. */
  stages: () => ['stages'] as const,
  conversation: (contactId: number) => ['conversation', contactId] as const,
  /** The broker's line at the WhatsApp gateway. */
  link: (instanceName: string) => ['link', instanceName] as const,
  /** The same as the gateway says it at this moment; poked along with what is known. */
  linkNow: (instanceName: string) => ['link', instanceName, 'now'] as const,
  /** All brokers, as an administrator manages them. */
  brokers: () => ['brokers'] as const,
  /** How many leads each has; poked along with them. */
  brokerTotals: () => ['brokers', 'totals'] as const,
  /** Everything of a broker's campaigns. */
  campaigns: (instanceName: string) => ['campaigns', instanceName] as const,
  /** The one under way; poked by each of its steps. */
  activeCampaign: (instanceName: string) => ['campaigns', instanceName, 'active'] as const,
  /** What was, what became of it, and who may get the next. */
  campaignResults: (instanceName: string) => ['campaigns', instanceName, 'results'] as const,
  /** Everything of the agents; poked by each change of an agent, a prompt or a pause. */
  agents: () => ['agents'] as const,
  /** Everything of the rotations; poked by each change of one. */
  rotations: () => ['roletas'] as const,
  agentList: () => ['agents', 'list'] as const,
  /** Of all agents; poked by every board's change too. */
  agentConversations: () => ['agents', 'conversations'] as const,
  /** Everyone's campaigns, as an administrator reads of them. */
  campaignReport: () => ['campaign-report'] as const,
  media: (messageId: number) => ['media', messageId] as const,
  quickReplies: () => ['quick-replies'] as const,
  /** What rotations offer the broker. */
  offers: () => ['offers'] as const,
  /** Devices that are told, and how. */
  push: () => ['push'] as const,
}
