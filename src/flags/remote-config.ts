// What SDKs are told about a project beside its flags: which features are on, and where to send things.
import type { IncomingHttpHeaders } from 'node:http';
import type { ProjectFlags } from './definitions.ts';
import { isObject } from './evaluation/values.ts';

type Settings = Readonly<Record<string, unknown>>;

const COMPRESSIONS = ['gzip', 'gzip-js'];
const MOBILE_SDK = /posthog-(?:android|ios|react-native|flutter)/;

/** The fields that `/decide`, `/flags?config=true` and the remote config have in common. */
export function toConfig({ settings, surveys }: ProjectFlags, headers: IncomingHttpHeaders) {
  const catchesExceptions = settings.autocapture_exceptions_opt_in === true;
  return {
    supportedCompression: COMPRESSIONS,
    captureDeadClicks: settings.capture_dead_clicks === true,
    capturePerformance: toPerformance(settings),
    autocapture_opt_out: settings.autocapture_opt_out === true,
    autocaptureExceptions: catchesExceptions,
    analytics: { endpoint: '/i/v0/e/' },
    elementsChainAsString: true,
    errorTracking: { autocaptureExceptions: catchesExceptions, suppressionRules: [] },
    sessionRecording: mayRecord(settings, headers) ? toRecording(settings) : false,
    heatmaps: settings.heatmaps_opt_in === true,
    surveys: settings.surveys_opt_in === true && surveys.length > 0,
    flagsPersistenceDefault: settings.flags_persistence_default === true,
    defaultIdentifiedOnly: true,
    siteApps: [],
  };
}

/** What old SDKs expect beside: they ask one endpoint for everything. */
const LEGACY_CONFIG = {
  config: { enable_collect_everything: true },
  toolbarParams: {},
  isAuthenticated: false,
};

const configTexts = new WeakMap<ProjectFlags, string>();

/** All of it for one answer, as the members of a JSON object. Written once, unless it depends on who asks. */
export function configText(project: ProjectFlags, headers: IncomingHttpHeaders): string {
  const known = configTexts.get(project);
  if (known !== undefined) return known;
  const text = JSON.stringify({ ...toConfig(project, headers), ...LEGACY_CONFIG }).slice(1, -1);
  if (!Array.isArray(project.settings.recording_domains)) configTexts.set(project, text);
  return text;
}

/** What current browser SDKs load before anything else. */
export function toRemoteConfig(project: ProjectFlags, headers: IncomingHttpHeaders) {
  const config = toConfig(project, headers);
  const { survey_config } = project.settings;
  return {
    token: project.api_token,
    ...config,
    // Browsers need not ask for what they are told here.
    surveys: config.surveys && project.surveys,
    ...(config.surveys && isObject(survey_config) && { survey_config }),
    // Without flags the SDKs do not even ask for them.
    hasFeatureFlags: project.prepared.flags.length > 0,
  };
}

/** The answer to whoever asks without a project: an SDK's health check, a person with a browser. */
export const minimalConfigText = JSON.stringify({
  ...LEGACY_CONFIG,
  supportedCompression: COMPRESSIONS,
  sessionRecording: false,
}).slice(1, -1);

function toPerformance(settings: Settings) {
  const network_timing = settings.capture_performance_opt_in !== false;
  const web_vitals = settings.autocapture_web_vitals_opt_in === true;
  if (!network_timing && !web_vitals) return false;
  return {
    network_timing,
    web_vitals,
    web_vitals_allowed_metrics: settings.autocapture_web_vitals_allowed_metrics ?? null,
  };
}

function toRecording(settings: Settings) {
  const { record_canvas } = isObject(settings.session_replay_config) ? settings.session_replay_config : {};
  const rate = settings.session_recording_sample_rate;
  return {
    endpoint: '/s/',
    consoleLogRecordingEnabled: settings.capture_console_log_opt_in === true,
    recorderVersion: 'v2',
    sampleRate: typeof rate === 'number' && rate < 1 ? rate.toFixed(2) : null,
    minimumDurationMilliseconds: settings.session_recording_minimum_duration_milliseconds || null,
    linkedFlag: toLinkedFlag(settings.session_recording_linked_flag),
    networkPayloadCapture: settings.session_recording_network_payload_capture_config ?? null,
    masking: settings.session_recording_masking_config ?? null,
    urlTriggers: settings.session_recording_url_trigger_config ?? [],
    urlBlocklist: settings.session_recording_url_blocklist_config ?? [],
    eventTriggers: settings.session_recording_event_trigger_config ?? [],
    triggerMatchType: settings.session_recording_trigger_match_type_config ?? null,
    scriptConfig: null,
    ...(record_canvas !== undefined && {
      recordCanvas: record_canvas === true,
      canvasFps: record_canvas === true ? 3 : null,
      canvasQuality: record_canvas === true ? '0.4' : null,
    }),
  };
}

function toLinkedFlag(linked: unknown): unknown {
  if (!isObject(linked) || typeof linked.key !== 'string') return null;
  return typeof linked.variant === 'string' ? { flag: linked.key, variant: linked.variant } : linked.key;
}

/** A project that names its domains records on no other; apps have none. */
function mayRecord(settings: Settings, headers: IncomingHttpHeaders): boolean {
  if (settings.session_recording_opt_in !== true) return false;
  const domains = settings.recording_domains;
  if (!Array.isArray(domains) || domains.length === 0) return true;
  if (MOBILE_SDK.test(headers['user-agent'] ?? '')) return true;
  const hosts = [headers.origin, headers.referer].flatMap((address) => hostOf(address) ?? []);
  return domains.some((domain) => typeof domain === 'string' && hosts.some((host) => isWithinDomain(host, domain)));
}

const hostOf = (address: string | undefined) =>
  address && URL.canParse(address) ? new URL(address).hostname : undefined;

/** `https://*.example.com` stands for all that ends that way. */
function isWithinDomain(host: string, domain: string): boolean {
  const wanted = domain.replace(/^\w+:\/\//, '').replace(/[:/].*$/, '');
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted;
}
