// The query keys of the app.
import type { PersonAsked } from '#domain/person-data.ts'

/** Keys that begin with the same word are refetched together. */
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
  /** How far a new agency has come; poked along with the brokers. */
  firstHour: () => ['brokers', 'first-hour'] as const,
  /** Who can get a seat; poked along with the brokers. */
  seatable: () => ['brokers', 'seatable'] as const,
  /** How many contacts each broker marked as particular. */
  privateCounts: () => ['brokers', 'private-counts'] as const,
  /** Everything of a broker's campaigns. */
  campaigns: (instanceName: string) => ['campaigns', instanceName] as const,
  /** The one under way; poked by each of its steps. */
  activeCampaign: (instanceName: string) => ['campaigns', instanceName, 'active'] as const,
  /** What was, what became of it, and who may get the next. */
  campaignResults: (instanceName: string) => ['campaigns', instanceName, 'results'] as const,
  /** Everything of the agents; poked by each change of an agent, a prompt or a pause. */
  agents: () => ['agents'] as const,
  agentList: () => ['agents', 'list'] as const,
  /** Of all agents; poked by every board's change too. */
  agentConversations: () => ['agents', 'conversations'] as const,
  agentInstances: () => ['agents', 'instances'] as const,
  agentDevelopments: () => ['agents', 'developments'] as const,
  agentInfo: (agentId: number) => ['agents', 'info', agentId] as const,
  agentPrompts: (agentId: number) => ['agents', 'prompts', agentId] as const,
  promptVersions: (agentId: number, field: string) => ['agents', 'versions', agentId, field] as const,
  standingPrompt: (agentId: number, field: string) => ['agents', 'standing', agentId, field] as const,
  /** Of one, as far as it is looked through. */
  agentConversationsOf: (agentId: number, search: string, holder: string | null) =>
    ['agents', 'conversations', agentId, { search, holder }] as const,
  /** How many are with whom. */
  agentHolders: (agentId: number) => ['agents', 'conversations', agentId, 'holders'] as const,
  /** Of one, with one person. */
  agentConversation: (agentId: number, contactId: number) =>
    ['agents', 'conversations', agentId, { contactId }] as const,
  agentSetup: (agentId: number) => ['agents', 'setup', agentId] as const,
  agentBench: (agentId: number) => ['agents', 'bench', agentId] as const,
  agentCasePreview: (agentId: number, turnId: number) => ['agents', 'case-preview', agentId, turnId] as const,
  agentTurns: (agentId: number, contactId: number) =>
    ['agents', 'conversations', agentId, { contactId }, 'turns'] as const,
  /** Everything of the rotations; poked by each change of one. */
  rotations: () => ['roletas'] as const,
  rotationList: () => ['roletas', 'list'] as const,
  rotation: (id: number) => ['roletas', 'one', id] as const,
  rotationShares: (id: number) => ['roletas', 'shares', id] as const,
  /** Leads of the administrator that they could take. */
  rotationInbox: () => ['roletas', 'inbox'] as const,
  /** Leads on their way to a broker. */
  openCases: () => ['roletas', 'open'] as const,
  /** How a lead came in and went from broker to broker. */
  leadHistory: (contactId: number, role: string) => ['roletas', 'course', contactId, role] as const,
  /** Everyone's campaigns, as an administrator reads of them. */
  campaignReport: () => ['campaign-report'] as const,
  media: (messageId: number) => ['media', messageId] as const,
  quickReplies: () => ['quick-replies'] as const,
  /** What rotations offer the broker. */
  offers: () => ['offers'] as const,
  /** What the broker got of the rotations; poked along with the offers. */
  ownShares: () => ['offers', 'shares'] as const,
  /** Devices that are told, and how. */
  push: () => ['push'] as const,
  /** Leads whose number an administrator has to choose. */
  numberDoubts: () => ['contacts', 'doubts'] as const,
  /** Where the WhatsApp service is. */
  gateway: () => ['gateway'] as const,
  /** The sources of leads. */
  intakeKeyList: () => ['intake-keys', 'list'] as const,
  unreadLeads: () => ['intake-keys', 'unread'] as const,
  unreadLead: (id: number) => ['intake-keys', 'unread', id] as const,
  mailbox: (sourceId: string) => ['mailboxes', sourceId] as const,
  keptChanges: () => ['kept-changes'] as const,
  /** Lists of leads that were brought in. */
  imports: () => ['imports'] as const,
  /** Other systems that are notified, and what went out to one. */
  hooks: () => ['hooks'] as const,
  sentEvents: (hookId: string) => ['hooks', hookId] as const,
  serviceTokens: () => ['service-tokens'] as const,
  admins: () => ['admins'] as const,
  brand: () => ['brand'] as const,
  secondStep: () => ['second-step'] as const,
  /** An authenticator app that is being set up. */
  newApp: () => ['new-app'] as const,
  audit: (filter: object) => ['audit', filter] as const,
  auditActors: () => ['audit', 'actors'] as const,
  /** What is known of a lead beyond its card. */
  leadSheet: (leadId: number) => ['lead-sheet', leadId] as const,
  muted: (leadId: number) => ['muted', leadId] as const,
  /** The contacts that the broker marked as particular. */
  privateContacts: () => ['private-contacts'] as const,
  /** Why a lead cannot be marked as particular. */
  leadStays: (leadId: number) => ['lead-stays', leadId] as const,
  /** Whose a lead was. */
  leadOwners: (leadId: number) => ['lead-owners', leadId] as const,
  /** What is held about one person, by a number or a lead. */
  person: (who: PersonAsked) => ['person', who] as const,
  /** Proposed where a lead is added by hand. */
  developmentNames: () => ['development-names'] as const,
  /** How many of today's leads a broker answered, and how soon. */
  brokerDay: (instanceName: string) => ['broker-day', instanceName] as const,
  versionText: (versionId: number) => ['prompt-version', versionId] as const,
  /** The assistant's draft for a message. */
  suggestion: (contactId: number, messageId: number) => ['suggestion', contactId, messageId] as const,
  /** How a conversation passed between assistant and broker, as of its newest line; without one of all. */
  handover: (contactId: number, ...lastId: [number?]) => ['handover', contactId, ...lastId] as const,
  /** Who holds it. */
  baton: (contactId: number) => ['baton', contactId] as const,
  /** Whether it may answer on one's own number. */
  ownAssistant: () => ['own-assistant'] as const,
  canTranscribe: () => ['can-transcribe'] as const,
  /** What a machine heard in a voice message. */
  transcript: (messageId: number) => ['transcript', messageId] as const,
  visitSetup: (instanceName: string) => ['visit-setup', instanceName] as const,
  /** The words of a board's texts for later. */
  scheduled: (instanceName: string) => ['scheduled', instanceName] as const,
  campaignSettings: () => ['campaign-settings'] as const,
  optOuts: () => ['opt-outs'] as const,
  /** What the dashboard asked, and of which leads. */
  dashboard: (...asked: readonly unknown[]) => ['dashboard', ...asked] as const,
  health: () => ['health'] as const,
  /** The functions that the diagnostics page tries. */
  probes: () => ['health', 'probes'] as const,
}
