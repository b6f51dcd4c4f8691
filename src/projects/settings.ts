// The settings of a project that are kept in one JSON column: what each holds, and its value until somebody sets it.
import type { z } from 'zod';
import { anything, bool, choice, dict, integer, list, nullable, number, text } from '../http/fields.ts';

interface Setting {
  field: z.ZodType;
  fallback: unknown;
}

const setting = (field: z.ZodType, fallback: unknown = null): Setting => ({ field, fallback });
const maybe = (field: z.ZodType) => setting(nullable(field));
const off = () => setting(bool(), false);
const maybeBool = () => maybe(bool());
const maybeDict = () => maybe(dict());
const texts = () => list(text({ max: 200, blank: true }));

/** In the order the wire lists them. */
export const settings: Readonly<Record<string, Setting>> = {
  completed_snippet_onboarding: off(),
  has_completed_onboarding_for: maybeDict(),
  is_demo: off(),
  product_description: maybe(text({ max: 1000, blank: true })),
  app_urls: setting(list(nullable(text({ max: 200, blank: true }))), []),
  slack_incoming_webhook: maybe(text({ max: 500, blank: true })),
  anonymize_ips: off(),
  drop_events_older_than_seconds: maybe(integer({ min: 0 })),
  person_processing_opt_out: maybeBool(),
  test_account_filters: setting(list(anything()), []),
  test_account_filters_default_checked: maybeBool(),
  path_cleaning_filters: maybe(list(anything())),
  data_attributes: setting(list(text()), ['data-attr']),
  person_display_name_properties: maybe(list(text({ max: 400 }))),
  correlation_config: maybeDict(),
  autocapture_opt_out: maybeBool(),
  autocapture_exceptions_opt_in: maybeBool(),
  autocapture_exceptions_errors_to_ignore: maybe(list(text())),
  autocapture_web_vitals_opt_in: maybeBool(),
  autocapture_web_vitals_allowed_metrics: maybe(list(text())),
  capture_console_log_opt_in: maybeBool(),
  capture_performance_opt_in: maybeBool(),
  capture_dead_clicks: maybeBool(),
  session_recording_opt_in: off(),
  session_recording_sample_rate: maybe(number({ min: 0, max: 1 })),
  session_recording_minimum_duration_milliseconds: maybe(integer({ min: 0, max: 30_000 })),
  session_recording_linked_flag: maybeDict(),
  session_recording_network_payload_capture_config: maybeDict(),
  session_recording_masking_config: maybeDict(),
  session_recording_url_trigger_config: maybe(list(anything())),
  session_recording_url_blocklist_config: maybe(list(anything())),
  session_recording_event_trigger_config: maybe(list(text())),
  session_recording_trigger_match_type_config: maybe(text({ max: 24 })),
  session_recording_retention_period: setting(choice(['legacy', '30d', '90d', '1y', '5y']), '30d'),
  session_replay_config: maybeDict(),
  survey_config: maybeDict(),
  week_start_day: maybe(choice([0, 1])),
  primary_dashboard: maybe(integer({ min: 1 })),
  live_events_columns: maybe(texts()),
  recording_domains: maybe(list(nullable(text({ max: 200 })))),
  cookieless_server_hash_mode: maybe(choice([0, 1, 2])),
  human_friendly_comparison_periods: maybeBool(),
  inject_web_apps: maybeBool(),
  extra_settings: maybeDict(),
  modifiers: maybeDict(),
  surveys_opt_in: maybeBool(),
  heatmaps_opt_in: maybeBool(),
  flags_persistence_default: maybeBool(),
  feature_flag_confirmation_enabled: maybeBool(),
  feature_flag_confirmation_message: maybe(text({ blank: true })),
  default_data_theme: maybe(integer({ min: 1 })),
  revenue_analytics_config: setting(dict(), {}),
  onboarding_tasks: maybeDict(),
  base_currency: setting(text({ max: 3 }), 'USD'),
  web_analytics_pre_aggregated_tables_enabled: maybeBool(),
};

export const settingFields = Object.fromEntries(
  Object.entries(settings).map(([name, { field }]) => [name, field.optional()]),
);

/** Every setting with its value: the stored one, else the default. */
export function withDefaults(stored: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, { fallback }]) => [name, name in stored ? stored[name] : fallback]),
  );
}

/** What of a parsed body belongs into the JSON column. */
export function pickSettings(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => name in settings && value !== undefined));
}
