// Checks a value against a schema and words the first fault as the validators of clients' scripts do.
import { invalid } from '../../http/errors.ts';
import { isDict } from '../../http/fields.ts';
import { toPythonText } from './python-text.ts';
import type { Schema } from './schema.ts';

interface Fault {
  message: string;
  /** The word of the schema that is not satisfied. */
  validator: string;
  schema: Schema;
  schemaPath: readonly (string | number)[];
  value: unknown;
  valuePath: readonly (string | number)[];
}

type Path = readonly (string | number)[];

const IS_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isDict,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

/** The first thing wrong with a value; undefined when it fits. */
export function findFault(
  schema: Schema,
  value: unknown,
  schemaPath: Path = [],
  valuePath: Path = [],
): Fault | undefined {
  const fault = (validator: string, message: string): Fault => ({
    message,
    validator,
    schema,
    schemaPath,
    value,
    valuePath,
  });
  const shown = () => toPythonText(value);

  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => IS_TYPE[type]?.(value))) {
    return fault('type', `${shown()} is not of type ${types.map(toPythonText).join(', ')}`);
  }
  if (schema.enum && !schema.enum.includes(value)) {
    return fault('enum', `${shown()} is not one of ${toPythonText(schema.enum)}`);
  }
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0)) return fault('minItems', `${shown()} is too short`);
    for (const [index, item] of value.entries()) {
      const found = schema.items && findFault(schema.items, item, [...schemaPath, 'items'], [...valuePath, index]);
      if (found) return found;
    }
  }
  if (!isDict(value)) return undefined;
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return fault('required', `${toPythonText(missing)} is a required property`);
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name)) continue;
    const found = findFault(inner, value[name], [...schemaPath, 'properties', name], [...valuePath, name]);
    if (found) return found;
  }
  return undefined;
}

export function requireFit(schema: Schema, value: unknown): void {
  const fault = findFault(schema, value);
  if (fault) throw invalid(describe(fault));
}

function describe({ message, validator, schema, schemaPath, value, valuePath }: Fault): string {
  const at = (path: Path) => path.map((step) => `[${toPythonText(step)}]`).join('');
  return [
    message,
    '',
    `Failed validating ${toPythonText(validator)} in schema${at(schemaPath)}:`,
    `    ${toPythonText(schema)}`,
    '',
    `On instance${at(valuePath)}:`,
    `    ${toPythonText(value)}`,
  ].join('\n');
}
