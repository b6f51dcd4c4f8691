// The things a key can be allowed to read or write, in words.
export interface ScopeObject {
  object: string;
  label: string;
}

export const scopeObjects: readonly ScopeObject[] = [
  { object: 'query', label: 'Queries' },
  { object: 'dashboard', label: 'Dashboards' },
  { object: 'dashboard_template', label: 'Dashboard templates' },
  { object: 'insight', label: 'Insights' },
  { object: 'sharing_configuration', label: 'Sharing' },
  { object: 'event_definition', label: 'Event definitions' },
  { object: 'property_definition', label: 'Property definitions' },
  { object: 'ingestion_warning', label: 'Ingestion and its warnings' },
  { object: 'person', label: 'Persons' },
  { object: 'group', label: 'Groups' },
  { object: 'cohort', label: 'Cohorts' },
  { object: 'feature_flag', label: 'Feature flags' },
  { object: 'early_access_feature', label: 'Early access features' },
  { object: 'survey', label: 'Surveys' },
  { object: 'batch_export', label: 'Batch exports' },
  { object: 'export', label: 'Downloads' },
  { object: 'activity_log', label: 'Activity log' },
  { object: 'access_control', label: 'Access controls' },
  { object: 'project', label: 'Projects' },
  { object: 'organization', label: 'Organizations' },
  { object: 'organization_member', label: 'Members and invites' },
  { object: 'user', label: 'Your own profile' },
];

export type Choice = 'none' | 'read' | 'write';
export type Choices = Readonly<Record<string, Choice>>;

/** Writing implies reading, so one scope an object is enough. */
export const toScopes = (choices: Choices): string[] =>
  Object.entries(choices).flatMap(([object, choice]) => (choice === 'none' ? [] : [`${object}:${choice}`]));
