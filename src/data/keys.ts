// Every query key of the app. HOUSE 2.

export const keys = {
  board: (instanceName: string) => ['board', instanceName] as const,
  /** Every board that was read. */
  boards: () => ['board'] as const,
  /** Whose a lead was. */
  leadOwners: (leadId: number) => ['lead-owners', leadId] as const,
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
  agentList: () => ['agents', 'list'] as const,
  agentInstances: () => ['agents', 'instances'] as const,
  agentDevelopments: () => ['agents', 'developments'] as const,
  agentInfo: (agentId: number) => ['agents', 'info', agentId] as const,
  agentPrompts: (agentId: number) => ['agents', 'prompts', agentId] as const,
  promptVersions: (agentId: number, field: string) => ['agents', 'versions', agentId, field] as const,
  published: (agentId: number, field: string) => ['agents', 'published', agentId, field] as const,
  versionText: (versionId: number) => ['prompt-version', versionId] as const,
  /** Of all agents; poked by every board's change too. */
  agentConversations: () => ['agents', 'conversations'] as const,
  /** Of one, as far as it is looked through. */
  agentConversationsOf: (agentId: number, search: string) =>
    ['agents', 'conversations', agentId, search] as const,
  /** Of one, with one person. */
  agentConversation: (agentId: number, contactId: number) =>
    ['agents', 'conversations', agentId, { contactId }] as const,
  /** Everyone's campaigns, as an administrator reads of them. */
  campaignReport: () => ['campaign-report'] as const,
  campaignSettings: () => ['campaign-settings'] as const,
  optOuts: () => ['opt-outs'] as const,
  /** What the dashboard asked, and of which leads. */
  dashboard: (...asked: readonly unknown[]) => ['dashboard', ...asked] as const,
  media: (messageId: number) => ['media', messageId] as const,
  quickReplies: () => ['quick-replies'] as const,
  /** Everything of the rotations, as an administrator manages them. */
  roletas: () => ['roletas'] as const,
  roletaList: () => ['roletas', 'list'] as const,
  roleta: (id: number) => ['roletas', 'one', id] as const,
  roletaShares: (id: number) => ['roletas', 'shares', id] as const,
  /** Who can get a seat. */
  seatable: () => ['brokers', 'seatable'] as const,
  /** Leads on their way to a broker. */
  openCases: () => ['roletas', 'open'] as const,
  /** How a lead came in and went from broker to broker. */
  leadCourse: (contactId: number, role: string) => ['roletas', 'course', contactId, role] as const,
  intakeKeys: () => ['intake-keys'] as const,
  /** What rotations offer the broker. */
  offers: () => ['offers'] as const,
  /** What the broker got of them. */
  ownShares: () => ['offers', 'shares'] as const,
  /** Devices that are told, and how. */
  push: () => ['push'] as const,
  health: () => ['health'] as const,
  /** The functions that the diagnostics page tries. */
  probes: () => ['health', 'probes'] as const,
  admins: () => ['admins'] as const,
  secondStep: () => ['second-step'] as const,
  /** An authenticator app that is being set up. */
  newApp: () => ['new-app'] as const,
  audit: (filter: object) => ['audit', filter] as const,
  auditActors: () => ['audit', 'actors'] as const,
}
