export interface BigQueryTable {
  readonly project_id: string;
  readonly dataset_id: string;
  readonly table_id: string;
  readonly use_json_type: boolean;
}

export const quote = (name: string): string => `\`${name}\``;

/** A table of the configured dataset, as statements name it. */
export const nameOf = ({ project_id, dataset_id }: BigQueryTable, table: string): string =>
  quote(`${project_id}.${dataset_id}.${table}`);
