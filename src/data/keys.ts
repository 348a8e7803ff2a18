// The query keys of the app.
import type { PersonAsked } from '#domain/person-data.ts'

/** Invalidating a key also refetches all keys that begin with it. */
export const keys = {
  board: (instanceName: string) => ['board', instanceName] as const,
  /** Matches the boards of all brokers. */
  boards: () => ['board'] as const,
  /** The stages of all boards, for administrators. */
  stages: () => ['stages'] as const,
  conversation: (contactId: number) => ['conversation', contactId] as const,
  /** The link between a broker and WhatsApp. */
  link: (instanceName: string) => ['link', instanceName] as const,
  /** The link as the gateway reports it now; refetched together with the stored state. */
  linkNow: (instanceName: string) => ['link', instanceName, 'now'] as const,
  /** All brokers, for administrators. */
  brokers: () => ['brokers'] as const,
  /** Lead counts; refetched together with the brokers. */
  brokerTotals: () => ['brokers', 'totals'] as const,
  brokerAnswers: () => ['brokers', 'answers-today'] as const,
  /** A new agency's progress; refetched together with the brokers. */
  firstHour: () => ['brokers', 'first-hour'] as const,
  /** Brokers who can join a rotation; refetched together with the brokers. */
  seatable: () => ['brokers', 'seatable'] as const,
  /** How many contacts each broker marked as private. */
  privateCounts: () => ['brokers', 'private-counts'] as const,
  /** Matches all of a broker's campaigns. */
  campaigns: (instanceName: string) => ['campaigns', instanceName] as const,
  /** The running campaign; refetched at each of its steps. */
  activeCampaign: (instanceName: string) => ['campaigns', instanceName, 'active'] as const,
  /** Past campaigns, their results, and who may get the next one. */
  campaignResults: (instanceName: string) => ['campaigns', instanceName, 'results'] as const,
  /** Matches everything about agents; refetched at each change of an agent, a prompt or a pause. */
  agents: () => ['agents'] as const,
  agentList: () => ['agents', 'list'] as const,
  /** Conversations of all agents; refetched at every board's changes, too. */
  agentConversations: () => ['agents', 'conversations'] as const,
  agentInstances: () => ['agents', 'instances'] as const,
  agentDevelopments: () => ['agents', 'developments'] as const,
  agentInfo: (agentId: number) => ['agents', 'info', agentId] as const,
  agentPrompts: (agentId: number) => ['agents', 'prompts', agentId] as const,
  promptVersions: (agentId: number, field: string) => ['agents', 'versions', agentId, field] as const,
  standingPrompt: (agentId: number, field: string) => ['agents', 'standing', agentId, field] as const,
  /** The loaded pages of one agent's conversations. */
  agentConversationsOf: (agentId: number, search: string, holder: string | null) =>
    ['agents', 'conversations', agentId, { search, holder }] as const,
  /** How many conversations each holder has. */
  agentHolders: (agentId: number) => ['agents', 'conversations', agentId, 'holders'] as const,
  /** One agent's conversation with one person. */
  agentConversation: (agentId: number, contactId: number) =>
    ['agents', 'conversations', agentId, { contactId }] as const,
  agentSetup: (agentId: number) => ['agents', 'setup', agentId] as const,
  agentBench: (agentId: number) => ['agents', 'bench', agentId] as const,
  agentCasePreview: (agentId: number, turnId: number) => ['agents', 'case-preview', agentId, turnId] as const,
  agentTurns: (agentId: number, contactId: number) =>
    ['agents', 'conversations', agentId, { contactId }, 'turns'] as const,
  /** Matches everything about rotations. Refetched at each change of one. */
  rotations: () => ['roletas'] as const,
  rotationList: () => ['roletas', 'list'] as const,
  rotation: (id: number) => ['roletas', 'one', id] as const,
  rotationShares: (id: number) => ['roletas', 'shares', id] as const,
  /** Leads without a broker that a rotation could take. */
  rotationInbox: () => ['roletas', 'inbox'] as const,
  /** Matches everything about developments. */
  developments: () => ['developments'] as const,
  developmentList: () => ['developments', 'list'] as const,
  development: (id: number) => ['developments', 'one', id] as const,
  unboundDevelopments: () => ['developments', 'unbound'] as const,
  /** The URLs of files, which expire. */
  developmentFiles: (ids: readonly number[], isSmall: boolean) =>
    ['development-files', ids, isSmall] as const,
  /** Leads without a broker yet. */
  openCases: () => ['roletas', 'open'] as const,
  /** How a lead came in and moved from broker to broker. */
  leadHistory: (contactId: number, role: string) => ['roletas', 'course', contactId, role] as const,
  /** The campaigns of all brokers, for administrators. */
  campaignReport: () => ['campaign-report'] as const,
  media: (messageId: number) => ['media', messageId] as const,
  quickReplies: () => ['quick-replies'] as const,
  /** Leads that rotations offer the broker. */
  offers: () => ['offers'] as const,
  /** The broker's share of the rotations; refetched together with the offers. */
  ownShares: () => ['offers', 'shares'] as const,
  /** The devices that get pushes, and the push settings. */
  push: () => ['push'] as const,
  /** Leads whose phone number an administrator has to choose. */
  numberDoubts: () => ['contacts', 'doubts'] as const,
  /** The address of the WhatsApp gateway. */
  gateway: () => ['gateway'] as const,
  gatewayMove: (instanceName: string, kind: string) => ['gateway', 'move', instanceName, kind] as const,
  /** The lead sources. */
  intakeKeyList: () => ['intake-keys', 'list'] as const,
  unreadLeads: () => ['intake-keys', 'unread'] as const,
  unreadLead: (id: number) => ['intake-keys', 'unread', id] as const,
  mailbox: (sourceId: string) => ['mailboxes', sourceId] as const,
  keptChanges: () => ['kept-changes'] as const,
  /** Imported lists of leads. */
  imports: () => ['imports'] as const,
  /** Outgoing webhooks, and the events sent to one. */
  hooks: () => ['hooks'] as const,
  sentEvents: (hookId: string) => ['hooks', hookId] as const,
  /** Conversions reported to Meta: the targets and the log. */
  conversions: (...asked: readonly unknown[]) => ['conversions', ...asked] as const,
  serviceTokens: () => ['service-tokens'] as const,
  admins: () => ['admins'] as const,
  brand: () => ['brand'] as const,
  secondStep: () => ['second-step'] as const,
  /** An authenticator app during its setup. */
  newApp: () => ['new-app'] as const,
  audit: (filter: object) => ['audit', filter] as const,
  auditActors: () => ['audit', 'actors'] as const,
  /** A lead's details beyond its card. */
  leadSheet: (leadId: number) => ['lead-sheet', leadId] as const,
  muted: (leadId: number) => ['muted', leadId] as const,
  /** The contacts that the broker marked as private. */
  privateContacts: () => ['private-contacts'] as const,
  /** Why a lead cannot be marked as private. */
  leadStays: (leadId: number) => ['lead-stays', leadId] as const,
  /** A lead's former brokers. */
  leadOwners: (leadId: number) => ['lead-owners', leadId] as const,
  /** Data stored about one person, by a phone number or a lead. */
  person: (who: PersonAsked) => ['person', who] as const,
  /** Suggestions for a lead added by hand. */
  developmentNames: () => ['development-names'] as const,
  /** How many of today's leads a broker answered, and how fast. */
  brokerDay: (instanceName: string) => ['broker-day', instanceName] as const,
  versionText: (versionId: number) => ['prompt-version', versionId] as const,
  /** The assistant's draft reply to a message. */
  suggestion: (contactId: number, messageId: number) => ['suggestion', contactId, messageId] as const,
  /**
   * When the conversation passed between assistant and broker. `lastId` is its newest message; without it the key
   * matches all.
   */
  handover: (contactId: number, ...lastId: [number?]) => ['handover', contactId, ...lastId] as const,
  /** Whether assistant or broker holds the conversation. */
  baton: (contactId: number) => ['baton', contactId] as const,
  /** Whether the assistant may answer on the broker's own number. */
  ownAssistant: () => ['own-assistant'] as const,
  canTranscribe: () => ['can-transcribe'] as const,
  /** The transcript of a voice message. */
  transcript: (messageId: number) => ['transcript', messageId] as const,
  visitSetup: (instanceName: string) => ['visit-setup', instanceName] as const,
  /** The scheduled messages of a board. */
  scheduled: (instanceName: string) => ['scheduled', instanceName] as const,
  /** The plans of a board, and their templates. */
  plans: (instanceName: string) => ['plans', instanceName] as const,
  campaignSettings: () => ['campaign-settings'] as const,
  optOuts: () => ['opt-outs'] as const,
  /** A dashboard figure, and the leads it counts. */
  dashboard: (...asked: readonly unknown[]) => ['dashboard', ...asked] as const,
  /** Costs by origin, what was spent, and the leads behind them. */
  origins: (...asked: readonly unknown[]) => ['origins', ...asked] as const,
  health: () => ['health'] as const,
  /** The database calls that the diagnostics page makes. */
  probes: () => ['health', 'probes'] as const,
  boardTime: (instanceName: string | null) => ['health', 'board', instanceName] as const,
}
