// What a personal API key may be allowed to do: `<object>:<action>`, write implying read, `*` everything.

const OBJECTS = new Set(
  `access_control account action activity_log alert annotation approvals batch_export batch_import billing
  business_knowledge canvas cohort comment conversation customer_analytics customer_journey customer_profile_config
  customer_task dashboard dashboard_template data_catalog data_catalog_approval dataset early_access_feature element
  endpoint engineering_analytics error_tracking evaluation event_definition event_filter experiment experiment_holdout
  experiment_saved_metric export external_data_schema external_data_source feature_flag field_note file_system
  file_system_shortcut group health_issue heatmap hog_flow hog_function ingestion_warning insight insight_variable
  integration legal_document link live_debugger llm_analytics llm_gateway llm_playground llm_prompt llm_provider_key
  llm_skill logs loop marketing_analytics mcp_analytics metrics notebook organization organization_integration
  organization_member person plugin product_enablement product_tour project property_definition query query_performance
  replay_scanner revenue_analytics review_hog session_recording session_recording_playlist sharing_configuration
  signal_scout stamphog streamlit_app subscription survey tagger task ticket toolbar tracing uploaded_media usage_metric
  user user_interview visual_review warehouse_objects warehouse_table warehouse_view web_analytics webhook
  wizard_session`.split(/\s+/),
);

export function isScope(text: string): boolean {
  if (text === '*') return true;
  const [object = '', action, ...rest] = text.split(':');
  return rest.length === 0 && OBJECTS.has(object) && (action === 'read' || action === 'write');
}

/** Whether a key with these scopes may do what needs that one. */
export function grants(scopes: readonly string[], needed: string): boolean {
  if (scopes.includes('*') || scopes.includes(needed)) return true;
  return needed.endsWith(':read') && scopes.includes(needed.replace(/:read$/, ':write'));
}
