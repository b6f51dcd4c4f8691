// The JSON schema of a template: served to clients, and what every template that comes in is checked against.

export interface Schema {
  readonly $id?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly enum?: readonly unknown[];
}

const text = (description: string): Schema => ({ type: 'string', description });
const textOrNull = (description: string): Schema => ({ type: ['string', 'null'], description });

export const templateSchema: Schema = {
  $id: 'dashboard-template',
  type: 'object',
  required: ['template_name', 'dashboard_description', 'dashboard_filters', 'tiles'],
  properties: {
    id: textOrNull('Of a stored template.'),
    template_name: text('The name of the template, and of a dashboard made from it.'),
    team_id: { type: ['number', 'null'], description: 'The project it belongs to; null: all of them.' },
    created_at: textOrNull('When it was stored.'),
    image_url: textOrNull('A picture to know it by.'),
    dashboard_description: text('The description of a dashboard made from it.'),
    dashboard_filters: { type: 'object', description: 'The filters of a dashboard made from it.' },
    tiles: {
      type: 'array',
      description: 'What stands on the dashboard: `type` INSIGHT with a query, or TEXT with a body.',
      minItems: 1,
      items: { type: 'object' },
    },
    variables: {
      type: ['array', 'null'],
      description: 'What whoever uses the template chooses, for `{ID}` inside the queries of tiles.',
      items: {
        type: 'object',
        required: ['id', 'name', 'type', 'default', 'description', 'required'],
        properties: {
          id: text('What stands between the braces.'),
          name: text('What to call it.'),
          type: { enum: ['event'] },
          default: { type: 'object', description: 'The event that stands there until one is chosen.' },
          description: text('What it is for.'),
          required: { type: 'boolean', description: 'Whether it must be chosen.' },
        },
      },
    },
    tags: { type: 'array', description: 'Tags of a dashboard made from it.', items: { type: 'string' } },
  },
};
